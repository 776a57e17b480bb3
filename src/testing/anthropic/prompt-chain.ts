import { hash } from "node:crypto";
import { canonicalJson } from "./canonical-json.ts";

/** The hash of a growing list; equal for equal lists only. */
export interface PromptChain {
  add(piece: unknown): string;
  value(): string;
}

export function createPromptChain(start: unknown): PromptChain {
  let value = "";
  const add = (piece: unknown): string => (value = hash("sha256", value + canonicalJson(piece), "base64"));
  add(start);
  return { add, value: () => value };
}
