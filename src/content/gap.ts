import { NO_HEADING, type Noun, type Unit } from "./unit.ts";

/** What stating a gap costs, about. */
export const GAP_TOKENS = 6;

/** In this order. */
const NOUNS: readonly Noun[] = ["line", "record", "field", "value", "character"];

/**
 * `[… 120 lines cut]`, on a line of its own, for the units from `start` to before `end`.
 * Fields of a record that is cut as a whole are not counted: the record is.
 */
export function gapText(units: readonly Unit[], start: number, end: number, before: string | undefined): string {
  const counts = new Map<Noun, number>();
  for (let index = start; index < end; index++) {
    const unit = units[index];
    if (unit === undefined) continue;
    const isInCutRecord = unit.noun !== "line" && unit.noun !== "character" && unit.heading !== NO_HEADING && unit.heading >= start;
    if (!isInCutRecord) counts.set(unit.noun, (counts.get(unit.noun) ?? 0) + unit.count);
  }
  const stated = NOUNS.filter((noun) => counts.has(noun)).map((noun) => counted(counts.get(noun) ?? 0, noun));
  const isAtEnd = end === units.length;
  return `${before === undefined || before.endsWith("\n") ? "" : "\n"}[… ${stated.join(", ")} cut]${isAtEnd ? "" : "\n"}`;
}

function counted(count: number, noun: Noun): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
