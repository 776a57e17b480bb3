/** Marks that turn the direction of text, and characters that cannot be seen: shown by their number. */
const INVISIBLE = /(?![\t\n])\p{Cc}|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** Text for a page: never markup, and with nothing in it that could turn what stands beside it around. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
    .replace(INVISIBLE, (character) => `<i>U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}</i>`);
}

/** The same where no element can stand. */
export function escapeAttribute(text: string): string {
  return text.replace(INVISIBLE, "\ufffd").replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
