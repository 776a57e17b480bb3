import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** Hash of a list that grows: equal exactly for equal lists. */
export interface PromptChain {
  add(piece: unknown): string;
  value(): string;
}

export function createPromptChain(start: unknown): PromptChain {
  let value = "";
  const add = (piece: unknown): string => (value = createHash("sha256").update(value).update(canonicalJson(piece)).digest("base64"));
  add(start);
  return { add, value: () => value };
}
