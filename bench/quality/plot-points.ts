import { MEASURES, SCOPES, type Measure, type Scope } from "./dominance.ts";
import { labelPlaces, type Frame } from "./label-places.ts";
import type { PolicySummary } from "./summarize.ts";

/** How a point is drawn. The oracle is a control that knows the future. */
export const LOOKS = {
  ours: { words: "this package", color: "#0969da", shape: "circle" },
  peer: { words: "npm packages", color: "#8250df", shape: "diamond" },
  baseline: { words: "plain rules", color: "#bc4c00", shape: "square" },
  seed: { words: "single functions of this package", color: "#1a7f37", shape: "triangle-up" },
  control: { words: "controls", color: "#57606a", shape: "cross" },
  oracle: {
    words: "oracle, knows the future",
    color: "#bf8700",
    shape: "M0,-1L0.29,-0.4L0.95,-0.31L0.48,0.15L0.59,0.81L0,0.5L-0.59,0.81L-0.48,0.15L-0.95,-0.31L-0.29,-0.4Z",
  },
} as const;
export type Look = keyof typeof LOOKS;

/** All of what one policy is drawn with, the numbers in the panel's own units, the places in its pixels. */
export interface PlotPoint {
  readonly label: string;
  readonly look: Look;
  readonly isHollow: boolean;
  readonly price: number;
  readonly priceLow: number;
  readonly priceHigh: number;
  readonly bound: number;
  readonly boundLow: number;
  readonly boundHigh: number;
  readonly labelX: number;
  readonly labelY: number;
}

export interface Panel {
  readonly scope: Scope;
  readonly measure: Measure;
  readonly points: readonly PlotPoint[];
}

export interface KeyEntry {
  readonly label: string;
  readonly name: string;
  readonly look: Look;
  readonly isHollow: boolean;
}

/** A policy that costs more stands at the edge, with its price beside it. */
export const MAX_PRICE = 1.15;
export const MIN_PRICE = 0.35;
/** The power of bound recall that the height of a point is: most contestants are near the top. */
export const STRETCH = 2;

const ORDER = Object.keys(LOOKS) as readonly Look[];

/** Numbers for all policies, in the order in which the key lists them. */
export function keyOf(summaries: readonly PolicySummary[]): readonly KeyEntry[] {
  const entries = summaries.map((summary) => ({ name: summary.name, look: lookOf(summary), isHollow: summary.invalidViews > 0 }));
  return entries.toSorted((a, b) => ORDER.indexOf(a.look) - ORDER.indexOf(b.look)).map((entry, number) => ({ ...entry, label: `${number + 1}` }));
}

/** The four panels: all and the long trajectories, by cost and by bill, without gaps. */
export function panelsOf(summaries: readonly PolicySummary[], frame: Frame): readonly Panel[] {
  const key = keyOf(summaries);
  return SCOPES.flatMap((scope) =>
    MEASURES.map((measure) => {
      const points = summaries.flatMap((summary) => {
        const entry = key.find(({ name }) => name === summary.name);
        return entry === undefined ? [] : [pointOf(summary, entry, scope, measure)];
      });
      const drawn = points.filter(({ price, bound }) => !Number.isNaN(price) && !Number.isNaN(bound));
      const places = labelPlaces(
        drawn.map(({ label, price, bound }) => ({ label, x: frame.width * priceShare(price), y: frame.height * (1 - bound ** STRETCH) })),
        frame,
      );
      return { scope, measure, points: drawn.map((point, number) => ({ ...point, labelX: places[number]?.x ?? 0, labelY: places[number]?.y ?? 0 })) };
    }),
  );
}

function pointOf(summary: PolicySummary, { label, look, isHollow }: KeyEntry, scope: Scope, measure: Measure): Omit<PlotPoint, "labelX" | "labelY"> {
  const { bound, noGaps } = summary[scope];
  const price = noGaps[measure];
  const isBeyond = price.estimate > MAX_PRICE;
  return {
    label: isBeyond ? `${label} at ${price.estimate.toFixed(1)}` : label,
    look,
    isHollow,
    price: within(price.estimate),
    priceLow: isBeyond ? MAX_PRICE : within(price.low),
    priceHigh: within(price.high),
    bound: bound.estimate,
    boundLow: bound.low,
    boundHigh: bound.high,
  };
}

function lookOf({ name, kind }: PolicySummary): Look {
  if (kind === "control" && name.startsWith("oracle")) return "oracle";
  return ORDER.find((look) => look === kind) ?? "control";
}

function within(price: number): number {
  return Math.min(MAX_PRICE, Math.max(MIN_PRICE, price));
}

function priceShare(price: number): number {
  return (price - MIN_PRICE) / (MAX_PRICE - MIN_PRICE);
}
