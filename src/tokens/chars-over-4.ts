import { invalid } from "../errors/palimpsest-error.ts";

/** The classic estimate: four characters per token. Fast, and far too low for CJK text, logs and base64. */
export function charsOver4(text: string): number {
  if (typeof text !== "string") throw invalid("INVALID_INPUT", "text", "a string", text);
  return Math.floor(text.length / 4);
}
