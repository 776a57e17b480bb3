import { isBlank, sayingSomething } from "../edits/blank.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { string, type Field } from "../errors/parse-options.ts";
import { isText, isToolResult, type Block, type Message, type OpenBlock, type ToolResultBlock } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";
import { parseMessages } from "../messages/parse-messages.ts";

/** What the user or the model says, or a tool returns. */
export type Content = string | readonly (Block | OpenBlock)[];

/** Ids of threads and names of branches are keys, never paths or parts of a query. */
const MAX_NAME_CHARACTERS = 200;

export const name: Field<string> = {
  expected: `a name of 1 to ${MAX_NAME_CHARACTERS} characters`,
  accepts: (value): value is string => string.accepts(value) && value.trim() !== "" && value.length <= MAX_NAME_CHARACTERS,
};

export const text: Field<string> = {
  expected: "text that is not blank",
  accepts: (value): value is string => string.accepts(value) && !isBlank(value),
};

export function parseName(value: unknown, path: string): string {
  if (!name.accepts(value)) throw invalid("INVALID_INPUT", path, name.expected, value);
  return value;
}

/** Parses a user message: not empty, and without tool results. */
export function parseUserMessage(content: Content): Message {
  const message: Message = { role: "user", content };
  parseMessages([message]);
  if (typeof content === "string") {
    if (isBlank(content)) throw invalid("INVALID_INPUT", "content", text.expected, content); // A1.5
    return message;
  }
  if (content.length === 0) throw invalid("INVALID_INPUT", "content", "at least one block", content); // A1.5
  content.forEach((block, number) => {
    if (isToolResult(block)) throw invalid("INVALID_INPUT", `content.${number}.type`, "anything but tool results, which toolResult() takes", block.type);
    if (isText(block) && isBlank(block.text)) throw invalid("INVALID_INPUT", `content.${number}.text`, text.expected, block.text); // A1.6
  });
  return message;
}

/** Parses a response of the model as an SDK returns it, or its blocks, or its text. Keeps only role and content. */
export function parseAssistantMessage(given: Content | { readonly content: Content }): Message {
  if (typeof given !== "string" && !Array.isArray(given) && !isRecord(given))
    throw invalid("INVALID_INPUT", "message", "a response of the model, its blocks or its text", given);
  const { role = "assistant", content = given } = isRecord(given) ? (given as { readonly role?: unknown; readonly content?: unknown }) : {};
  if (role !== "assistant") throw invalid("INVALID_INPUT", "message.role", '"assistant"', role);
  const message = { role, content } as Message;
  parseMessages([message]);
  return message;
}

/** Returns the result block, with a text that says so if the tool returned nothing. */
export function parseResult(callId: string, content: Content, isError: boolean): ToolResultBlock {
  const block: ToolResultBlock = { type: "tool_result", tool_use_id: callId, content, ...(isError ? { is_error: true } : {}) };
  parseMessages([{ role: "user", content: [block] }]);
  return sayingSomething(block);
}
