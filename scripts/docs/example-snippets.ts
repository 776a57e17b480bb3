/** The snippets of README and guides: each is a region of a file in `examples/` that runs in the test suite. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { editPicture } from "./edit-pictures.ts";
import { presetsTable } from "./presets-table.ts";

/** On these pages every block of TypeScript must come from an example. */
const PAGES = ["README.md", "docs/concepts.md", "docs/presets.md", "docs/guide/*.md"];

const SNIPPET = /^<!-- example: (\S+?)(?:#(\S+))? -->\n\n?(```+)(\w+)\n[\s\S]*?\n?\3$/gm;
const PICTURE = /^<!-- picture: (\S+) -->\n\n?```text\n[\s\S]*?\n?```$/gm;
const TABLE = /^<!-- table: presets -->\n(?:\n?\|.*)+/gm;
const REGION = /^\s*(?:\/\/|#) #region (\S+)$/;
const END = /^\s*(?:\/\/|#) #endregion$/;

export function pagesWithSnippets(root: string): string[] {
  return globSync(PAGES, { cwd: root })
    .map((page) => page.replaceAll("\\", "/"))
    .sort();
}

/** Returns the page with its snippets, pictures and tables brought up to date. Throws if an example does not exist. */
export function withSnippets(text: string, root: string): string {
  const drawn = text.replaceAll(PICTURE, (_all, kind: string) => [`<!-- picture: ${kind} -->`, "", "```text", editPicture(kind), "```"].join("\n"));
  const written = drawn.replaceAll(TABLE, () => `<!-- table: presets -->\n\n${presetsTable()}`);
  return written.replaceAll(SNIPPET, (_all, file: string, region: string | undefined, fence: string, language: string) => {
    const path = join(root, file);
    if (!file.startsWith("examples/") || !existsSync(path)) throw new Error(`there is no example ${file}`);
    const code = regionOf(readFileSync(path, "utf8"), region, file);
    return [`<!-- example: ${file}${region === undefined ? "" : `#${region}`} -->`, "", `${fence}${language}`, code, fence].join("\n");
  });
}

/** Returns one line for every block of TypeScript without an example. */
export function snippetFaults(text: string, page: string): string[] {
  const rest = text.replaceAll(SNIPPET, (all) => "\n".repeat(all.split("\n").length - 1));
  return rest.split("\n").flatMap((line, number) => (/^```+(ts|tsx|js|typescript)\b/.test(line) ? [`${page}:${number + 1}: comes from no example`] : []));
}

/** Returns the content of a region, which may have several parts between `#region name` and `#endregion`, or the whole file without marks. */
export function regionOf(source: string, region: string | undefined, file: string): string {
  const lines = source.replaceAll("\r\n", "\n").trimEnd().split("\n");
  const parts = region === undefined ? [lines] : partsOf(lines, region, file);
  return parts
    .map((part) => outdented(part.filter((line) => !REGION.test(line) && !END.test(line))).join("\n"))
    .join("\n")
    .trim();
}

function partsOf(lines: readonly string[], region: string, file: string): readonly (readonly string[])[] {
  const starts = lines.flatMap((line, number) => (REGION.exec(line)?.[1] === region ? [number + 1] : []));
  if (starts.length === 0) throw new Error(`${file} has no region ${region}`);
  return starts.map((start) => {
    const length = lines.slice(start).findIndex((line) => END.test(line));
    if (length === -1) throw new Error(`${file}: region ${region} has no end`);
    return lines.slice(start, start + length);
  });
}

function outdented(lines: readonly string[]): readonly string[] {
  const indent = Math.min(...lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length));
  return lines.map((line) => line.slice(indent));
}
