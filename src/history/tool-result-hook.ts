import { boolean, parseOptions, positiveInteger } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { isText, textBlock, type Block, type ToolResultBlock } from "../messages/message.ts";
import { outputText } from "../text/transcript-text.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import { asBlocks } from "./commit-content.ts";
import { text as someText, type Content } from "./history-input.ts";
import type { HistoryQueries } from "./history-queries.ts";
import type { Summarized, SummaryWish } from "./summarize-text.ts";
import { withTimeLimit } from "./time-limit.ts";
import { failureWords } from "./failure-words.ts";

export interface SummaryOptions {
  readonly instructions?: string;
  readonly targetTokens?: number;
  /** Do not wait for the summary: commit the result in full now, and the summary with the next batch. See `settle` of a history. */
  readonly background?: boolean;
}

/** A summary that is yet to be written. */
export type LateWish = Omit<SummaryWish, "system" | "signal">;

/** A tool result that is about to be committed. The handler's last decision counts; without one, the result is committed as it is. */
export interface PendingToolResult {
  /** The history that the result will be committed to, for looking up what came before. */
  readonly history: HistoryQueries;
  readonly callId: string;
  readonly toolName: string;
  readonly content: string | readonly Block[];
  readonly tokenCount: number;
  readonly isError: boolean;
  /** Commits the result as it is. */
  approve(): void;
  /** Shows this content instead. The original is committed too. */
  edit(content: Content): void;
  /** Shows a summary instead. Errors are never summarized; if the summarizer fails, the original is shown. */
  summarize(options?: SummaryOptions): Promise<void>;
  /** Commits an error with this reason instead of the result: the model reads that the call failed, and why. */
  reject(reason: string): void;
}

/**
 * Called once for every result before it is committed, and awaited, with a time limit. If it throws, the original is committed, with
 * the reason. It must not change the content in place, and must not wait for the same result to be committed.
 */
export type ToolResultHandler = (pending: PendingToolResult) => void | Promise<void>;

export type Decision =
  | { readonly kind: "approve"; readonly failure?: unknown; readonly reason?: string; readonly later?: LateWish }
  | { readonly kind: "edit"; readonly content: Content; readonly form: "summary" | "custom"; readonly reason: string }
  | { readonly kind: "reject"; readonly reason: string };

const APPROVED: Decision = { kind: "approve" };

export interface ResultToDecide {
  readonly history: HistoryQueries;
  readonly block: ToolResultBlock;
  readonly toolName: string;
  readonly summarize: (wish: Omit<SummaryWish, "system">) => Promise<Summarized>;
  /** Throws for content that the result may not have. */
  readonly check: (content: Content) => void;
}

export async function decideResult(handler: ToolResultHandler, result: ResultToDecide, limitMs: number): Promise<Decision> {
  try {
    return await withTimeLimit("the handler of tool_result", limitMs, async (signal) => {
      const pending = new Pending(result, signal);
      await handler(pending);
      return pending.settled();
    });
  } catch (failure) {
    return { kind: "approve", failure, reason: `the handler of tool_result failed: ${failureWords(failure)}` };
  }
}

class Pending implements PendingToolResult {
  readonly history: HistoryQueries;
  readonly callId: string;
  readonly toolName: string;
  readonly content: string | readonly Block[];
  readonly tokenCount: number;
  readonly isError: boolean;
  readonly #summarize: ResultToDecide["summarize"];
  readonly #check: ResultToDecide["check"];
  readonly #signal: AbortSignal;
  #decision: Decision | Promise<Decision> = APPROVED;

  constructor({ history, block, toolName, summarize, check }: ResultToDecide, signal: AbortSignal) {
    this.history = history;
    this.callId = block.tool_use_id;
    this.toolName = toolName;
    this.content = block.content ?? "";
    this.tokenCount = contentTokens(this.content);
    this.isError = block.is_error === true;
    this.#summarize = summarize;
    this.#check = check;
    this.#signal = signal;
  }

  approve(): void {
    this.#decision = APPROVED;
  }

  edit(content: Content): void {
    this.#check(content);
    this.#decision = { kind: "edit", content, form: "custom", reason: "edited by the handler of tool_result" };
  }

  async summarize(options: SummaryOptions = {}): Promise<void> {
    const given = parseOptions(options, "options", { instructions: someText, targetTokens: positiveInteger, background: boolean });
    const wish: LateWish = { text: outputText(textOf(this.content)), instructions: given.instructions, targetTokens: given.targetTokens };
    const decision: Decision | Promise<Decision> = this.isError ? APPROVED : given.background === true ? { kind: "approve", later: wish } : this.#summary(wish);
    this.#decision = decision;
    await decision;
  }

  reject(reason: string): void {
    if (!someText.accepts(reason)) throw invalid("INVALID_INPUT", "reason", someText.expected, reason);
    this.#decision = { kind: "reject", reason };
  }

  /** Waits for a pending summary, even if the handler did not. */
  async settled(): Promise<Decision> {
    return this.#decision;
  }

  async #summary(wish: LateWish): Promise<Decision> {
    const summarized = await this.#summarize({ ...wish, signal: this.#signal });
    if ("failure" in summarized)
      return { kind: "approve", failure: summarized.failure, reason: `it could not be summarized: ${failureWords(summarized.failure)}` };
    return { kind: "edit", content: withSummary(this.content, summarized.summary), form: "summary", reason: "summarized" };
  }
}

/** Returns the text of a result. */
export function textOf(content: string | readonly Block[]): string {
  return asBlocks(content)
    .filter(isText)
    .map((block) => block.text)
    .join("\n");
}

/** Replaces the text by the summary and keeps files. */
export function withSummary(content: string | readonly Block[], summary: string): string | readonly Block[] {
  const files = typeof content === "string" ? [] : content.filter((block) => !isText(block));
  return files.length === 0 ? summary : [textBlock(summary), ...files];
}
