/** Sorts the characters of a script into letters: characters that cost about the same before and after the same neighbours share one. */
import type { ScriptPage } from "../../src/tokens/pages.ts";

export interface Pair {
  /** The previous character, as an index in the page; -1 if it is not in the page. */
  readonly before: number;
  readonly index: number;
  readonly tokens: number;
  readonly weight: number;
}

const PASSES = 12;

/** The letter of every character of the page. */
export function sortIntoLetters(pairs: readonly Pair[], { first, last, firstLetter, letters }: ScriptPage): number[] {
  const size = last - first + 1;
  // Index 0 stands for the start of a word; its letter is always 0.
  const counts = new Float64Array((size + 1) ** 2);
  const tokens = new Float64Array((size + 1) ** 2);
  const total = new Float64Array(size + 1);
  for (const pair of pairs) {
    const cell = (pair.before + 1) * (size + 1) + pair.index + 1;
    counts[cell] = (counts[cell] ?? 0) + pair.weight;
    tokens[cell] = (tokens[cell] ?? 0) + pair.weight * pair.tokens;
    total[pair.index + 1] = (total[pair.index + 1] ?? 0) + pair.weight;
  }
  // Initially, the most frequent characters have a letter each, and the others share the last.
  const byFrequency = Array.from({ length: size }, (_, index) => index + 1).sort((a, b) => (total[b] ?? 0) - (total[a] ?? 0) || a - b);
  const letterOf = new Uint8Array(size + 1);
  for (const [rank, index] of byFrequency.entries()) letterOf[index] = Math.min(letters, rank + 1);
  const seen = byFrequency.filter((index) => (total[index] ?? 0) > 0);
  for (let pass = 0, moved = true; pass < PASSES && moved; pass++) {
    moved = false;
    for (const index of seen) {
      const best = bestLetter(index, { counts, tokens, letterOf, size, letters });
      moved ||= best !== letterOf[index];
      letterOf[index] = best;
    }
  }
  return Array.from(letterOf.subarray(1), (letter) => firstLetter + letter - 1);
}

interface Sorting {
  readonly counts: Float64Array;
  readonly tokens: Float64Array;
  readonly letterOf: Uint8Array;
  readonly size: number;
  readonly letters: number;
}

/** Returns the letter whose prices come closest to the costs of this character's pairs. */
function bestLetter(index: number, { counts, tokens, letterOf, size, letters }: Sorting): number {
  const side = letters + 1;
  const blockCounts = new Float64Array(side * side);
  const blockTokens = new Float64Array(side * side);
  const add = (block: number, cell: number, target: readonly [Float64Array, Float64Array]): void => {
    target[0][block] = (target[0][block] ?? 0) + (counts[cell] ?? 0);
    target[1][block] = (target[1][block] ?? 0) + (tokens[cell] ?? 0);
  };
  const after = [new Float64Array(side), new Float64Array(side)] as const;
  const before = [new Float64Array(side), new Float64Array(side)] as const;
  for (let a = 0; a <= size; a++) {
    for (let b = 1; b <= size; b++) {
      const cell = a * (size + 1) + b;
      if (counts[cell] === 0) continue;
      if (a === index && b === index) continue;
      if (b === index) add(letterOf[a] ?? 0, cell, before);
      else if (a === index) add(letterOf[b] ?? 0, cell, after);
      else add((letterOf[a] ?? 0) * side + (letterOf[b] ?? 0), cell, [blockCounts, blockTokens]);
    }
  }
  // The sum of squares around means falls by (sum of tokens)² / count; only the blocks of this letter change.
  const gain = (letter: number): number => {
    let sum = 0;
    for (let other = 0; other < side; other++) {
      for (const [block, pairs] of [
        [other * side + letter, before],
        [letter * side + other, after],
      ] as const) {
        const [count, token] = [blockCounts[block] ?? 0, blockTokens[block] ?? 0];
        const [moreCount, moreToken] = [pairs[0][other] ?? 0, pairs[1][other] ?? 0];
        sum += (token + moreToken) ** 2 / Math.max(1e-9, count + moreCount) - token ** 2 / Math.max(1e-9, count);
      }
    }
    return sum;
  };
  let best = letterOf[index] ?? 1;
  for (let letter = 1; letter <= letters; letter++) if (gain(letter) > gain(best) + 1e-9) best = letter;
  return best;
}
