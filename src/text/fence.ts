import { hash64 } from "../edits/edit-id.ts";

const LABEL_LENGTH = 8;

/**
 * A label that occurs in none of the texts, so that none of them can hold a line that is fenced with it. The same texts get the same label.
 * It is made from the texts, so that no text can be full of labels that have to be passed over.
 */
export function labelFor(texts: readonly string[]): string {
  const seed = texts.map((text) => hash64(text)).join("|");
  return firstAbsent(texts, (attempt) =>
    BigInt(`0x${hash64(`${seed}|${attempt}`)}`)
      .toString(36)
      .slice(-LABEL_LENGTH),
  );
}

/** Returns the first label that is in none of the texts. */
export function firstAbsent(texts: readonly string[], labelOf: (attempt: number) => string): string {
  for (let attempt = 0; ; attempt++) {
    const label = labelOf(attempt);
    if (!texts.some((text) => text.includes(label))) return label;
  }
}

/** What a line begins with that only we can write. */
export function fence(label: string): string {
  return `§${label}`;
}
