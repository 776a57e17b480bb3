import { guarded } from "../errors/guarded.ts";
import { ledgerOf as ledgerOfUnguarded } from "../content/files/ledger.ts";
export type { FileAction, LedgerEntry } from "../content/files/ledger.ts";
export type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { anthropic as anthropicUnguarded } from "./anthropic.ts";
export type { AnthropicClient, AnthropicSummarizerOptions } from "./anthropic.ts";
import { checked as checkedUnguarded } from "./checked.ts";
export { FALLBACK_REASONS, type CheckOptions, type Fallback, type FallbackReason } from "./checked.ts";
import { extractive as extractiveUnguarded } from "./extractive.ts";
export type { ExtractiveOptions } from "./extractive.ts";
import { inBackground as inBackgroundUnguarded } from "./in-background.ts";
export type { BackgroundOptions, BackgroundState, BackgroundSummaries } from "./in-background.ts";
import { memoized as memoizedUnguarded } from "./memoized.ts";
export type { SummaryMemo } from "./memoized.ts";
export type { ModelSummarizerOptions } from "./model-options.ts";
import { openaiCompatible as openaiCompatibleUnguarded } from "./openai-compatible.ts";
export type { OpenAIClient, OpenAISummarizerOptions } from "./openai-compatible.ts";
export { TOOL_SUMMARIZE_SYSTEM } from "./tool-summarize-system.ts";
import { transcriptText as transcriptTextUnguarded } from "../text/transcript-text.ts";

// Guarded: an unreadable argument is named in the error, wherever the function fails.
/** Lists the files that the tool calls of the messages read, created and changed, in order of first mention. Does not access the disk. */
export const ledgerOf: typeof ledgerOfUnguarded = /* @__PURE__ */ guarded(ledgerOfUnguarded, "messages");
/** Returns a summarizer that asks an Anthropic model. Its answers are checked: see `checked`. */
export const anthropic: typeof anthropicUnguarded = /* @__PURE__ */ guarded(anthropicUnguarded, "options");
/**
 * Returns a summarizer whose answers are checked. An answer that fails the check is replaced by the fallback's, below one line that says
 * so (or without that line, if the input is too short for it). An abort by the caller is rethrown.
 */
export const checked: typeof checkedUnguarded = /* @__PURE__ */ guarded(checkedUnguarded, "summarizer", "options");
/**
 * Returns a summarizer without a model. It keeps the most telling whole lines of the text, with their headings, and says what every gap
 * lacks. For a conversation (a text of `transcriptText`) it keeps the user's messages, every call and its outcome, the changed files, the
 * plan, and the last error that was not fixed since. It is deterministic, runs in linear time, and its summary is never longer than the
 * text. Instructions are understood as `Wishes` says; line counts and file lists get all of `maxTokens` unless a target is given.
 */
export const extractive: typeof extractiveUnguarded = /* @__PURE__ */ guarded(extractiveUnguarded, "options");
/** Requests summaries now that the caller uses later, at its next batch. Failures are recorded and never thrown. */
export const inBackground: typeof inBackgroundUnguarded = /* @__PURE__ */ guarded(inBackgroundUnguarded, "summarizer", "options");
/**
 * Asks the summarizer only once for the same input. The key is a hash of everything that an answer depends on; `identity` covers
 * what the input does not contain: the summarizer, its default model, its settings. Empty answers and answers of a fallback are
 * not stored.
 */
export const memoized: typeof memoizedUnguarded = /* @__PURE__ */ guarded(memoizedUnguarded, "summarizer", "memo", "identity");
/** Returns a summarizer that uses Chat Completions, of OpenAI or any compatible server. Its answers are checked: see `checked`. */
export const openaiCompatible: typeof openaiCompatibleUnguarded = /* @__PURE__ */ guarded(openaiCompatibleUnguarded, "options");
/**
 * Writes messages as one text for a summarizer: who said what, the tool calls and their results. Every part begins with a fence that
 * occurs in no part, so that no text, above all no text from a tool, can end its part or begin another one. Thinking, checkpoints and
 * the bytes of media are left out.
 */
export const transcriptText: typeof transcriptTextUnguarded = /* @__PURE__ */ guarded(transcriptTextUnguarded, "messages");
