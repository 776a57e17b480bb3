import type { Summarizer } from "../stateless/summarize-and-prune.ts";

/** Gives a summarizer a name that says what its answers depend on: a history remembers summaries by it. */
export function withName(summarizer: Summarizer, name: string): Summarizer {
  return Object.defineProperty(summarizer, "name", { value: name });
}
