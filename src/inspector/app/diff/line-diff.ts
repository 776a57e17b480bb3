import { diffArrays, diffWordsWithSpace } from "diff";

/** A stretch of two texts: lines that are equal, or lines of the left and their replacement on the right. */
export interface Hunk {
  readonly isSame: boolean;
  /** The first line and the number of lines, on either side. */
  readonly left: number;
  readonly leftLines: number;
  readonly right: number;
  readonly rightLines: number;
  /** Which characters differ, if few lines were changed. */
  readonly words?: readonly WordPair[];
}

/** Two lines side by side, in parts. */
export interface WordPair {
  readonly left: readonly WordPart[];
  readonly right: readonly WordPart[];
}

export interface WordPart {
  readonly text: string;
  readonly isChanged: boolean;
}

export type DiffResult = { readonly hunks: readonly Hunk[] } | { readonly tooLarge: true };

const TIMEOUT_MS = 2_000;
const MOST_WORD_CHARS = 20_000;

/** Compares by line, ignoring surrounding space, because line numbers often lose their padding. A few changed lines are also compared by word. */
export function diffLines(left: string, right: string): DiffResult {
  const [leftLines, rightLines] = [left.split("\n"), right.split("\n")];
  const changes = diffArrays(leftLines.map(plain), rightLines.map(plain), { timeout: TIMEOUT_MS });
  // Undefined if it took too long.
  if (changes === undefined) return { tooLarge: true };
  const hunks: Hunk[] = [];
  let [l, r] = [0, 0];
  for (const { added, removed, value } of changes) {
    const count = value.length;
    const last = hunks.at(-1);
    if (!added && !removed) {
      hunks.push({ isSame: true, left: l, leftLines: count, right: r, rightLines: count });
      l += count;
      r += count;
    } else if (last !== undefined && !last.isSame) {
      hunks[hunks.length - 1] = { ...last, leftLines: last.leftLines + (removed ? count : 0), rightLines: last.rightLines + (added ? count : 0) };
      if (removed) l += count;
      else r += count;
    } else {
      hunks.push({ isSame: false, left: l, leftLines: removed ? count : 0, right: r, rightLines: added ? count : 0 });
      if (removed) l += count;
      else r += count;
    }
  }
  const changedChars = hunks.reduce(
    (sum, hunk) => (hunk.isSame ? sum : sum + charsOf(leftLines, hunk.left, hunk.leftLines) + charsOf(rightLines, hunk.right, hunk.rightLines)),
    0,
  );
  return { hunks: changedChars > MOST_WORD_CHARS ? hunks : hunks.map((hunk) => withWords(hunk, leftLines, rightLines)) };
}

function plain(line: string): string {
  return line.trim();
}

function charsOf(lines: readonly string[], from: number, count: number): number {
  let chars = 0;
  for (let at = from; at < from + count; at++) chars += lines[at]?.length ?? 0;
  return chars;
}

/** Compares by word where N lines replace N lines, and only while most of each line is the same. */
function withWords(hunk: Hunk, left: readonly string[], right: readonly string[]): Hunk {
  if (hunk.isSame || hunk.leftLines !== hunk.rightLines || hunk.leftLines > 40) return hunk;
  const words = Array.from({ length: hunk.leftLines }, (_, number): WordPair | undefined => {
    const parts = diffWordsWithSpace(left[hunk.left + number] ?? "", right[hunk.right + number] ?? "");
    const same = parts.reduce((sum, part) => (part.added || part.removed ? sum : sum + part.value.trim().length), 0);
    const all = parts.reduce((sum, part) => sum + part.value.trim().length, 0);
    if (same * 3 < all) return undefined;
    return {
      left: parts.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, isChanged: removed })),
      right: parts.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, isChanged: added })),
    };
  });
  return words.every((pair) => pair !== undefined) ? { ...hunk, words } : hunk;
}
