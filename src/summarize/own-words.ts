import type { Familiarity } from "../content/words/known-words.ts";
import { AGAIN, NEW } from "../content/words/word-worths.ts";

/** For a text that stands alone: only its own words are known, from where they first stand on. */
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
