import { blocksOf, isToolUse, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodeDialect, encodeDialect, type ChatDialect } from "./chat-dialect.ts";
import { decodeChatRecords, encodeChatRecords } from "./chat-records.ts";
import { decodeTogether } from "./decode-together.ts";
import { chatUsage, messageFacts, type MessageFacts } from "./message-facts.ts";
import { joinTexts, readBlocks, readContent, writeContent, writeResultContent } from "./record-content.ts";
import { commandOf, inOneText, saying, textAction } from "./text-action.ts";
import type { DocumentFormat } from "./transcript-format.ts";
import { fieldAt } from "./unchecked-fields.ts";

interface Trajectory {
  readonly messages: readonly object[];
  readonly instance_id?: string;
}

interface TextMessage {
  readonly role: Message["role"];
  readonly content: string | readonly unknown[];
  readonly extra?: Readonly<Record<string, unknown>>;
}

/**
 * Trajectories of mini-swe-agent. The action is a fenced command in the assistant's text, and the next user message is its
 * result: the output, a timeout, or a complaint that there was not exactly one action. In newer versions the model can call a
 * function instead; their messages are plain chat.
 */
export const miniSweAgent: DocumentFormat = {
  name: "mini-swe-agent",
  title: "mini-swe-agent trajectory",
  wire: "openai-chat",
  layout: "document",
  detect: (document) => isRecord(document) && Array.isArray(document["messages"]) && namesItself(document),
  sections: (document) => {
    const { messages, instance_id: id } = document as Trajectory;
    return [{ id: id ?? "trajectory", records: messages, ...messageFacts({ model: fieldAt(document, "info", "config", "model", "model_name") }) }];
  },
  assemble: (document, [messages]) => ({ ...(document as Trajectory), messages }),
  createDecoder: () =>
    decodeTogether((records) => (callsFunctions(records) ? decodeChatRecords(records.filter(isChatMessage), factsOf) : decodeDialect(records, textActions))),
  encode: (records, view) =>
    // The only record that is not a message is the exit, which comes last.
    callsFunctions(records)
      ? [...encodeChatRecords(records, view), ...records.filter((record) => !isChatMessage(record))]
      : encodeDialect(records, view, textActions),
};

function namesItself(document: object): boolean {
  const format = fieldAt(document, "trajectory_format");
  return (typeof format === "string" && format.startsWith("mini-swe-agent")) || fieldAt(document, "info", "mini_version") !== undefined;
}

function callsFunctions(records: readonly object[]): boolean {
  return records.some((record) => Array.isArray(fieldAt(record, "tool_calls")) || fieldAt(record, "role") === "tool");
}

const CHAT_ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

function isChatMessage(record: object): boolean {
  return CHAT_ROLES.has(fieldAt(record, "role"));
}

const textActions: ChatDialect<TextMessage> = {
  isMessage: isTextMessage,
  roleOf: ({ role }) => role,
  read: readMessage,
  factsOf,
  write: writeMessage,
  writeResult: (result, record) => ({ ...(record ?? { role: "user" }), content: writeResultContent(result, record?.content) }),
};

function isTextMessage(record: object): record is TextMessage {
  const role = fieldAt(record, "role");
  return role === "system" || role === "user" || role === "assistant";
}

function factsOf(record: object): MessageFacts {
  const response = fieldAt(record, "extra", "response");
  const seconds = fieldAt(record, "extra", "timestamp") ?? fieldAt(response, "created");
  return messageFacts({
    atMs: typeof seconds === "number" ? seconds * 1000 : undefined,
    model: fieldAt(response, "model"),
    usage: chatUsage(fieldAt(response, "usage")),
  });
}

function readMessage(record: TextMessage, position: number, open: readonly ToolUseBlock[]): Message | ToolResultBlock {
  const { role } = record;
  const content = readContent(record.content);
  const [asked] = open;
  if (role === "user" && asked !== undefined) return { type: "tool_result", tool_use_id: asked.id, content };
  const action = role === "assistant" && typeof content === "string" ? actionIn(content) : undefined;
  if (action === undefined) return { role, content };
  return { role, content: [...saying(action.before), textAction(action.command, position), ...saying(action.after)] };
}

interface Action {
  readonly before: string;
  /** The word after the backticks: newer versions have one of their own. */
  readonly language: string;
  readonly command: string;
  readonly after: string;
}

const FENCE = /```(bash|mswea_bash_command)\s*\n(.*?)\n```/gs;
const FENCE_END = "\n```";

/** Several fences are one action, from the first to the last, because the agent rejects them as a whole. */
function actionIn(text: string): Action | undefined {
  const fences = [...text.matchAll(FENCE)];
  const [first] = fences;
  const last = fences.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const [whole, language = "", command = ""] = first;
  const from = first.index + whole.length - FENCE_END.length - command.length;
  const to = last.index + last[0].length;
  return { before: text.slice(0, first.index), language, command: text.slice(from, to - FENCE_END.length), after: text.slice(to) };
}

function writeMessage(message: Message, record: TextMessage | undefined): TextMessage {
  const { role } = message;
  const blocks = blocksOf(message);
  const at = blocks.findIndex(isToolUse);
  const action = blocks[at];
  const content = action === undefined || !isToolUse(action) ? writeContent(blocks, record?.content) : withAction(blocks, action, at, record);
  return record === undefined ? { role, content } : { ...withoutResponseText(record), content };
}

function withAction(blocks: readonly Block[], action: ToolUseBlock, at: number, record: TextMessage | undefined): string {
  const { language } = actionIn(joinTexts(readBlocks(record?.content))) ?? { language: "bash" };
  return inOneText(joinTexts(blocks.slice(0, at)), `\`\`\`${language}\n${commandOf(action)}${FENCE_END}`, joinTexts(blocks.slice(at)));
}

/** The provider's response repeats the text. */
function withoutResponseText(record: TextMessage): TextMessage {
  const { extra } = record;
  const response = extra?.["response"];
  return isRecord(response) ? { ...record, extra: { ...extra, response: { ...response, choices: [] } } } : record;
}
