import { guarded } from "../errors/guarded.ts";
import { parseOptions, positiveInteger, type Field } from "../errors/parse-options.ts";
import { beginningOf } from "../messages/beginning-of.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { extractConversation } from "./extract-conversation.ts";
import { extractText } from "./extract-text.ts";
import { withName } from "./with-name.ts";
import { parseOutput, parseTranscript } from "../text/transcript-text.ts";
import { parseWishes, type Wishes } from "./wishes.ts";
import { parseSummaryInput } from "./parse-summary-input.ts";

export interface ExtractiveOptions {
  /** Without `targetTokens`: the summary's share of the input's tokens, above 0 and at most 1. Default 0.2. */
  readonly share?: number;
  /** Without `targetTokens`: the most tokens of the summary. Default 2000. */
  readonly maxTokens?: number;
}

const DEFAULT_SHARE = 0.2;
const DEFAULT_MAX_TOKENS = 2000;
/** The smallest target: less leaves no room to say what was cut. */
const MIN_TARGET_TOKENS = 32;
const CHARS_PER_TOKEN = 4;

const share: Field<number> = {
  expected: "a number over 0, at most 1",
  accepts: (value): value is number => typeof value === "number" && value > 0 && value <= 1,
};

/**
 * Returns a summarizer without a model. It keeps the most telling whole lines of the text, with their headings, and says what every gap
 * lacks. For a conversation (a text of `transcriptText`) it keeps the user's messages, every call and its outcome, the changed files, the
 * plan, and the last error that was not fixed since. It is deterministic, runs in linear time, and its summary is never longer than the
 * text. Instructions are understood as `Wishes` says; line counts and file lists get all of `maxTokens` unless a target is given.
 */
export function extractive(options: ExtractiveOptions = {}): Summarizer {
  const given = parseOptions(options, "options", { share, maxTokens: positiveInteger });
  const limits = { share: given.share ?? DEFAULT_SHARE, maxTokens: given.maxTokens ?? DEFAULT_MAX_TOKENS };
  // Errors become rejections.
  return withName(
    guarded((input) => new Promise((resolve) => resolve(extract(parseSummaryInput(input), limits))), "input"),
    `extractive ${limits.share} ${limits.maxTokens}`,
  );
}

function extract({ text: given, instructions, targetTokens, signal }: Parameters<Summarizer>[0], limits: Required<ExtractiveOptions>): string {
  signal?.throwIfAborted();
  const output = parseOutput(given);
  const text = output ?? given;
  const wishes = parseWishes(instructions ?? "");
  const tokens = estimateTokens(text);
  const target = Math.max(MIN_TARGET_TOKENS, targetTokens ?? defaultTarget(tokens, wishes, limits));
  if (tokens <= target && !isSelective(wishes)) return text;
  const transcript = output === undefined ? parseTranscript(text) : undefined;
  const extracted = transcript === undefined ? extractText(text, wishes, target) : extractConversation(transcript, wishes, target);
  if (estimateTokens(extracted) <= Math.min(target, tokens) && extracted.length < text.length) return extracted;
  return tokens <= target ? text : headWithin(transcript === undefined ? text : extracted, text.length, target);
}

function defaultTarget(tokens: number, wishes: Wishes, limits: Required<ExtractiveOptions>): number {
  return Math.min(limits.maxTokens, isSelective(wishes) ? limits.maxTokens : Math.ceil(tokens * limits.share));
}

/** Says whether the wishes select certain lines, so that others are not wanted even if there is room. */
function isSelective({ head, tail, files }: Wishes): boolean {
  return head !== undefined || tail !== undefined || files !== undefined;
}

/** For texts whose lines do not fit: returns the first characters and the number that was cut. */
function headWithin(text: string, maxChars: number, maxTokens: number): string {
  for (let chars = Math.min(text.length, maxTokens * CHARS_PER_TOKEN); ; chars = Math.floor(chars / 2)) {
    const head = beginningOf(text, chars);
    const result = `${head}${head === "" || head.endsWith("\n") ? "" : "\n"}[… ${text.length - head.length} characters cut]`;
    if (result.length < maxChars && estimateTokens(result) <= maxTokens) return result;
    // A few characters with many tokens each: the note would be longer than they are.
    if (chars === 0) return result.length < maxChars ? result : "[…]";
  }
}
