/** About a thousand tokens: little compared to a view, and enough to read something in context. */
const PART_CHARS = 4_000;
/** Parts grow so that there are never more than this: their names have to fit on a line. */
const MOST_PARTS = 128;
/** A last part shorter than this share is joined with the one before it. */
const SHORTEST_LAST = 0.5;
/** A part ends at a line break only if that makes it no shorter than this share. */
const SHORTEST_PART = 0.25;
/** Two parts of one long line overlap by this much, so that a name or path at the cut is whole in one of them. */
const SHARED_CHARS = 200;

/** A stretch of a text, half-open. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
}

/** The methods of a text that are used here. */
type Sliceable = Pick<string, "length" | "slice" | "charCodeAt">;

/**
 * Divides a long text into parts that can be recalled one by one: whole lines, unless a line is longer than a part. The parts follow
 * from the text alone, so they need not be stored.
 */
export function originalParts(text: Sliceable): TextPart[] {
  const size = Math.max(PART_CHARS, Math.ceil(text.length / MOST_PARTS));
  const parts: TextPart[] = [];
  let from = 0;
  while (text.length - from > size * (1 + SHORTEST_LAST)) {
    // Searched only from where it may end: otherwise every part of one long line would search the whole text before it.
    const earliest = from + Math.ceil(size * SHORTEST_PART);
    const feed = text.slice(earliest, from + size).lastIndexOf("\n");
    const endsWithLine = feed >= 0;
    const to = endsWithLine ? earliest + feed + 1 : beforePair(text, from + size);
    parts.push({ from, to });
    from = endsWithLine ? to : beforePair(text, to - SHARED_CHARS);
  }
  return [...parts, { from, to: text.length }];
}

/** Never splits a surrogate pair. */
function beforePair(text: Sliceable, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** Returns the text of the `number`th part, from 1, or from that one to the `last`. Undefined: there is no such part. */
export function originalPart(text: string, number: number, last: number = number): string | undefined {
  const parts = originalParts(text);
  if (parts.length < 2 || last < number) return undefined;
  const from = parts[number - 1]?.from;
  const to = parts[last - 1]?.to;
  // Cut out in one piece, because two parts of one long line overlap.
  return from === undefined || to === undefined ? undefined : text.slice(from, to);
}
