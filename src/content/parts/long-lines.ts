/** A longer line is cut into pieces. */
export const LONGEST_LINE = 600;

const SHORTEST_PIECE = 100;
const LONGEST_PIECE = 400;

/** An escaped line break in quoted text, such as a document in a JSON string: readers see it as the end of a line. */
const QUOTED_BREAK = "\\n";

/** Other places to cut a line, best first; each is searched backwards from the longest piece. */
const SEPARATORS: readonly string[] = ["},", "],", ";", ". ", ", ", ",", " ", "/"];

/** Returns the ends of the pieces of `text` between two positions. Never splits a surrogate pair. */
export function pieceEnds(text: string, start: number, end: number): number[] {
  const ends: number[] = [];
  let from = start;
  while (end - from > LONGEST_PIECE) {
    from = cutAfter(text, from);
    ends.push(from);
  }
  if (from < end) ends.push(end);
  return ends;
}

function cutAfter(text: string, from: number): number {
  const quoted = text.slice(from, from + LONGEST_PIECE).indexOf(QUOTED_BREAK);
  if (quoted >= 0) return from + quoted + QUOTED_BREAK.length;
  const window = text.slice(from + SHORTEST_PIECE, from + LONGEST_PIECE);
  for (const separator of SEPARATORS) {
    const at = window.lastIndexOf(separator);
    if (at >= 0) return from + SHORTEST_PIECE + at + separator.length;
  }
  const cut = from + LONGEST_PIECE;
  return splitsPair(text, cut) ? cut - 1 : cut;
}

function splitsPair(text: string, cut: number): boolean {
  const last = text.charCodeAt(cut - 1);
  const next = text.charCodeAt(cut);
  return last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
}
