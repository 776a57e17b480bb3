import { invalid } from "../../../errors/palimpsest-error.ts";
import { codecOf } from "../../../formats/codecs.ts";
import { sideOf } from "../../../formats/openai-responses/item-kinds.ts";
import type { ResponseItem } from "../../../formats/openai-responses/response-item.ts";
import { callIdOf } from "../../../formats/openai-responses/tool-calls.ts";
import { answeredIdOf } from "../../../formats/openai-responses/tool-outputs.ts";
import { decodedFrom } from "../../../formats/origin.ts";
import { blocksOf, type Block, type Message } from "../../../messages/message.ts";
import type { Answer } from "../../front-end/wire.ts";
import { fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";
import type { MergeUsage } from "../sum-counts.ts";
import { mergeOpenAiUsage, readOpenAiUsage, type OpenAiUsageFields } from "../openai-usage.ts";
import { ShownIds } from "../shown-ids.ts";

type IsHidden = (toolName: string) => boolean;

const USAGE: OpenAiUsageFields = { input: "input_tokens", output: "output_tokens" };

/** The items are sent back as they came, as by clients that add `response.output` to their input. */
export function readResponsesAnswer(raw: object): Answer {
  const { output, usage, id } = fieldsOf(raw);
  if (!Array.isArray(output)) throw invalid("INVALID_INPUT", "answer.output", "an array of items", output);
  return {
    message: decodeOutput(output as readonly ResponseItem[]),
    usage: readOpenAiUsage(usage, USAGE),
    isPaused: false,
    id: typeof id === "string" ? id : undefined,
  };
}

function decodeOutput(items: readonly ResponseItem[]): Message {
  const { decode } = codecOf("openai-responses");
  const [message, ...more] = decode(items);
  if (message?.role === "assistant" && more.length === 0) return message;
  // Tools that the provider runs itself, such as its shell, are called and answered in one response. They are not calls of the client, so the log keeps
  // them as they are.
  const answered = new Set(items.filter((item) => sideOf(item) === "output").map(answeredIdOf));
  const passes = (item: ResponseItem): boolean => sideOf(item) !== "response" || answered.has(callIdOf(item) ?? "");
  const content = items.flatMap((item): readonly Block[] => (passes(item) ? [item as Block] : decode([item]).flatMap(blocksOf)));
  return decodedFrom(items, { role: "assistant", content });
}

export function mergeResponsesAnswers(raws: readonly object[], isHidden: IsHidden, mergeUsage: MergeUsage): object {
  const last = raws.at(-1);
  if (last === undefined) throw invalid("INVALID_INPUT", "answers", "at least one answer", raws);
  const ids = new ShownIds();
  const items = raws.flatMap((raw) => objectsIn(fieldsOf(raw)["output"]));
  const output = raws.flatMap((raw) => {
    ids.continue();
    const shown = objectsIn(fieldsOf(raw)["output"]).filter((item) => !isHiddenItem(item, isHidden));
    return shown.map((item) => withShownId(item, ids));
  });
  const response = withoutHiddenTools(fieldsOf(last), isHidden);
  if (raws.length === 1 && output.length === items.length) return response;
  // The SDK collects all text in one field.
  const text = "output_text" in response ? { output_text: textOf(output) } : {};
  return { ...response, output, ...text, ...mergeOpenAiUsage(raws, USAGE, mergeUsage) };
}

export function withShownId(item: JsonFields, ids: ShownIds): JsonFields {
  const { id } = item;
  if (typeof id !== "string") return item;
  const shown = ids.show(id);
  return shown === id ? item : { ...item, id: shown };
}

export function isHiddenItem({ type, name }: JsonFields, isHidden: IsHidden): boolean {
  return type === "function_call" && typeof name === "string" && isHidden(name);
}

/** Removes our tools from a response, which repeats the tools of its request. */
export function withoutHiddenTools(response: JsonFields, isHidden: IsHidden): JsonFields {
  const { tools } = response;
  if (!Array.isArray(tools)) return response;
  const shown = tools.filter((tool) => !isHiddenTool(fieldsOf(tool), isHidden));
  return shown.length === tools.length ? response : { ...response, tools: shown };
}

function isHiddenTool({ type, name }: JsonFields, isHidden: IsHidden): boolean {
  return type === "function" && typeof name === "string" && isHidden(name);
}

function textOf(output: readonly JsonFields[]): string {
  return output
    .filter(({ type }) => type === "message")
    .flatMap(({ content }) => objectsIn(content))
    .map(({ type, text }) => (type === "output_text" && typeof text === "string" ? text : ""))
    .join("");
}
