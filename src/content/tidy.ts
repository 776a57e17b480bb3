import type { ContentKind } from "./content-kind.ts";
import { minifyJson } from "./minify-json.ts";
import { settleProgress } from "./settle-progress.ts";
import { stripEscapes } from "./strip-escapes.ts";
import { tidyLineNumbers } from "./tidy-line-numbers.ts";
import { tidyLines } from "./tidy-lines.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";

type Tidier = (text: string) => string;

const shown: Tidier = (text) => settleProgress(stripEscapes(text));
const output: Tidier = (text) => tidyLines(shown(text), false);

/** An edit needs the exact bytes of code and of patches, so next to nothing is done to them. */
const TIDIERS: Readonly<Record<ContentKind, Tidier>> = {
  json: (text) => tidyLines(minifyJson(shown(text)), false),
  "json-lines": (text) => tidyLines(minifyJson(shown(text)), false),
  log: output,
  "test-output": output,
  diff: stripEscapes,
  html: (text) => text,
  listing: output,
  search: output,
  table: output,
  code: tidyLineNumbers,
  base64: (text) => text,
  text: (text) => tidyLines(tidyLineNumbers(shown(text)), true),
};

/** The same information in fewer tokens; the same string where that is not possible. */
export function tidy(text: string, kind: ContentKind): string {
  const tidied = shortened(text, kind);
  return tidied === text || estimateTokens(tidied) >= estimateTokens(text) ? text : tidied;
}

/** The same in fewer characters, for those who count its tokens later. */
export function shortened(text: string, kind: ContentKind): string {
  const tidied = TIDIERS[kind](text);
  return tidied.length < text.length ? tidied : text;
}

/** Has the tidied text the same words in each of its lines? */
export function hasSameLines(tidied: string, text: string, kind: ContentKind): boolean {
  if (kind === "html" || kind === "json" || kind === "json-lines") return false;
  if (tidied === text) return true;
  // Without these, only runs of lines and white space at their ends were changed.
  return !text.includes("\u001b") && !text.includes("\r") && lineBreaksIn(tidied) === lineBreaksIn(text);
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
