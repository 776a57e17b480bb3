import type { Familiarity } from "../words/known-words.ts";
import { endOfLine } from "../text/line-bounds.ts";
import { NO_HEADING, type Noun, type Parts } from "./text-parts.ts";
import { LONGEST_LINE, pieceEnds } from "./long-lines.ts";
import type { JsonReading } from "../documents/read-json.ts";
import { walkJson } from "./walk-json.ts";
import { WorthReader } from "../words/worth-reader.ts";

/** Returns the records and fields of all JSON documents of a text, and the lines between them. */
export function partsOfJson(reading: JsonReading, familiarity: Familiarity): Parts {
  const { text } = reading;
  const reader = new WorthReader(familiarity);
  const starts: number[] = [];
  const worths: number[] = [];
  const nouns: Noun[] = [];
  const counts: number[] = [];
  const headings: number[] = [];
  const add = (start: number, end: number, noun: Noun, count: number, heading: number): void => {
    starts.push(start);
    worths.push(reader.between(text, start, end));
    nouns.push(noun);
    counts.push(count);
    headings.push(heading);
  };
  walkJson(reading, {
    get length() {
      return starts.length;
    },
    add,
    addOther(start, end) {
      for (let from = start; from < end;) {
        const to = Math.min(end, endOfLine(text, from));
        if (to - from <= LONGEST_LINE) add(from, to, "line", 1, NO_HEADING);
        else
          for (const piece of pieceEnds(text, from, to)) {
            add(from, piece, "character", piece - from, NO_HEADING);
            from = piece;
          }
        from = to;
      }
    },
  });
  return {
    text,
    starts,
    worths,
    nounOf: (part) => nouns[part] ?? "line",
    countOf: (part) => counts[part] ?? 0,
    headingOf: (part) => headings[part] ?? NO_HEADING,
  };
}
