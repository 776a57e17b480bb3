/** Bidirectional control marks and invisible characters, which are shown by number. */
const INVISIBLE = /(?![\t\n])\p{Cc}|[\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Cs}/gu;

/** Escapes markup, and the characters that could reverse the direction of the text around them. */
export function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
    .replace(INVISIBLE, (character) => `<i>U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}</i>`);
}

/** The same for an attribute, where no element is possible. */
export function escapeAttribute(text: string): string {
  return text.replace(INVISIBLE, "\ufffd").replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
