import { callback, count, parseOptions, type FieldsOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import type { Target } from "../messages/target.ts";
import { truncateOldResults } from "../passes/truncate-old-results/truncate-old-results.ts";
import { parseTargetedLog, renderOnce } from "./render-once.ts";

export interface CompactionNotice {
  readonly compacted: number;
  readonly inputTokens: number;
  readonly inputTokenBudget: number;
}

export interface BudgetConfig {
  /** What the provider reported for the last response: see `inputTokensOf`. */
  readonly inputTokens: number;
  /** Default 40,000. 0: never compact. */
  readonly inputTokenBudget?: number;
  /** Default 500. */
  readonly toolResultRetentionChars?: number;
  /** Called if something was compacted. Default: a line on standard error. */
  readonly onCompact?: (notice: CompactionNotice) => void;
}

const BUDGET_FIELDS: FieldsOf<BudgetConfig> = {
  inputTokens: count,
  inputTokenBudget: count,
  toolResultRetentionChars: count,
  onCompact: callback("a function"),
};

/** Above the budget, cuts the tool results of all rounds but the newest to their first characters. */
export function compactOldToolResults(
  messages: readonly Message[],
  config: BudgetConfig,
  target?: Partial<Target>,
): { messages: Message[]; compacted: number } {
  const { inputTokens, inputTokenBudget = 40_000, toolResultRetentionChars = 500, onCompact = printNotice } = parseOptions(config, "config", BUDGET_FIELDS);
  if (inputTokens === undefined) throw invalid("INVALID_OPTION", "config.inputTokens", BUDGET_FIELDS.inputTokens.expected, undefined);
  const call = parseTargetedLog(messages, target);
  if (inputTokenBudget === 0 || inputTokens <= inputTokenBudget) return { messages: renderOnce(call, []), compacted: 0 };
  const edits = truncateOldResults(call.log, [], { ...call, retainChars: toolResultRetentionChars });
  const compacted = edits.length;
  if (compacted > 0) onCompact({ compacted, inputTokens, inputTokenBudget });
  return { messages: renderOnce(call, edits), compacted };
}

function printNotice({ compacted, inputTokens, inputTokenBudget }: CompactionNotice): void {
  const number = (value: number): string => value.toLocaleString("en-US");
  console.error(`Note: Compacted ${compacted} old tool result(s) — input tokens (${number(inputTokens)}) exceeded budget (${number(inputTokenBudget)})`);
}
