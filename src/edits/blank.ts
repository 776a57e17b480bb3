/** Shown where the replacement is empty: no provider accepts an empty block (A1.5, A1.6, A2.11). */
export const EMPTY = "[empty]";

/** Most texts show it in their first character; the others get a pattern, because `trim` would copy a long text. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > 0x20 && first < 0x7f) && !/\S/.test(text);
}
