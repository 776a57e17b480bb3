import type { ResultHints } from "../calls/result-hints.ts";
import { JsonScanner } from "../documents/json-scanner.ts";
import { LineSigns, shareOfNumbered, shareOfRows, withoutNumber } from "./line-signs.ts";
import { afterHarnessLines, sampleLines } from "./sample-lines.ts";

/** The kind of a tool result's text, which decides how it is shortened. */
export type ContentKind = "json" | "json-lines" | "log" | "test-output" | "diff" | "html" | "listing" | "search" | "table" | "code" | "base64" | "text";

const KIND_BY_EXTENSION: Readonly<Record<string, ContentKind>> = {
  md: "text",
  mdx: "text",
  txt: "text",
  rst: "text",
  adoc: "text",
  csv: "table",
  tsv: "table",
  log: "log",
  diff: "diff",
  patch: "diff",
};

/** The number of characters that are checked for JSON. */
const JSON_SAMPLE = 4000;
/** The largest gap between two documents of JSON lines. */
const LONGEST_GAP = 20;

/** Tells the kind of a tool's output from a sample and from the call. The content of a file is "code" or "text", even if it is JSON or HTML. */
export function kindOf(text: string, hints: ResultHints): ContentKind {
  const start = afterHarnessLines(text);
  const json = hints.isFileRead ? undefined : jsonKind(text, start);
  return json ?? kindByLines(sampleLines(text, start), hints);
}

function kindByLines(lines: readonly string[], hints: ResultHints): ContentKind {
  if (lines.length === 0) return "text";
  if (!hints.isSearch && shareOfNumbered(lines) > 0.6) return kindByName(hints) ?? fileKind(new LineSigns(lines.map(withoutNumber)));
  const signs = new LineSigns(lines);
  if (hints.isFileRead) return hints.extension === "" && signs.isAbove(0.8, "entry") ? "listing" : (kindByName(hints) ?? fileKind(signs));
  return outputKind(lines, signs, hints);
}

function kindByName({ extension }: ResultHints): ContentKind | undefined {
  if (Object.hasOwn(KIND_BY_EXTENSION, extension)) return KIND_BY_EXTENSION[extension];
  return extension === "" ? undefined : "code";
}

function fileKind(signs: LineSigns): ContentKind {
  if (signs.isAbove(0, "hunk") && signs.isAbove(0, "diff")) return "diff";
  return signs.shareOf("prose") > signs.shareOf("code") ? "text" : "code";
}

/** Checks only the beginning of the text for JSON. */
function jsonKind(text: string, start: number): ContentKind | undefined {
  const first = text.charCodeAt(start);
  if (first !== 0x7b && first !== 0x5b) return undefined;
  const end = start + JSON_SAMPLE;
  const scanner = new JsonScanner(text, start);
  let token = scanner.next();
  while (token !== "end" && token !== "fault" && scanner.end < end) token = scanner.next();
  if (token === "fault") return end < text.length && isCutToken(text.slice(scanner.start, end)) ? "json" : undefined;
  return token === "end" && /^\s*\n\s*[{[]/.test(text.slice(scanner.end, scanner.end + LONGEST_GAP)) ? "json-lines" : "json";
}

/** Says whether `rest` is the beginning of a token. If not, the text begins as JSON and goes on as something else. */
function isCutToken(rest: string): boolean {
  return /^(?:"(?:[^"\\]|\\.)*\\?|[\w.+-]*)$/.test(rest);
}

function outputKind(lines: readonly string[], signs: LineSigns, hints: ResultHints): ContentKind {
  if (signs.isAbove(0.6, "data")) return "base64";
  if (/^\s*(?:<!doctype html|<html)/i.test(lines[0] ?? "") || signs.isAbove(0.6, "tag")) return "html";
  if (signs.isAbove(0, "hunk") && (signs.isAbove(0, "diff") || hints.isDiff)) return "diff";
  if (signs.isAbove(hints.isTest ? 0.02 : 0.2, "test") && !hints.isSearch) return "test-output";
  if (signs.isAbove(0.3, "log") && !hints.isSearch) return "log";
  if (signs.isAbove(hints.isSearch ? 0.3 : 0.6, "hit")) return "search";
  if (signs.isAbove(hints.isListing ? 0.4 : 0.7, "entry")) return "listing";
  if (signs.isAbove(0.4, "code") && signs.shareOf("code") > signs.shareOf("prose")) return "code";
  if (shareOfRows(lines) > 0.7) return "table";
  if (hints.isSearch && signs.isAbove(0.1, "hit")) return "search";
  return hints.programs.length > 0 && !signs.isAbove(0.5, "prose") ? "log" : "text";
}
