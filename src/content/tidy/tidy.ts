import type { ContentKind } from "../kinds/kind-of.ts";
import { minifyJson, type JsonReading } from "../documents/read-json.ts";
import { settleProgress } from "./settle-progress.ts";
import { stripEscapes } from "./strip-escapes.ts";
import { tidyLineNumbers } from "./tidy-line-numbers.ts";
import { tidyLines } from "./tidy-lines.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";

export interface Tidied {
  readonly text: string;
  /** The JSON reading, so that it need not be done again. */
  readonly json?: JsonReading;
}

type Tidier = (text: string) => string;

const shown: Tidier = (text) => settleProgress(stripEscapes(text));
const output: Tidier = (text) => tidyLines(shown(text), false);

/** An edit needs the exact bytes of code and patches, so they are hardly changed. */
const TIDIERS: Readonly<Record<Exclude<ContentKind, "json" | "json-lines">, Tidier>> = {
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

function tidyJson(text: string): Tidied {
  const json = minifyJson(shown(text));
  const tidied = tidyLines(json.text, false);
  return tidied === json.text ? { text: tidied, json } : { text: tidied };
}

/** Returns the same information in fewer tokens; the same string if that is not possible. */
export function tidy(text: string, kind: ContentKind): string {
  const tidied = shortened(text, kind).text;
  return tidied === text || estimateTokens(tidied) >= estimateTokens(text) ? text : tidied;
}

/** Returns the same information in fewer characters, for callers that count tokens later. */
export function shortened(text: string, kind: ContentKind): Tidied {
  const tidied = kind === "json" || kind === "json-lines" ? tidyJson(text) : { text: TIDIERS[kind](text) };
  return tidied.text === text || tidied.text.length < text.length ? tidied : { text };
}

/** Says whether each line of the tidied text has the same words as before. */
export function hasSameLines(tidied: string, text: string, kind: ContentKind): boolean {
  if (kind === "html" || kind === "json" || kind === "json-lines") return false;
  if (tidied === text) return true;
  // Without these, only runs of lines and trailing white space were changed.
  return !text.includes("\u001b") && !text.includes("\r") && lineBreaksIn(tidied) === lineBreaksIn(text);
}

function lineBreaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
