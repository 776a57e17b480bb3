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
  const tidied = TIDIERS[kind](text);
  return tidied === text || estimateTokens(tidied) >= estimateTokens(text) ? text : tidied;
}
