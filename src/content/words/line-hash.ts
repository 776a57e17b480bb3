/** A line with fewer words is never known again. */
export const FEWEST_WORDS = 3;

/** What makes a line the same as another: its words, in their order. */
export function addToHash(hash: number, word: number): number {
  return (Math.imul(hash, 0x85ebca6b) + word) | 0;
}

/** Behind `12→`, `12\t` or `12: `, as tools number the lines of a file; otherwise the start. */
export function behindLineNumber(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && text.charCodeAt(at) === 0x20) at++;
  const first = at;
  for (let code = text.charCodeAt(at); at < end && code >= 0x30 && code <= 0x39; code = text.charCodeAt(at)) at++;
  if (at === first || at >= end) return start;
  const code = text.charCodeAt(at);
  if (code === 0x2192 || code === 0x09) return at + 1;
  if (code !== 0x3a) return start;
  return text.charCodeAt(at + 1) === 0x20 ? at + 2 : at + 1;
}
