import { isBlank } from "../edits/blank.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { withTimeLimit } from "./time-limit.ts";

export interface SummaryWish {
  readonly text: string;
  readonly system: string;
  readonly instructions: string | undefined;
  readonly targetTokens: number | undefined;
  /** The caller's signal, beside the summary's own time limit. */
  readonly signal?: AbortSignal;
}

/** A summary, or why there is none: a summarizer that fails, hangs or returns nothing must not harm the conversation. */
export type Summarized = { readonly summary: string } | { readonly failure: unknown };

export async function summarizeText(summarizer: Summarizer, wish: SummaryWish, limitMs: number): Promise<Summarized> {
  const { text, system, instructions, targetTokens, signal } = wish;
  try {
    const ask = (late: AbortSignal): Promise<string> =>
      summarizer({
        text,
        system,
        ...(instructions === undefined ? {} : { instructions }),
        ...(targetTokens === undefined ? {} : { targetTokens }),
        signal: late,
      });
    const summary: unknown = await withTimeLimit("the summarizer", limitMs, ask, signal);
    return typeof summary === "string" && !isBlank(summary) ? { summary } : { failure: "the summarizer returned no text" };
  } catch (failure) {
    return { failure };
  }
}
