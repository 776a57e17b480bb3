import { invalid } from "../../../errors/palimpsest-error.ts";
import { codecOf } from "../../../formats/codecs.ts";
import { isRecord } from "../../../errors/is-record.ts";
import type { Answer } from "../../front-end/wire.ts";
import { fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";
import type { MergeUsage } from "../sum-counts.ts";
import { mergeOpenAiUsage, readOpenAiUsage, type OpenAiUsageFields } from "../openai-usage.ts";

type IsHidden = (toolName: string) => boolean;

/** Text fields of a message. The texts of several answers become paragraphs. */
export const TEXT_FIELDS = ["content", "refusal", "reasoning_content", "reasoning"] as const;
const LIST_FIELDS = ["annotations", "reasoning_details"] as const;

const USAGE: OpenAiUsageFields = { input: "prompt_tokens", output: "completion_tokens" };

export const PARAGRAPH = "\n\n";

/** The message is sent back as it came, as by clients that push `choices[0].message` into their messages. */
export function readChatAnswer(raw: object): Answer {
  const { choices, usage } = fieldsOf(raw);
  const [choice] = objectsIn(choices);
  if (choice === undefined || !isRecord(choice["message"])) throw invalid("INVALID_INPUT", "answer.choices.0.message", "a message", choice);
  const [message] = codecOf("openai-chat").decode([sendable(choice["message"])]);
  if (message === undefined) throw invalid("INVALID_INPUT", "answer.choices.0.message", "a message", choice["message"]);
  return { message, usage: readOpenAiUsage(usage, USAGE), isPaused: false };
}

/** APIs do not accept everything back that they answer with. */
function sendable(message: JsonFields): object {
  const { tool_calls: calls, audio, ...rest } = message;
  const hasCalls = objectsIn(calls).length > 0;
  const content = message["content"] ?? undefined;
  const mayBeSilent = hasCalls || isRecord(message["function_call"]) || isRecord(audio) || typeof message["refusal"] === "string";
  const isValid = message["role"] === "assistant" && (hasCalls || calls === undefined) && (content !== undefined || mayBeSilent) && !isRecord(audio);
  if (isValid) return message;
  return {
    ...rest,
    role: "assistant",
    ...(content === undefined && !mayBeSilent ? { content: "" } : {}), // B4
    ...(hasCalls ? { tool_calls: calls } : {}), // B3
    ...(isRecord(audio) ? { audio: { id: audio["id"] } } : audio === undefined ? {} : { audio }),
  };
}

export function mergeChatAnswers(raws: readonly object[], isHidden: IsHidden, mergeUsage: MergeUsage): object {
  const last = raws.at(-1);
  if (last === undefined) throw invalid("INVALID_INPUT", "answers", "at least one answer", raws);
  const choices = raws.map((raw) => fieldsOf(objectsIn(fieldsOf(raw)["choices"])[0]));
  const messages = choices.map(({ message }) => fieldsOf(message));
  const calls = messages.flatMap((message) => objectsIn(message["tool_calls"]));
  const shown = calls.filter((call) => !isHidden(nameOfCall(call)));
  if (raws.length === 1 && shown.length === calls.length) return last;
  const choice = fieldsOf(choices.at(-1));
  const { finish_reason: reason } = choice;
  const merged = { ...choice, message: mergeMessages(messages, shown), finish_reason: reason === "tool_calls" && shown.length === 0 ? "stop" : reason };
  return { ...last, choices: [merged, ...objectsIn(fieldsOf(last)["choices"]).slice(1)], ...mergeOpenAiUsage(raws, USAGE, mergeUsage) };
}

function mergeMessages(messages: readonly JsonFields[], calls: readonly JsonFields[]): JsonFields {
  const { tool_calls: _, ...last } = fieldsOf(messages.at(-1));
  const texts = TEXT_FIELDS.flatMap((field) => {
    const said = messages.map((message) => message[field]).filter((text) => typeof text === "string" && text !== "");
    return said.length === 0 ? [] : [[field, said.join(PARAGRAPH)] as const];
  });
  const lists = LIST_FIELDS.flatMap((field) => {
    const listed = messages.map((message) => message[field]).filter((list): list is unknown[] => Array.isArray(list));
    return listed.length === 0 ? [] : [[field, listed.flat()] as const];
  });
  const merged: JsonFields = { ...last, ...Object.fromEntries<unknown>([...texts, ...lists]) };
  if (calls.length > 0) return { ...merged, tool_calls: calls };
  // B4: the client may send it back.
  return merged["content"] === null ? { ...merged, content: "" } : merged;
}

/** Returns the tool's name in a call or a piece of one; "" if it has none. */
export function nameOfCall(call: JsonFields): string {
  const { name } = fieldsOf(call["function"] ?? call["custom"]);
  return typeof name === "string" ? name : "";
}
