import type { ComponentChildren } from "preact";

/** Characters that cannot be seen, and marks that turn the direction of text: of these, a reader would see only what they do. */
const HIDDEN = /(?![\t\n])\p{Cc}|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** Text from a conversation: text nodes only, with what is hidden in it named by its number. */
export function visible(text: string): ComponentChildren {
  // Not `test`: that would leave the expression in the middle of the text.
  if (text.search(HIDDEN) === -1) return text;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > from) parts.push(text.slice(from, index));
    const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    parts.push(
      <span class="cp" title="A character that cannot be seen">
        {name}
      </span>,
    );
    from = index + character.length;
    // Of thousands in a row, a reader needs no more than that they are there.
    if (parts.length > 400) break;
  }
  parts.push(text.slice(from));
  return parts;
}
