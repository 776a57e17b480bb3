/** Splits text into pieces for a stream, without splitting a character. */
export function piecesOfText(text: string, most = 4): readonly string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / most));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) => characters.slice(index * size, (index + 1) * size).join(""));
}
