import { invalid } from "../errors/palimpsest-error.ts";
import { count, parseOptions, string, type Field } from "../errors/parse-options.ts";
import { isRecord } from "../messages/parse-messages.ts";
import type { ToolResultHandler } from "./tool-result-hook.ts";

/** What to keep, per name of a tool. */
export type ToolInstructions = Readonly<Record<string, string>>;

export interface ToolSummarization {
  /** In tokens: only results above it are summarized. Unset: every result of a tool that has instructions. */
  readonly autoThreshold?: number;
  readonly instructions?: ToolInstructions;
  /** For results above the threshold whose tool has none. */
  readonly defaultInstructions?: string;
}

const instructionsPerTool: Field<ToolInstructions> = {
  expected: "an object: the name of a tool, and what to keep of its results",
  accepts: (value): value is ToolInstructions => isRecord(value) && Object.values(value).every((words) => typeof words === "string"),
};

/** Instructions alone, or with a threshold. */
export function parseToolSummarization(given: ToolInstructions | ToolSummarization): ToolSummarization {
  if (!isRecord(given)) throw invalid("INVALID_OPTION", "config", "instructions per tool, or { autoThreshold, instructions, defaultInstructions }", given);
  const { autoThreshold, instructions, defaultInstructions } = given as ToolSummarization;
  const isMap = autoThreshold === undefined && defaultInstructions === undefined && (instructions === undefined || typeof instructions === "string");
  if (!isMap)
    return parseOptions(given, "config", { autoThreshold: count, instructions: instructionsPerTool, defaultInstructions: string }) as ToolSummarization;
  if (!instructionsPerTool.accepts(given)) throw invalid("INVALID_OPTION", "config", instructionsPerTool.expected, given);
  return { instructions: given };
}

/** The handler behind the configuration: any other one can be put in its place. */
export function summarizingHandler({ autoThreshold, instructions = {}, defaultInstructions }: ToolSummarization): ToolResultHandler {
  return (pending) => {
    const ofTool = Object.hasOwn(instructions, pending.toolName) ? instructions[pending.toolName] : undefined;
    const isWanted = autoThreshold === undefined ? ofTool !== undefined : pending.tokenCount > autoThreshold;
    if (!isWanted) return pending.approve();
    const words = ofTool ?? defaultInstructions;
    return pending.summarize(words === undefined ? {} : { instructions: words });
  };
}
