import type { Summarizer } from "../stateless/summarize-and-prune.ts";

/** Names a summarizer after everything that its answers depend on: a history stores summaries under this name. */
export function withName(summarizer: Summarizer, name: string): Summarizer {
  return Object.defineProperty(summarizer, "name", { value: name });
}
