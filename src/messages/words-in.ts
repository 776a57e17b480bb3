import type { Block } from "./message.ts";

/** Fields with words in blocks that are not text: `{ type: "refusal", refusal }`, `{ type: "audio", transcript }`. */
const WORD_FIELDS = ["refusal", "transcript"] as const;

/** Returns the label and words of a block that is not text: `[refusal] I cannot help with that.`; only its type if it has no words. */
export function labelledWords(block: Block, type: string = block.type): string {
  const words = wordsIn(block);
  return words === "" ? `[${type}]` : `[${type}] ${words}`;
}

/** Returns the words of a refusal, or of audio with a transcript; "" for other blocks. */
export function wordsIn(block: Block): string {
  const fields = block as Block & Readonly<Record<string, unknown>>;
  const words = WORD_FIELDS.map((field) => fields[field]).find((value) => typeof value === "string");
  return typeof words === "string" ? words : "";
}
