import { fieldsOf, type CallFields } from "../../content/calls/input-fields.ts";

/** More ranges than this are written as one. */
const MOST_RANGES = 3;

/** First and last line, from 1; `Infinity` to the end. */
export type LineRange = readonly [from: number, to: number];

/** Returns which lines a call reads. Undefined: the whole file, or unknown. */
export function linesRead(input: unknown, command: string): LineRange | undefined {
  if (command !== "") {
    const [, from, to] = /\bsed\s+-n\s+['"]?(\d{1,9}),(\d{1,9})p/.exec(command) ?? [];
    if (from !== undefined) return [Number(from), Number(to)];
    const [, head] = /\bhead\s+(?:-n\s*|-)(\d{1,9})\b/.exec(command) ?? [];
    return head === undefined ? undefined : [1, Number(head)];
  }
  const fields = fieldsOf(input);
  const view = fields["view_range"];
  if (Array.isArray(view) && isLine(view[0])) return [view[0], isLine(view[1]) ? view[1] : Infinity];
  const from = lineIn(fields, ["start_line", "startLine", "line_start", "offset"]) ?? 1;
  const end = lineIn(fields, ["end_line", "endLine", "line_end"]);
  if (end !== undefined) return [from, end];
  const limit = lineIn(fields, ["limit", "num_lines"]);
  if (limit !== undefined) return [from, from + limit - 1];
  return from > 1 ? [from, Infinity] : undefined;
}

/** `10-80, 200-`; "" for a whole file. */
export function describeRanges(ranges: readonly LineRange[]): string {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  const told = merged.length > MOST_RANGES ? [[merged[0]?.[0] ?? 1, merged.at(-1)?.[1] ?? Infinity] as const] : merged;
  return told.map(([from, to]) => (from === to ? `${from}` : `${from}-${to === Infinity ? "" : to}`)).join(", ");
}

function lineIn(fields: CallFields, keys: readonly string[]): number | undefined {
  return keys.map((key) => fields[key]).find(isLine);
}

function isLine(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
