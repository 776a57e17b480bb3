import { hash64 } from "../edits/edit-id.ts";

const LABEL_LENGTH = 8;

/**
 * Returns a label that occurs in none of the texts, so that none of them can contain a line fenced with it. The same texts get the same label.
 * It is derived from the texts, so that nobody can write a text full of labels to skip.
 */
export function labelFor(texts: readonly string[]): string {
  const seed = texts.map((text) => hash64(text)).join("|");
  return firstAbsent(texts, (attempt) =>
    BigInt(`0x${hash64(`${seed}|${attempt}`)}`)
      .toString(36)
      .slice(-LABEL_LENGTH),
  );
}

/** Returns the first label that occurs in none of the texts. */
export function firstAbsent(texts: readonly string[], labelOf: (attempt: number) => string): string {
  for (let attempt = 0; ; attempt++) {
    const label = labelOf(attempt);
    if (!texts.some((text) => text.includes(label))) return label;
  }
}

/** Returns the beginning of a line that only we can write. */
export function fence(label: string): string {
  return `§${label}`;
}
