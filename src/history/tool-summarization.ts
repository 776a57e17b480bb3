import { invalid } from "../errors/palimpsest-error.ts";
import { boolean, count, parseOptions, string, type Field, type FieldsOf } from "../errors/parse-options.ts";
import { isRecord } from "../errors/is-record.ts";
import type { ToolResultHandler } from "./tool-result-hook.ts";

/** What to keep, by the name of the tool. */
export type ToolInstructions = Readonly<Record<string, string>>;

export interface ToolSummarization {
  /** Only results with more tokens than this are summarized. Unset: every result of a tool that has instructions. */
  readonly autoThreshold?: number;
  readonly instructions?: ToolInstructions;
  /** For results above the threshold whose tool has no instructions. */
  readonly defaultInstructions?: string;
  /**
   * Do not wait for summaries: a result is committed in full, and its summary as an edit with the next batch, which is when the user
   * speaks, other edits are committed, or `settle` is called. Until then the view stays as it is. Default: false.
   */
  readonly background?: boolean;
}

const instructionsPerTool: Field<ToolInstructions> = {
  expected: "an object: the name of a tool, and what to keep of its results",
  accepts: (value): value is ToolInstructions => isRecord(value) && Object.values(value).every((words) => typeof words === "string"),
};

const FIELDS: FieldsOf<ToolSummarization> = { autoThreshold: count, instructions: instructionsPerTool, defaultInstructions: string, background: boolean };

/** Tells instructions per tool from options. A tool may have the name of an option, so this looks at the value. */
function isMap(given: ToolInstructions | ToolSummarization): given is ToolInstructions {
  const { autoThreshold, instructions, defaultInstructions, background } = given as ToolSummarization;
  const isWords = (value: unknown): boolean => value === undefined || typeof value === "string";
  return autoThreshold === undefined && defaultInstructions === undefined && isWords(instructions) && isWords(background);
}

/** Parses instructions alone, or options with instructions in them. */
export function parseToolSummarization(given: ToolInstructions | ToolSummarization): ToolSummarization {
  if (!isRecord(given))
    throw invalid("INVALID_OPTION", "config", "instructions per tool, or { autoThreshold, instructions, defaultInstructions, background }", given);
  if (!isMap(given)) return parseOptions(given, "config", FIELDS) as ToolSummarization;
  if (!instructionsPerTool.accepts(given)) throw invalid("INVALID_OPTION", "config", instructionsPerTool.expected, given);
  return { instructions: given };
}

/** Returns the handler that the configuration installs; any other handler may replace it. */
export function summarizingHandler({ autoThreshold, instructions = {}, defaultInstructions, background = false }: ToolSummarization): ToolResultHandler {
  return (pending) => {
    const ofTool = Object.hasOwn(instructions, pending.toolName) ? instructions[pending.toolName] : undefined;
    const isWanted = autoThreshold === undefined ? ofTool !== undefined : pending.tokenCount > autoThreshold;
    if (!isWanted) return pending.approve();
    const words = ofTool ?? defaultInstructions;
    return pending.summarize({ background, ...(words === undefined ? {} : { instructions: words }) });
  };
}
