import type { Block } from "./message.ts";

/** The fields that hold the words of blocks which are not text: `{ type: "refusal", refusal }`, `{ type: "audio", transcript }`. */
const WORD_FIELDS = ["refusal", "transcript"] as const;

/** What a block says that is not text: `[refusal] I cannot help with that.`; of one that says nothing, its type. */
export function labelledWords(block: Block, type: string = block.type): string {
  const words = wordsIn(block);
  return words === "" ? `[${type}]` : `[${type}] ${words}`;
}

/** The words of a block that is not text: of a refusal, or of audio with its transcript. "": it has none. */
export function wordsIn(block: Block): string {
  const fields = block as Block & Readonly<Record<string, unknown>>;
  const words = WORD_FIELDS.map((field) => fields[field]).find((value) => typeof value === "string");
  return typeof words === "string" ? words : "";
}
