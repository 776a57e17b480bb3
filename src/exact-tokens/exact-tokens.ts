import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

/** Text that looks like a special token is plain text, not an error. */
const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };

/**
 * A tokenizer joins bytes within a run of letters, marks or white space, in time quadratic in its length: 100,000 equal signs take
 * twenty seconds. Runs in ordinary text are far shorter than this.
 */
const LONGEST_RUN = 1_024;
const RUNS = /[\p{L}\p{M}]+|[^\s\p{L}\p{M}\p{N}]+|\s+/gu;

/** Counts the o200k tokens of a text. Runs over 1,024 characters are counted in parts, with an error of at most one token per part. */
export function exactTokens(text: string): number {
  let tokens = 0;
  let counted = 0;
  for (const cut of cutsOf(text)) {
    tokens += countTokens(text.slice(counted, cut), PLAIN_TEXT);
    counted = cut;
  }
  return tokens + countTokens(text.slice(counted), PLAIN_TEXT);
}

function* cutsOf(text: string): Generator<number> {
  if (text.length <= LONGEST_RUN) return;
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    let cut = 0;
    while (run.length - cut > LONGEST_RUN) {
      cut += isHighSurrogate(run.charCodeAt(cut + LONGEST_RUN - 1)) ? LONGEST_RUN - 1 : LONGEST_RUN;
      yield index + cut;
    }
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}
