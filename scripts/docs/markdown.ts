/** The part of Markdown that the documentation checks need. */
import { globSync } from "node:fs";

const PAGES = ["*.md", "{docs,bench,examples,assets,.github}/**/*.md"];
const NOT_OURS = /(^|\/)(node_modules|corpus|results)\//;

/** Returns the pages of the project, by their paths below `root`. */
export function pagesOf(root: string): string[] {
  return globSync(PAGES, { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !NOT_OURS.test(file))
    .sort();
}

/** Returns the lines of a page. Lines of code blocks are empty, so that line numbers stay the same. */
export function linesWithoutCode(text: string): string[] {
  let fence: string | undefined;
  return text.split("\n").map((line) => {
    const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
    if (fence === undefined && mark === undefined) return line;
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) === true) fence = undefined;
    return "";
  });
}

/** Returns the ids of headings, generated as on GitHub or explicit. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const line of linesWithoutCode(text)) {
    const [, title] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (title !== undefined) anchors.add(unique(slugOf(title), anchors));
    for (const [, id = ""] of line.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id);
  }
  return anchors;
}

/** As on GitHub: removes markup and punctuation; spaces become hyphens. */
function slugOf(title: string): string {
  return title
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*`]|<[^>]*>/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");
}

function unique(slug: string, taken: ReadonlySet<string>): string {
  if (!taken.has(slug)) return slug;
  let number = 1;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
