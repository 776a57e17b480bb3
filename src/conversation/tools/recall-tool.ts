import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";
import { RECALL } from "../../passes/handle.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** The handle of the stretch that a summary at the start of the thread replaced. */
export const START_HANDLE = "start";

/** Part of every request of a conversation that has it, so it stays under 600 bytes, including the API's wrapping. */
export const recallTool: ToolDefinition = {
  name: RECALL,
  description:
    "Gives back the original of what was shortened, named by [recall handle: 7f3kq20x] (7f3kq20x-3…-7: parts 3 to 7), or, if compacted, by the checkpoint before the summary, or start. Use it, do not guess or run a command again.",
  input_schema: {
    type: "object",
    properties: {
      handle: { type: "string" },
      lines: { type: "string", description: "120-180" },
      records: { type: "string", description: "of JSON, tables: 3-80" },
      grep: { type: "string", description: "regex or text" },
      maxTokens: { type: "integer" },
    },
    required: ["handle"],
  },
};

/** Which part of an original to return. */
export interface RecallOptions {
  /** Line numbers from 1, both included: "120-180", "120-", "120". */
  readonly lines?: string;
  /** Records of JSON, a table or a listing, counted in the whole original: "3-80", "3-", "3". Not together with `lines`. */
  readonly records?: string;
  /** Only lines or records that match this regular expression; if it is invalid, or matches nothing, it is searched for as plain text. */
  readonly grep?: string;
  /** Default 4,000. */
  readonly maxTokens?: number;
}

/** The input of a model's call of `recall`. */
export interface RecallInput extends RecallOptions {
  readonly handle: string;
}

/** Numbers from 1, both included. `to` is Infinity if there is no end. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
}

export interface ParsedRecall {
  readonly handle: string;
  readonly lines: NumberRange | undefined;
  readonly records: NumberRange | undefined;
  readonly grep: string | undefined;
  readonly maxTokens: number;
}

const DEFAULT_MAX_TOKENS = 4_000;
const FIELDS = ["handle", "lines", "records", "grep", "maxTokens"] as const;

/** `path`: the name of the input in errors. */
export function parseRecallInput(input: unknown, path = "input"): ParsedRecall {
  if (!isRecord(input)) throw invalid("INVALID_INPUT", path, "{ handle, lines?, records?, grep?, maxTokens? }", input);
  const unknown = Object.keys(input).find((key) => !FIELDS.some((field) => field === key));
  if (unknown !== undefined) throw invalid("INVALID_INPUT", `${path}.${unknown}`, `one of ${FIELDS.join(", ")}`, unknown);
  const { handle, grep, maxTokens } = input;
  if (typeof handle !== "string" || handle.trim() === "") throw invalid("INVALID_INPUT", `${path}.handle`, "a handle", handle);
  const lines = parseRange(input["lines"], path, "lines", "120-180");
  const records = parseRange(input["records"], path, "records", "3-80");
  if (lines !== undefined && records !== undefined) throw invalid("INVALID_INPUT", `${path}.records`, "left out where lines are asked for", input["records"]);
  return { handle: plainHandle(handle), lines, records, grep: parseGrep(grep, path), maxTokens: parseMaxTokens(maxTokens, path) };
}

/** Returns the handle itself: models may copy the whole note or checkpoint. */
function plainHandle(handle: string): string {
  const trimmed = handle.trim();
  return /^\[recall handles?: ([a-z0-9.…-]+)(?: [a-z0-9.… -]+)?\]$/.exec(trimmed)?.[1] ?? /^<checkpoint:([a-z0-9]{6})>$/.exec(trimmed)?.[1] ?? trimmed;
}

/** Also accepts a number instead of text, and the kind of dash that the view uses: models write both. */
function parseRange(range: unknown, path: string, field: "lines" | "records", example: string): NumberRange | undefined {
  if (range === undefined || range === null || range === "") return undefined;
  const text = typeof range === "number" ? String(range) : range;
  const found = typeof text === "string" ? /^\s*(\d+)\s*(?:([-–…])\s*(\d*)\s*)?$/.exec(text) : null;
  const from = Number(found?.[1]);
  const to = found?.[2] === undefined ? from : found[3] === "" ? Infinity : Number(found[3]);
  if (found === null || from < 1 || to < from) throw invalid("INVALID_INPUT", `${path}.${field}`, `a range of ${field} such as "${example}"`, range);
  return { from, to };
}

function parseGrep(grep: unknown, path: string): string | undefined {
  if (grep === undefined || grep === null || grep === "") return undefined;
  if (typeof grep !== "string") throw invalid("INVALID_INPUT", `${path}.grep`, "a regular expression or text", grep);
  return grep;
}

function parseMaxTokens(maxTokens: unknown, path: string): number {
  if (maxTokens === undefined || maxTokens === null) return DEFAULT_MAX_TOKENS;
  if (typeof maxTokens !== "number" || !Number.isSafeInteger(maxTokens) || maxTokens < 1)
    throw invalid("INVALID_INPUT", `${path}.maxTokens`, "a whole number, 1 or more", maxTokens);
  return maxTokens;
}
