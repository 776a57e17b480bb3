/** `src/a.ts:12:`, `src/a.ts-13-` and `src/a.ts:12` at the start of a line. */
const HIT = /^((?:[A-Za-z]:)?[^\s:]*[./\\][^\s:]*?)[:-](\d{1,9})(?:[:|-]|$)/;
/** `12:` or `Line 12:` below a line that is a file name. */
const HIT_BELOW = /^\s*(?:Line )?(\d{1,9})[:-]/;
/** A closing tag is not a path. */
const PATH = /(?<![<\w])(?:[\w@.~+-]*[/\\])+[\w@.+-]+|(?<!\w)[\w@+-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,7}/g;
const NUMBERED_PATH = /^[:(](\d{1,9})/;
/** Only the start of a longer line is searched for file names. */
const LONGEST_LINE = 1000;

/** Lists the files that a text names, one per line, in order of appearance; on request with their line numbers. */
export function namedFiles(text: string, withLines: boolean): string {
  const linesByFile = new Map<string, Set<string>>();
  const add = (file: string, line: string | undefined): void => {
    const lines = linesByFile.get(file) ?? new Set();
    linesByFile.set(file, lines);
    if (line !== undefined) lines.add(line);
  };
  let above: string | undefined;
  for (let start = 0; start < text.length;) {
    const at = text.indexOf("\n", start);
    const end = at < 0 ? text.length : at;
    const line = text.slice(start, Math.min(end, start + LONGEST_LINE));
    start = end + 1;
    const [, file, number] = HIT.exec(line) ?? [];
    if (file !== undefined) {
      add(file, number);
      continue;
    }
    const below = above === undefined ? undefined : HIT_BELOW.exec(line)?.[1];
    if (above !== undefined && below !== undefined) {
      add(above, below);
      continue;
    }
    const named = [...line.matchAll(PATH)];
    for (const { 0: path, index } of named) add(path, NUMBERED_PATH.exec(line.slice(index + path.length, index + path.length + 12))?.[1]);
    if (line.trim() !== "") above = named.length === 1 && line.trim().replace(/:$/, "") === named[0]?.[0] ? named[0][0] : undefined;
  }
  return [...linesByFile].map(([file, lines]) => `${file}${withLines && lines.size > 0 ? `:${[...lines].join(",")}` : ""}\n`).join("");
}
