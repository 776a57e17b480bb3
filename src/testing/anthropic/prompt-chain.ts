import { createHash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** The hash of a growing list; equal for equal lists only. */
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
