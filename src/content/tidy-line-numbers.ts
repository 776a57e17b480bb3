import { endOfLine } from "./line-units.ts";
import { TextWriter } from "./text-writer.ts";

const PADDED_NUMBER = /( *)(\d{1,9})(?:→|\t)/y;

/**
 * The numbers that a tool writes before the lines of a file, without the spaces before them.
 *
 *     before: "     9→a\n    10→  b\n"
 *     after:  "9→a\n10→  b\n"
 *
 * Only lines that are numbered one after the other: in others the spaces may be the text's own.
 */
export function tidyLineNumbers(text: string): string {
  const writer = new TextWriter(text);
  let isRun = false;
  let line = numberedAt(text, 0);
  for (let start = 0; start < text.length;) {
    const end = endOfLine(text, start);
    const next = numberedAt(text, end);
    const goesOn = line !== undefined && next?.number === line.number + 1;
    if (line !== undefined && (isRun || goesOn)) writer.remove(start, start + line.padding);
    isRun = goesOn;
    line = next;
    start = end;
  }
  return writer.end();
}

function numberedAt(text: string, start: number): { readonly padding: number; readonly number: number } | undefined {
  PADDED_NUMBER.lastIndex = start;
  const found = PADDED_NUMBER.exec(text);
  return found === null ? undefined : { padding: found[1]?.length ?? 0, number: Number(found[2]) };
}
