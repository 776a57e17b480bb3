import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";
import type { Replacement } from "../../passes/replace-between-checkpoints/replace-between-checkpoints.ts";
import type { ToolDefinition } from "./tool-definition.ts";

/** The pass of edits that the model or the caller requested with `compact`. */
export const COMPACT_PASS = "compact";

/** Replaces a call of `compact` that was carried out. */
export const COMPACTED = "I compacted the thread";

/** The message that the thread goes on with if no result is left to answer. */
export const CONTINUE = "The thread was compacted. Continue with the task.";

export const compactTool: ToolDefinition = {
  name: "compact",
  description: `Replaces stretches of this conversation by summaries that you write, so that the context stays small and to the point.

Every user message and every batch of tool results ends with a checkpoint, a line such as <checkpoint:k3x9ab>. A replacement covers what lies behind checkpoint "from" up to and including checkpoint "to"; your summary stands in its place. Without "from" it begins at the start of the thread, without "to" it reaches the end. An empty summary deletes the stretch. Several replacements are done at once; they must not overlap.

Use it when a part of the work is finished and its details are no longer needed: an exploration that has led to a conclusion, long tool output of which only a few lines matter, attempts that failed. Do not compact what you are still working with, nor what is short. The later a stretch lies, the less of the prompt cache is lost; a few large stretches are better than many small ones.

Write a summary for yourself, who will know nothing else of the stretch. Keep exactly as written: what the user asked for and every constraint, file paths, names, ids, numbers, commands and error messages that may matter again, decisions with their reasons, what was changed, what was tried and failed, and what is still open. Leave out what can be looked up again.

Call it alone in a turn where you can. When it is done, the conversation goes on by itself.`,
  input_schema: {
    type: "object",
    properties: {
      replacements: {
        type: "array",
        minItems: 1,
        items: {
          type: "object",
          properties: {
            from: { type: "string", description: 'Id of the checkpoint behind which the stretch begins, such as "k3x9ab". Left out: the start of the thread.' },
            to: { type: "string", description: "Id of the checkpoint with which the stretch ends. Left out: the end of the thread." },
            summary: { type: "string", description: "What stands in its place. Empty: the stretch is deleted." },
          },
          required: ["summary"],
          additionalProperties: false,
        },
      },
    },
    required: ["replacements"],
    additionalProperties: false,
  },
};

/** Parses the input. Accepts ids copied in the form they are shown in, and null for a missing border. Other mistakes are found when the replacements are read. */
export function parseCompactInput(input: unknown): readonly Replacement[] {
  if (!isRecord(input)) throw invalid("INVALID_INPUT", "input", "{ replacements: [{ from?, to?, summary }] }", input);
  const { replacements, ...rest } = input;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw invalid("INVALID_INPUT", `input.${unknown}`, "only replacements", unknown);
  if (!Array.isArray(replacements)) throw invalid("INVALID_INPUT", "input.replacements", "an array of { from?, to?, summary }", replacements);
  return replacements.map((replacement: unknown) => (isRecord(replacement) ? withPlainIds(replacement) : replacement) as Replacement);
}

function withPlainIds(replacement: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(replacement).flatMap(([key, value]) => {
      if (key !== "from" && key !== "to") return [[key, value]];
      if (value === null || value === "") return [];
      return [[key, typeof value === "string" ? (/^<checkpoint:([a-z0-9]{6})>$/.exec(value.trim())?.[1] ?? value.trim()) : value]];
    }),
  );
}
