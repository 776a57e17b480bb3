import type { Familiarity } from "../content/words/known-words.ts";
import { AGAIN, NEW } from "../content/words/word-worths.ts";

/** For a text without a conversation: a word is known only after its first occurrence in the text. */
export function ownWords(): Familiarity {
  const seen = new Set<number>();
  return {
    standingOf: (word) => {
      if (seen.has(word)) return AGAIN;
      seen.add(word);
      return NEW;
    },
    lines: undefined,
  };
}
