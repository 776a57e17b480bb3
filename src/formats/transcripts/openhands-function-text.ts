import { blocksOf, isToolUse, resultText, textBlock, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import type { ChatDialect } from "./chat-dialect.ts";
import { messageFacts } from "./message-facts.ts";
import { joinTexts, readBlocks, readContent, writeContent } from "./record-content.ts";
import { inOneText, saying } from "./text-action.ts";
import { fieldAt } from "./unchecked-fields.ts";

interface TextMessage {
  readonly role: Message["role"];
  readonly content: string | readonly unknown[];
}

/** Calls and results as OpenHands writes them for models without function calling: as text, one call per message. */
export const functionText: ChatDialect<TextMessage> = {
  isMessage: isTextMessage,
  roleOf: ({ role }) => role,
  read: readMessage,
  factsOf: () => messageFacts({}),
  write: writeMessage,
  writeResult,
};

function isTextMessage(record: object): record is TextMessage {
  const role = fieldAt(record, "role");
  return role === "system" || role === "user" || role === "assistant";
}

/** The end tag may be missing, because the model is told to stop there. */
const CALL = /<function=([^>]+)>\n(.*?)(?:<\/function>|$)/s;
const PARAMETER = /<parameter=([^>]+)>(.*?)<\/parameter>/gs;
const RESULT_PREFIX = /^EXECUTION RESULT of \[(.*?)\]:\n/;

function readMessage(record: TextMessage, position: number, open: readonly ToolUseBlock[]): Message | ToolResultBlock {
  const { role } = record;
  const text = joinTexts(readBlocks(record.content));
  const [asked] = open;
  if (role === "user" && asked !== undefined && RESULT_PREFIX.test(text))
    return { type: "tool_result", tool_use_id: asked.id, content: text.replace(RESULT_PREFIX, "") };
  const call = role === "assistant" ? CALL.exec(text) : null;
  if (call === null) return { role, content: readContent(record.content) };
  const [whole, name = "", body = ""] = call;
  const use: ToolUseBlock = { type: "tool_use", id: `call_${position}`, name, input: readParameters(body) };
  return { role, content: [...saying(text.slice(0, call.index)), use, ...saying(text.slice(call.index + whole.length))] };
}

/** A multi-line value has its own lines. */
function readParameters(body: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...body.matchAll(PARAMETER)].map(([, name = "", value = ""]) => [name, value.replace(/^\n(.*)\n$/s, "$1")]));
}

function writeMessage(message: Message, record: TextMessage | undefined): TextMessage {
  const blocks = blocksOf(message);
  const at = blocks.findIndex(isToolUse);
  const call = blocks[at];
  if (call === undefined || !isToolUse(call)) return { ...(record ?? { role: message.role }), content: writeContent(blocks, record?.content) };
  const text = inOneText(joinTexts(blocks.slice(0, at)), writeCall(call), joinTexts(blocks.slice(at)));
  return { ...(record ?? { role: message.role }), content: likeBefore(text, record) };
}

function writeCall({ name, input }: ToolUseBlock): string {
  const parameters = Object.entries(isRecord(input) ? input : {}).map(([parameter, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return `<parameter=${parameter}>${text.includes("\n") ? `\n${text}\n` : text}</parameter>\n`;
  });
  return `<function=${name}>\n${parameters.join("")}</function>`;
}

function writeResult(result: ToolResultBlock, record: TextMessage | undefined, call: ToolUseBlock | undefined): TextMessage {
  const [, named = call?.name ?? ""] = RESULT_PREFIX.exec(joinTexts(readBlocks(record?.content))) ?? [];
  return { ...(record ?? { role: "user" }), content: likeBefore(`EXECUTION RESULT of [${named}]:\n${resultText(result)}`, record) };
}

function likeBefore(text: string, record: TextMessage | undefined): string | readonly Block[] {
  return writeContent([textBlock(text)], record?.content);
}
