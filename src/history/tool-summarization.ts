import { invalid } from "../errors/palimpsest-error.ts";
import { boolean, count, parseOptions, string, type Field, type FieldsOf } from "../errors/parse-options.ts";
import { isRecord } from "../errors/is-record.ts";
import type { ToolResultHandler } from "./tool-result-hook.ts";

/** What to keep, per name of a tool. */
export type ToolInstructions = Readonly<Record<string, string>>;

export interface ToolSummarization {
  /** In tokens: only results above it are summarized. Unset: every result of a tool that has instructions. */
  readonly autoThreshold?: number;
  readonly instructions?: ToolInstructions;
  /** For results above the threshold whose tool has none. */
  readonly defaultInstructions?: string;
  /**
   * Nobody waits for a summary: the result is committed in full, and its summary as an edit with the next batch, which is when the user
   * speaks, when other edits are committed, or when `settle` is called. Until then the view stays as it is. Default: false.
   */
  readonly background?: boolean;
}

const instructionsPerTool: Field<ToolInstructions> = {
  expected: "an object: the name of a tool, and what to keep of its results",
  accepts: (value): value is ToolInstructions => isRecord(value) && Object.values(value).every((words) => typeof words === "string"),
};

const FIELDS: FieldsOf<ToolSummarization> = { autoThreshold: count, instructions: instructionsPerTool, defaultInstructions: string, background: boolean };

/** A tool may have the name of an option: what is said of it tells which is meant. */
function isMap(given: ToolInstructions | ToolSummarization): given is ToolInstructions {
  const { autoThreshold, instructions, defaultInstructions, background } = given as ToolSummarization;
  const isWords = (value: unknown): boolean => value === undefined || typeof value === "string";
  return autoThreshold === undefined && defaultInstructions === undefined && isWords(instructions) && isWords(background);
}

/** Instructions alone, or with a threshold. */
export function parseToolSummarization(given: ToolInstructions | ToolSummarization): ToolSummarization {
  if (!isRecord(given))
    throw invalid("INVALID_OPTION", "config", "instructions per tool, or { autoThreshold, instructions, defaultInstructions, background }", given);
  if (!isMap(given)) return parseOptions(given, "config", FIELDS) as ToolSummarization;
  if (!instructionsPerTool.accepts(given)) throw invalid("INVALID_OPTION", "config", instructionsPerTool.expected, given);
  return { instructions: given };
}

/** The handler behind the configuration: any other one can be put in its place. */
export function summarizingHandler({ autoThreshold, instructions = {}, defaultInstructions, background = false }: ToolSummarization): ToolResultHandler {
  return (pending) => {
    const ofTool = Object.hasOwn(instructions, pending.toolName) ? instructions[pending.toolName] : undefined;
    const isWanted = autoThreshold === undefined ? ofTool !== undefined : pending.tokenCount > autoThreshold;
    if (!isWanted) return pending.approve();
    const words = ofTool ?? defaultInstructions;
    return pending.summarize({ background, ...(words === undefined ? {} : { instructions: words }) });
  };
}
