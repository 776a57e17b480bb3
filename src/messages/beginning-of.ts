/** Returns the first characters of a text; one less if the cut would split a surrogate pair. */
export function beginningOf(text: string, characters: number): string {
  if (characters >= text.length) return text;
  const last = text.charCodeAt(characters - 1);
  const next = text.charCodeAt(characters);
  const splitsPair = last >= 0xd800 && last <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
  return text.slice(0, splitsPair ? characters - 1 : characters);
}
