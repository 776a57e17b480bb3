/** Checks the relative links of all pages: the file and the heading must exist. Links to other sites are not followed. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { anchorsOf, linesWithoutCode, pagesOf } from "./markdown.ts";

const LINKS: readonly RegExp[] = [
  /!?\[(?:[^\][]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g,
  /^\s*\[[^\]]+\]:\s*<?([^\s>]+)>?/g,
  /<(?:a|img|source)\b[^>]*?\s(?:href|src|srcset)="([^"]+)"/g,
];
const ELSEWHERE = /^[a-z][a-z+.-]*:|^\/\//i;

export function linkFaults(root: string): string[] {
  return pagesOf(root).flatMap((page) => linkFaultsIn(readFileSync(join(root, page), "utf8"), page, root));
}

/** Returns one line for every broken link of a page. */
export function linkFaultsIn(text: string, page: string, root: string): string[] {
  return linesWithoutCode(text).flatMap((line, number) => {
    const read = line.replace(/(`+)[^`].*?\1/g, (code) => " ".repeat(code.length));
    return LINKS.flatMap((pattern) => [...read.matchAll(pattern)])
      .map(([, target = ""]) => target)
      .filter((target) => !ELSEWHERE.test(target))
      .flatMap((target) => {
        const fault = faultOf(target, text, page, root);
        return fault === undefined ? [] : [`${page}:${number + 1}: ${target}: ${fault}`];
      });
  });
}

function faultOf(target: string, text: string, page: string, root: string): string | undefined {
  const [path = "", anchor = ""] = target.split("#").map(decodeURIComponent);
  if (path.startsWith("/")) return "expected a path relative to the page";
  const file = path === "" ? page : normalize(join(dirname(page), path));
  const full = join(root, file);
  if (relative(root, full).startsWith("..")) return "leads out of the repository";
  if (path !== "" && !existsSync(full)) return `there is no ${file.replaceAll("\\", "/")}`;
  if (anchor === "" || !file.endsWith(".md") || (path !== "" && statSync(full).isDirectory())) return undefined;
  const anchors = anchorsOf(path === "" ? text : readFileSync(full, "utf8"));
  return anchors.has(anchor) ? undefined : `there is no heading #${anchor}`;
}
