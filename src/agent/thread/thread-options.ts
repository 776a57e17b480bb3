import { boolean, object, oneOf, parseOptions, string, type Field } from "../../errors/parse-options.ts";
import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseTarget, type Target } from "../../messages/target.ts";
import { COMPACTION_FIELDS, parseCompaction, type CompactionConfig, type ParsedCompaction } from "../../policy/shortening-options.ts";
import { modelInfo } from "../../pricing/model-info.ts";
import { targetFor } from "../../pricing/target-for.ts";

/** A tool of the caller. Only its name is read; the rest goes to the model unchanged. */
export interface NamedTool {
  readonly name: string;
}

export interface ThreadOptions<T extends NamedTool = NamedTool> extends CompactionConfig {
  /** The model's name, which says what it accepts. Default: the strictest rules. */
  readonly model?: string;
  /** What the model accepts, overriding what is known about `model`. */
  readonly target?: Partial<Target>;
  /** The caller's tools. If given, `request()` lists them, and a call of another tool is refused. */
  readonly tools?: readonly T[];
  /** Checkpoints, and the `compact` tool. Default true. */
  readonly compact?: boolean;
  /** The `recall` tool, and handles where something was shortened. Default true. */
  readonly recall?: boolean;
  /** A compaction removes reminders and thinking after the first replacement ("after-edit", the default) or everywhere ("all"). */
  readonly strip?: "all" | "after-edit";
  /** Added at the end of every user message, before its checkpoint: a text, or a function that returns one. */
  readonly reminder?: string | (() => string | undefined);
  /** Tells the model, in the newest message only, how many tokens there are between checkpoints, how old they are and how much they were used. Default false. */
  readonly overview?: boolean;
  /** The `toJSON()` of a thread, which this one continues. */
  readonly state?: unknown;
}

export interface ParsedThreadOptions<T extends NamedTool> extends ParsedCompaction {
  readonly model: string;
  readonly target: Target;
  readonly tools: readonly T[] | undefined;
  readonly compact: boolean;
  readonly recall: boolean;
  readonly strip: "all" | "after-edit";
  readonly reminder: () => string | undefined;
  readonly overview: boolean;
  readonly state: unknown;
}

const aReminder: Field<string | (() => string | undefined)> = {
  expected: "a string or a function",
  accepts: (value): value is string | (() => string | undefined) => typeof value === "string" || typeof value === "function",
};

export function parseThreadOptions<T extends NamedTool>(options: ThreadOptions<T>): ParsedThreadOptions<T> {
  const toolList: Field<readonly T[]> = { expected: "an array of tools with names", accepts: (value): value is readonly T[] => isToolList(value) };
  const anything: Field<unknown> = { expected: "anything", accepts: (_value): _value is unknown => true };
  const given = parseOptions(options, "options", {
    ...COMPACTION_FIELDS,
    model: string,
    target: object<Partial<Target>>(),
    tools: toolList,
    compact: boolean,
    recall: boolean,
    strip: oneOf("all", "after-edit"),
    reminder: aReminder,
    overview: boolean,
    state: anything,
  });
  const { model, target, tools, reminder } = given;
  const taken = tools?.find(({ name }) => (name === "compact" && given.compact !== false) || (name === "recall" && given.recall !== false));
  if (taken !== undefined) throw invalid("INVALID_OPTION", "options.tools", `no tool called ${taken.name}, or { ${taken.name}: false }`, taken.name);
  return {
    ...parseCompaction(given as CompactionConfig),
    model: model ?? "unknown",
    target: parseTarget({ ...(model === undefined ? {} : targetFor(modelInfo(model).id)), ...target }, "options.target"),
    tools,
    compact: given.compact ?? true,
    recall: given.recall ?? true,
    strip: given.strip ?? "after-edit",
    reminder: typeof reminder === "function" ? (): string | undefined => parseReminder(reminder()) : (): string | undefined => reminder,
    overview: given.overview ?? false,
    state: given.state,
  };
}

function parseReminder(text: unknown): string | undefined {
  if (text !== undefined && typeof text !== "string") throw invalid("INVALID_OPTION", "options.reminder()", "a string or undefined", text);
  return text;
}

function isToolList(value: unknown): value is readonly NamedTool[] {
  return Array.isArray(value) && Array.from(value as readonly unknown[]).every((tool) => isRecord(tool) && typeof tool["name"] === "string");
}
