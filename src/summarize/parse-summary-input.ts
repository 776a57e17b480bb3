import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";

type Input = Parameters<Summarizer>[0];

const TEXTS = ["system", "instructions", "model"] as const;

/** Refuses invalid input, because other code may call summarizers of this package. */
export function parseSummaryInput(input: Input): Input {
  if (!isRecord(input)) throw invalid("INVALID_INPUT", "input", "an input { text, system }", input);
  const { text, targetTokens, signal } = input as Readonly<Record<string, unknown>>;
  if (typeof text !== "string") throw invalid("INVALID_INPUT", "input.text", "a string", text);
  for (const name of TEXTS) {
    const given: unknown = input[name];
    if (given !== undefined && typeof given !== "string") throw invalid("INVALID_INPUT", `input.${name}`, "a string", given);
  }
  if (targetTokens !== undefined && !(typeof targetTokens === "number" && targetTokens >= 0))
    throw invalid("INVALID_INPUT", "input.targetTokens", "a number of tokens, 0 or more", targetTokens);
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw invalid("INVALID_INPUT", "input.signal", "an AbortSignal", signal);
  return input;
}
