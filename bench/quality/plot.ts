import { parse, View, type EncodeEntry, type Mark, type Spec } from "vega";
import { keyOf, LOOKS, MAX_PRICE, MIN_PRICE, panelsOf, STRETCH, type KeyEntry, type Look, type Panel } from "./plot-points.ts";
import type { PolicySummary } from "./summarize.ts";

const FRAME = { width: 400, height: 380 };
const GAP = { x: 50, y: 70 };
/** The names in the middle column are the longest. */
const KEY = { columns: [0, 265, 595], rowHeight: 16, top: 2 * (FRAME.height + GAP.y) + 4 };
const WIDTH = 2 * FRAME.width + GAP.x;
const INK = "#1f2328";
const FAINT = "#d0d7de";
const TITLES: Readonly<Record<Panel["scope"], string>> = { all: "all trajectories", long: "trajectories over 50k tokens" };
const AXES: Readonly<Record<Panel["measure"], string>> = {
  cost: "cost beside the cached full context (mean over tasks)",
  bill: "bill beside the cached full context (one sum)",
};

const HEADING = [
  ["What agents needed later and still see, against what the requests cost", -64, 15],
  ["Up and to the left is better. Bars: 95 % intervals over tasks. Hollow: sends views that the provider refuses. ▸: dearer than the panel is wide.", -45, 11],
  ["Counted without gaps. Dashed: the cost of the cached full context. The scale of recall is wider at the top, where most are.", -30, 11],
] as const;

/** Bound recall against what it costs, as SVG: two panels for all trajectories, two for the long ones, and a key below. */
export async function plotOf(summaries: readonly PolicySummary[]): Promise<string> {
  const key = keyOf(summaries);
  const panels = panelsOf(summaries, FRAME);
  const rows = Math.ceil((key.length + Object.keys(LOOKS).length) / KEY.columns.length);
  const spec: Spec = {
    // White also where the page is dark.
    background: "white",
    // Without a browser the widths of texts are guesses: the size of the drawing is said, not found.
    autosize: "none",
    padding: { left: 64, right: 20, top: 84, bottom: 12 },
    width: WIDTH,
    height: KEY.top + KEY.rowHeight * rows,
    marks: [...HEADING.map(([words, y, size]) => text(words, y, size)), ...panels.map(panelMark), keyMark(key)],
  };
  return `${await new View(parse(spec), { renderer: "none" }).toSVG()}\n`;
}

function panelMark({ scope, measure, points }: Panel, number: number): Mark {
  const data = `points-${scope}-${measure}`;
  const x = (field: string): { scale: string; field: string } => ({ scale: "x", field });
  const y = (field: string): { scale: string; field: string } => ({ scale: "y", field });
  const drawn = points.map((point) => ({
    ...point,
    ...drawing(point.look, point.isHollow),
    shape: point.price >= MAX_PRICE ? "triangle-right" : LOOKS[point.look].shape,
  }));
  return {
    type: "group",
    encode: {
      enter: {
        x: { value: (number % 2) * (FRAME.width + GAP.x) },
        y: { value: Math.floor(number / 2) * (FRAME.height + GAP.y) },
        width: { value: FRAME.width },
        height: { value: FRAME.height },
        stroke: { value: FAINT },
      },
    },
    data: [
      { name: data, values: drawn },
      { name: `${data}-ours`, values: drawn.filter(({ look }) => look === "ours").toSorted((a, b) => a.price - b.price) },
    ],
    // Grid lines are as long as these say, and else as the whole drawing.
    signals: [
      { name: "width", value: FRAME.width },
      { name: "height", value: FRAME.height },
    ],
    scales: [
      { name: "x", type: "linear", domain: [MIN_PRICE, MAX_PRICE], range: [0, FRAME.width], zero: false },
      { name: "y", type: "pow", exponent: STRETCH, domain: [0, 1], range: [FRAME.height, 0] },
    ],
    axes: [
      { orient: "bottom", scale: "x", title: AXES[measure], values: [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1], format: ".1f", ...AXIS },
      {
        orient: "left",
        scale: "y",
        values: [0, 0.2, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
        format: ".1f",
        ...(measure === "cost" ? { title: "bound recall" } : {}),
        ...AXIS,
      },
    ],
    marks: [
      text(TITLES[scope], -8, 12),
      rule({ x: { scale: "x", value: 1 }, y: { value: 0 }, y2: { value: FRAME.height }, stroke: { value: "#8c959f" }, strokeDash: { value: [3, 3] } }),
      rule({ x: x("priceLow"), x2: x("priceHigh"), y: y("bound"), stroke: { field: "color" }, opacity: { value: 0.35 } }, data),
      rule({ x: x("price"), y: y("boundLow"), y2: y("boundHigh"), stroke: { field: "color" }, opacity: { value: 0.35 } }, data),
      rule({ x: x("price"), x2: { field: "labelX" }, y: y("bound"), y2: { field: "labelY" }, stroke: { value: FAINT } }, data),
      {
        type: "line",
        from: { data: `${data}-ours` },
        encode: { enter: { x: x("price"), y: y("bound"), stroke: { value: LOOKS.ours.color }, strokeWidth: { value: 1.5 } } },
      },
      symbols(data, { x: x("price"), y: y("bound") }),
      {
        type: "text",
        from: { data },
        encode: {
          enter: {
            x: { field: "labelX" },
            y: { field: "labelY" },
            text: { field: "label" },
            fill: { field: "color" },
            fontSize: { value: 10 },
            align: { value: "center" },
            baseline: { value: "middle" },
          },
        },
      },
    ],
  };
}

const AXIS = {
  grid: true,
  gridColor: "#eaeef2",
  domain: false,
  tickColor: FAINT,
  labelColor: INK,
  titleColor: INK,
  titleFontWeight: "normal",
  titleFontSize: 11,
} as const;

/** What the symbols mean, then who the numbers are, in columns. */
function keyMark(key: readonly KeyEntry[]): Mark {
  const looks = (Object.keys(LOOKS) as Look[]).flatMap((look) => {
    const own = key.filter((entry) => entry.look === look);
    if (own.length === 0) return [];
    return [
      { words: LOOKS[look].words, weight: "bold", look, isHollow: false },
      ...own.map((entry) => ({ ...entry, words: `${entry.label}  ${entry.name}`, weight: "normal" })),
    ];
  });
  const rows = Math.ceil(looks.length / KEY.columns.length);
  const values = looks.map(({ words, weight, look, isHollow }, number) => ({
    words,
    weight,
    ...drawing(look, isHollow),
    x: (KEY.columns[Math.floor(number / rows)] ?? 0) + 6,
    y: (number % rows) * KEY.rowHeight + 8,
  }));
  return {
    type: "group",
    encode: { enter: { x: { value: 0 }, y: { value: KEY.top } } },
    data: [{ name: "key", values }],
    marks: [
      symbols("key", { x: { field: "x" }, y: { field: "y" } }),
      {
        type: "text",
        from: { data: "key" },
        encode: {
          enter: {
            x: { field: "x", offset: 12 },
            y: { field: "y" },
            text: { field: "words" },
            fontWeight: { field: "weight" },
            fill: { value: INK },
            fontSize: { value: 11 },
            baseline: { value: "middle" },
          },
        },
      },
    ],
  };
}

function drawing(look: Look, isHollow: boolean): { readonly color: string; readonly shape: string; readonly fill: string } {
  const { color, shape } = LOOKS[look];
  return { color, shape, fill: isHollow ? "white" : color };
}

/** Text above a drawing, placed by hand, because a title would be positioned relative to its neighbours. */
function text(words: string, y: number, fontSize: number): Mark {
  const weight = fontSize > 11 ? "bold" : "normal";
  return {
    type: "text",
    encode: { enter: { text: { value: words }, y: { value: y }, fontSize: { value: fontSize }, fontWeight: { value: weight }, fill: { value: INK } } },
  };
}

function rule(enter: EncodeEntry, data?: string): Mark {
  return { type: "rule", ...(data === undefined ? {} : { from: { data } }), encode: { enter } };
}

function symbols(data: string, place: EncodeEntry): Mark {
  const look = { shape: { field: "shape" }, fill: { field: "fill" }, stroke: { field: "color" }, strokeWidth: { value: 1.5 }, size: { value: 50 } };
  return { type: "symbol", from: { data }, encode: { enter: { ...place, ...look } } };
}
