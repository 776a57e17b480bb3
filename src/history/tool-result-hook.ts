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
  /** Nobody waits for it: the result is committed in full, and the summary with the next batch. See `settle` of a history. */
  readonly background?: boolean;
}

/** A summary that is yet to be written. */
export type LateWish = Omit<SummaryWish, "system" | "signal">;

/** A tool result that is about to be committed. What its handler said last is done; said nothing, it is committed as it is. */
export interface PendingToolResult {
  /** The history that it is about to be committed to: what was said before can be looked up in it. */
  readonly history: HistoryQueries;
  readonly callId: string;
  readonly toolName: string;
  readonly content: string | readonly Block[];
  readonly tokenCount: number;
  readonly isError: boolean;
  /** As it is. */
  approve(): void;
  /** Shown like this instead; the original is committed too. */
  edit(content: Content): void;
  /** Shown as its summary instead. Errors are never summarized; if the summarizer fails, the original is shown. */
  summarize(options?: SummaryOptions): Promise<void>;
  /** Not committed: the model is told that the call failed, and why. */
  reject(reason: string): void;
}

/**
 * Called once for every result before it is committed, and awaited, with a time limit. It may throw: the original is committed then, with
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

  /** Also where the handler did not wait for its summary. */
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

/** The words of a result. */
export function textOf(content: string | readonly Block[]): string {
  return asBlocks(content)
    .filter(isText)
    .map((block) => block.text)
    .join("\n");
}

/** The summary stands for the text; files stay. */
export function withSummary(content: string | readonly Block[], summary: string): string | readonly Block[] {
  const files = typeof content === "string" ? [] : content.filter((block) => !isText(block));
  return files.length === 0 ? summary : [textBlock(summary), ...files];
}
