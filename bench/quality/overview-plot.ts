import { parse, View, type EncodeEntry, type Mark, type Spec } from "vega";
import { LOOKS } from "./plot-points.ts";
import type { PolicySummary } from "./summarize.ts";

const FRAME = { width: 760, height: 300 };
const INK = "#1f2328";
const FAINT = "#d0d7de";

/** Who is drawn, under which name, and on which side of the point the name stands. */
const SHOWN: Readonly<Record<string, readonly [name: string, side: "left" | "right" | "below" | "above-left"]>> = {
  "full context": ["the full conversation", "below"],
  gentle: ["gentle", "below"],
  balanced: ["balanced", "below"],
  tight: ["tight", "left"],
  "clear_tool_uses, 100k": ["Anthropic clear_tool_uses, 100k", "right"],
  "clear_tool_uses, 30k, at least 10k": ["Anthropic clear_tool_uses, 30k", "right"],
  "langchain ClearToolUsesEdit 60k": ["langchain ClearToolUsesEdit, 60k", "left"],
  "context-chef compactMessages keep 5, over 60k": ["context-chef compactMessages, 5 at 60k", "right"],
  "context-chef compactMessages keep 10, over 100k": ["context-chef compactMessages, 10 at 100k", "right"],
  "context-chef compactHistory 10 turns, over 60k": ["context-chef compactHistory, 10 at 60k", "left"],
  "context-chef compactHistory 20 turns, over 100k": ["context-chef compactHistory, 20 at 100k", "above-left"],
};

/** Bound recall against the bill of all sessions, by the recorded times, for a few policies with their names beside them. As SVG. */
export async function overviewPlotOf(summaries: readonly PolicySummary[]): Promise<string> {
  const points = summaries.flatMap(({ name, kind, all }) => {
    const shown = SHOWN[name];
    if (shown === undefined) return [];
    const [label, side] = shown;
    const look = name === "full context" ? LOOKS.control : kind === "ours" ? LOOKS.ours : LOOKS.peer;
    return [{ label, bill: all.bill.estimate, bound: all.bound.estimate, color: look.color, shape: look.shape, isOurs: kind === "ours", ...labelOffset(side) }];
  });
  const spec: Spec = {
    // White also where the page is dark.
    background: "white",
    // Without a browser the widths of texts are guesses: the size of the drawing is said, not found.
    autosize: "none",
    padding: { left: 60, right: 24, top: 24, bottom: 48 },
    ...FRAME,
    data: [
      { name: "points", values: points },
      { name: "ours", values: points.filter(({ isOurs }) => isOurs).toSorted((a, b) => a.bill - b.bill) },
    ],
    scales: [
      { name: "x", type: "linear", domain: [0.27, 1.05], range: "width", zero: false },
      { name: "y", type: "linear", domain: [0.65, 1.02], range: "height", zero: false },
    ],
    axes: [
      {
        orient: "bottom",
        scale: "x",
        title: "the bill, beside the full conversation with prompt caching (less is better)",
        values: [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
        format: ".1f",
        ...AXIS,
      },
      { orient: "left", scale: "y", title: "kept: what the agent needed later, and still sees", format: ".2f", tickCount: 5, ...AXIS },
    ],
    marks: [
      { type: "line", from: { data: "ours" }, encode: { enter: { ...PLACE, stroke: { value: LOOKS.ours.color }, strokeWidth: { value: 1.5 } } } },
      symbols(),
      labels(),
    ],
  };
  return `${await new View(parse(spec), { renderer: "none" }).toSVG()}\n`;
}

const AXIS = {
  grid: true,
  gridColor: "#eaeef2",
  domain: false,
  tickColor: FAINT,
  labelColor: INK,
  titleColor: INK,
  titleFontWeight: "normal",
  titleFontSize: 12,
} as const;
const PLACE: EncodeEntry = { x: { scale: "x", field: "bill" }, y: { scale: "y", field: "bound" } };

function labelOffset(side: "left" | "right" | "below" | "above-left"): { readonly dx: number; readonly dy: number; readonly align: string } {
  if (side === "left") return { dx: -9, dy: 0, align: "right" };
  if (side === "right") return { dx: 9, dy: 0, align: "left" };
  return side === "below" ? { dx: 0, dy: 14, align: "center" } : { dx: 6, dy: -13, align: "right" };
}

function symbols(): Mark {
  const look: EncodeEntry = { shape: { field: "shape" }, fill: { field: "color" }, size: { value: 70 } };
  return { type: "symbol", from: { data: "points" }, encode: { enter: { ...PLACE, ...look } } };
}

function labels(): Mark {
  return {
    type: "text",
    from: { data: "points" },
    encode: {
      enter: {
        ...PLACE,
        dx: { field: "dx" },
        dy: { field: "dy" },
        align: { field: "align" },
        baseline: { value: "middle" },
        text: { field: "label" },
        fill: { field: "color" },
        fontSize: { value: 12 },
      },
    },
  };
}
