/** Line numbers from 1, both inclusive. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** A line that contains only the name of a stream: `stderr:`, `<stderr>`, `--- STDERR ---`. */
const MARK = /^[^\w\n]{0,9}(stdout|stderr|exit code)[^\w\n]{0,9}$/i;
const LONGEST_MARK = 40;

/** Returns the lines below the first mark of the stream, up to the next mark. Undefined if the text does not mark its streams. */
export function streamIn(text: string, stream: "stdout" | "stderr"): LineRange | undefined {
  let from: number | undefined;
  let line = 1;
  for (let start = 0; start < text.length; line++) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at;
    const name = end - start > LONGEST_MARK ? undefined : MARK.exec(text.slice(start, end).trim())?.[1]?.toLowerCase();
    if (name !== undefined && from !== undefined) return range(from, line - 1);
    if (name === stream) from = line + 1;
    start = end + 1;
  }
  return from === undefined ? undefined : range(from, line - 1);
}

function range(from: number, to: number): LineRange | undefined {
  return from > to ? undefined : { from, to };
}
