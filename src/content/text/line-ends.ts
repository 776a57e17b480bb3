/** Behind the line break, or at the end of the text. */
export function endOfLine(text: string, start: number): number {
  const at = text.indexOf("\n", start);
  return at < 0 ? text.length : at + 1;
}

/** Before its line break. */
export function endOfBody(text: string, start: number, end: number): number {
  let body = end;
  if (body > start && text.charCodeAt(body - 1) === 0x0a) {
    body--;
    if (body > start && text.charCodeAt(body - 1) === 0x0d) body--;
  }
  return body;
}
