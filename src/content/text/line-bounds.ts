/** Returns the position after the line break, or the end of the text. */
export function endOfLine(text: string, start: number): number {
  const at = text.indexOf("\n", start);
  return at < 0 ? text.length : at + 1;
}

/** Returns the position before the line break. */
export function endOfBody(text: string, start: number, end: number): number {
  let body = end;
  if (body > start && text.charCodeAt(body - 1) === 0x0a) {
    body--;
    if (body > start && text.charCodeAt(body - 1) === 0x0d) body--;
  }
  return body;
}

/** Returns the position after a line number (`12→`, `12\t` or `12: `, as tools write it), or the start if there is none. */
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
