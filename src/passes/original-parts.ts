/** About a thousand tokens: little beside a view, and enough to read something in its context. */
const PART_CHARS = 4_000;
/** A text with more parts gets larger ones: their names have to fit on a line. */
const MOST_PARTS = 128;
/** A last part that would be shorter than this share is one with the part before it. */
const SHORTEST_LAST = 0.5;
/** A line ends a part only where it makes it no shorter than this share. */
const SHORTEST_PART = 0.25;
/** Two parts of one long line overlap by this much, so that a name or path at the cut is whole in one of them. */
const SHARED_CHARS = 200;

/** A stretch of a text, half-open. */
export interface TextPart {
  readonly from: number;
  readonly to: number;
}

/** All that is asked of a text here. */
type Sliceable = Pick<string, "length" | "slice" | "charCodeAt">;

/**
 * A long text in parts that can be recalled one by one: of whole lines, where its lines are not longer than a part themselves. They follow
 * from the text alone, so what names them need not keep them.
 */
export function originalParts(text: Sliceable): TextPart[] {
  const size = Math.max(PART_CHARS, Math.ceil(text.length / MOST_PARTS));
  const parts: TextPart[] = [];
  let from = 0;
  while (text.length - from > size * (1 + SHORTEST_LAST)) {
    // Searched only where it may end: of one long line, all before it would be searched for every part.
    const earliest = from + Math.ceil(size * SHORTEST_PART);
    const feed = text.slice(earliest, from + size).lastIndexOf("\n");
    const endsWithLine = feed >= 0;
    const to = endsWithLine ? earliest + feed + 1 : beforePair(text, from + size);
    parts.push({ from, to });
    from = endsWithLine ? to : beforePair(text, to - SHARED_CHARS);
  }
  return [...parts, { from, to: text.length }];
}

/** A character of two units is not cut in two. */
function beforePair(text: Sliceable, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}

/** The text of the `number`th part, from 1, or from that one to the `last`. Undefined: there is no such part. */
export function originalPart(text: string, number: number, last: number = number): string | undefined {
  const parts = originalParts(text);
  const [from, to] = parts.length < 2 || last < number ? [] : [parts[number - 1], parts[last - 1]];
  // Cut out in one piece: two parts of one long line share some of it.
  return from === undefined || to === undefined ? undefined : text.slice(from.from, to.to);
}
