/** The share of a word that may be mistyped: one letter in three. */
const MISTYPED_SHARE = 1 / 3;
/** Longer than any name. */
const MOST_CHARACTERS = 64;

/** Returns the name that was probably meant; undefined if none is near. */
export function nearestName(given: unknown, names: readonly string[]): string | undefined {
  if (typeof given !== "string" || given.length > MOST_CHARACTERS) return undefined;
  let nearest: string | undefined;
  let least = Infinity;
  for (const name of names) {
    const distance = distanceOf(given.toLowerCase(), name.toLowerCase());
    if (distance < least && distance <= Math.max(1, Math.floor(name.length * MISTYPED_SHARE))) [nearest, least] = [name, distance];
  }
  return nearest;
}

/** Counts the characters to add, remove or change (Levenshtein distance). */
function distanceOf(word: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let index = 0; index < word.length; index++) {
    const next = [index + 1];
    for (let column = 0; column < other.length; column++) {
      const changed = (row[column] ?? 0) + (word[index] === other[column] ? 0 : 1);
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
