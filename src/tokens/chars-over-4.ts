/** The classic estimate: four characters a token. Fast, and far too low for CJK text, logs and base64. */
export function charsOver4(text: string): number {
  return Math.floor(text.length / 4);
}
