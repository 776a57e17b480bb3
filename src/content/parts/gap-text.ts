import { NO_HEADING, type Noun } from "./text-parts.ts";

/** The order in which a gap names them. */
const NOUNS: readonly Noun[] = ["line", "record", "field", "value", "character"];

/** The parts that may be cut, as columns. */
export interface Cuttable {
  readonly nounAt: (part: number) => Noun | undefined;
  readonly countAt: (part: number) => number;
  readonly headingAt: (part: number) => number;
}

/** Counts the parts from `start` to before `end` by noun. If a whole record is cut, the record is counted and its fields are not. */
export function countCut(start: number, end: number, { nounAt, countAt, headingAt }: Cuttable): ReadonlyMap<Noun, number> {
  const counts = new Map<Noun, number>();
  let lines = 0;
  for (let part = start; part < end; part++) {
    const noun = nounAt(part);
    if (noun === "line") lines++;
    else if (noun !== undefined && (noun === "character" || headingAt(part) === NO_HEADING || headingAt(part) < start))
      counts.set(noun, (counts.get(noun) ?? 0) + countAt(part));
  }
  if (lines > 0) counts.set("line", lines);
  return counts;
}

/** Returns `[… 120 lines cut]`, on a line of its own. */
export function gapText(counts: ReadonlyMap<Noun, number>, isAtEnd: boolean, before: string | undefined): string {
  const stated = NOUNS.filter((noun) => counts.has(noun)).map((noun) => counted(counts.get(noun) ?? 0, noun));
  return `${before === undefined || before.endsWith("\n") ? "" : "\n"}[… ${stated.join(", ")} cut]${isAtEnd ? "" : "\n"}`;
}

function counted(count: number, noun: Noun): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
