import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";
import { RECALL } from "../../passes/handle.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** The handle of what a summary from the start of the thread replaced. */
export const START_HANDLE = "start";

export const recallTool: ToolDefinition = {
  name: RECALL,
  description: `Gives back the original of something that was shortened in this conversation.

Shortened tool results name a handle, such as [recall handle: 7f3kq20x]. A long original has several, one for each of its parts in their order, such as [recall handles: 7f3kq20x-1 7f3kq20x-2]; 7f3kq20x-3…-7 names parts 3 to 7, and without a number a handle names all of it. A digest names its parts once, such as [recall handles: 7f3kq20x-1…-40], and marks with [3] or [3…7] what stands in which part. What was summarized with compact is recalled by the id of the checkpoint before the summary, or by "start" if the summary stands at the start of the thread.

Ask for as little as you need: "grep" gives only the lines that match (a regular expression, or plain text), "lines" a range of lines such as "120-180"; both with line numbers. Without them the whole original comes back, as far as maxTokens allows.

Use it whenever you need a value, a line or a detail exactly as it was; do not guess, and do not run a command again only to see output that was shortened.`,
  input_schema: {
    type: "object",
    properties: {
      handle: { type: "string", description: "The handle, as it is named where something was shortened." },
      lines: { type: "string", description: 'Only these lines, counted from 1: "120-180", "120-" or "120".' },
      grep: { type: "string", description: "Only lines that match this regular expression (or contain this text)." },
      maxTokens: { type: "integer", minimum: 1, description: "At most about so many tokens. Default 4000." },
    },
    required: ["handle"],
    additionalProperties: false,
  },
};

export interface RecallInput {
  readonly handle: string;
  /** Counted from 1, both included: "120-180", "120-", "120". */
  readonly lines?: string;
  /** A regular expression; where it is none, plain text. */
  readonly grep?: string;
  /** Default 4,000. */
  readonly maxTokens?: number;
}

/** Half-open on the right where the end is left out. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

export interface ParsedRecall {
  readonly handle: string;
  readonly lines: LineRange | undefined;
  readonly grep: string | undefined;
  readonly maxTokens: number;
}

const DEFAULT_MAX_TOKENS = 4_000;
const FIELDS: ReadonlySet<string> = new Set(["handle", "lines", "grep", "maxTokens"]);

export function parseRecallInput(input: unknown): ParsedRecall {
  if (!isRecord(input)) throw invalid("INVALID_INPUT", "input", "{ handle, lines?, grep?, maxTokens? }", input);
  const unknown = Object.keys(input).find((key) => !FIELDS.has(key));
  if (unknown !== undefined) throw invalid("INVALID_INPUT", `input.${unknown}`, "one of handle, lines, grep, maxTokens", unknown);
  const { handle, lines, grep, maxTokens } = input;
  if (typeof handle !== "string" || handle.trim() === "") throw invalid("INVALID_INPUT", "input.handle", "a handle", handle);
  return { handle: plainHandle(handle), lines: parseLines(lines), grep: parseGrep(grep), maxTokens: parseMaxTokens(maxTokens) };
}

/** Models copy the note or the checkpoint as it is shown: the handle in it is meant. */
function plainHandle(handle: string): string {
  const trimmed = handle.trim();
  return /^\[recall handles?: ([a-z0-9.…-]+)(?: [a-z0-9.… -]+)?\]$/.exec(trimmed)?.[1] ?? /^<checkpoint:([a-z0-9]{6})>$/.exec(trimmed)?.[1] ?? trimmed;
}

function parseLines(lines: unknown): LineRange | undefined {
  if (lines === undefined || lines === null || lines === "") return undefined;
  const found = typeof lines === "string" ? /^\s*(\d+)\s*(?:(-)\s*(\d*)\s*)?$/.exec(lines) : null;
  const from = Number(found?.[1]);
  const to = found?.[2] === undefined ? from : found[3] === "" ? Infinity : Number(found[3]);
  if (found === null || from < 1 || to < from) throw invalid("INVALID_INPUT", "input.lines", 'a range of lines such as "120-180"', lines);
  return { from, to };
}

function parseGrep(grep: unknown): string | undefined {
  if (grep === undefined || grep === null || grep === "") return undefined;
  if (typeof grep !== "string") throw invalid("INVALID_INPUT", "input.grep", "a regular expression or text", grep);
  return grep;
}

function parseMaxTokens(maxTokens: unknown): number {
  if (maxTokens === undefined || maxTokens === null) return DEFAULT_MAX_TOKENS;
  if (typeof maxTokens !== "number" || !Number.isSafeInteger(maxTokens) || maxTokens < 1)
    throw invalid("INVALID_INPUT", "input.maxTokens", "a whole number, 1 or more", maxTokens);
  return maxTokens;
}
