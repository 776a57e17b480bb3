import type { ComponentChildren } from "preact";

/** Invisible characters and bidirectional control marks: a reader would see only their effect. */
const HIDDEN = /(?![\t\n])\p{Cc}|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** Returns text of a conversation as text nodes, with hidden characters shown by number. */
export function visible(text: string): ComponentChildren {
  // Not `test`: that would move `lastIndex` of the global expression.
  if (text.search(HIDDEN) === -1) return text;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(HIDDEN)) {
    if (index > from) parts.push(text.slice(from, index));
    const name = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    parts.push(
      <span class="cp" title="An invisible character">
        {name}
      </span>,
    );
    from = index + character.length;
    // A reader does not need to see thousands of them one by one.
    if (parts.length > 400) break;
  }
  parts.push(text.slice(from));
  return parts;
}
