import { blocksOf, isThinking, isToolUse, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseArguments } from "../call-arguments.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { decodeDialect, encodeDialect, type ChatDialect } from "./chat-dialect.ts";
import { decodeTogether } from "./decode-together.ts";
import { messageFacts } from "./message-facts.ts";
import { joinTexts, readBlocks, readContent, writeContent, writeResultContent } from "./record-content.ts";
import { commandOf, inOneText, textAction } from "./text-action.ts";
import type { DocumentFormat } from "./transcript-format.ts";
import { fieldAt, itemsOf } from "./unchecked-fields.ts";

interface Trajectory {
  readonly history: readonly object[];
  readonly environment?: string;
  readonly replay_config?: string;
}

interface HistoryItem {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly unknown[];
  readonly agent?: string;
  readonly message_type?: string;
  readonly thought?: string;
  readonly action?: string | null;
  readonly tool_calls?: readonly FunctionCall[] | null;
  readonly tool_call_ids?: readonly string[] | null;
  readonly thinking_blocks?: readonly Block[] | null;
}

interface FunctionCall {
  readonly id: string;
  readonly type?: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

/**
 * SWE-agent's `.traj` files; `history` is the conversation. If the model calls no functions, the action is a command in its
 * text, and the next user message is the output.
 */
export const sweAgent: DocumentFormat = {
  name: "swe-agent",
  title: "SWE-agent trajectory",
  wire: "openai-chat",
  layout: "document",
  detect: (document) => isRecord(document) && Array.isArray(document["trajectory"]) && isHistory(document["history"]),
  sections: (document) => {
    const { history, environment, replay_config: config } = document as Trajectory;
    const model = typeof config === "string" ? fieldAt(parseArguments(config), "agent", "model", "name") : undefined;
    return [{ id: environment ?? "trajectory", records: history, ...messageFacts({ model }) }];
  },
  assemble: (document, [history]) => ({ ...(document as Trajectory), history }),
  createDecoder: () => decodeTogether((records) => decodeDialect(records, dialect)),
  encode: (records, view) => encodeDialect(records, view, dialect),
};

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

function isHistory(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => isRecord(item) && isHistoryItem(item) && itemsOf(item.tool_calls).every(isFunctionCall));
}

function isFunctionCall({ function: called }: FunctionCall): boolean {
  return isRecord(called) && typeof called.arguments === "string";
}

function isHistoryItem(record: object): record is HistoryItem {
  return ROLES.has(fieldAt(record, "role"));
}

const dialect: ChatDialect<HistoryItem> = {
  isMessage: isHistoryItem,
  roleOf: ({ role }) => role,
  read: readItem,
  factsOf: () => messageFacts({}),
  write: writeItem,
  writeResult: (result, record) => ({
    ...(record ?? { role: "tool", message_type: "observation", tool_call_ids: [result.tool_use_id] }),
    content: writeResultContent(result, record?.content),
  }),
};

function readItem(record: HistoryItem, position: number, open: readonly ToolUseBlock[]): Message | ToolResultBlock {
  const { role } = record;
  const content = readContent(record.content);
  if (role === "tool") return { type: "tool_result", tool_use_id: record.tool_call_ids?.[0] ?? "", content };
  const [asked] = open;
  if (role === "user" && asked !== undefined && isObservation(record)) return { type: "tool_result", tool_use_id: asked.id, content };
  if (role !== "assistant") return { role, content };
  const thinking = itemsOf(record.thinking_blocks);
  const calls = itemsOf(record.tool_calls).map(readCall);
  if (calls.length > 0) return { role, content: [...thinking, ...readBlocks(record.content), ...calls] };
  if (isTextAction(record)) return { role, content: [...thinking, ...readBlocks(record.thought), textAction(record.action, position)] };
  return { role, content: thinking.length === 0 ? content : [...thinking, ...readBlocks(record.content)] };
}

/** Older files do not mark observations: there, the message after an action is one. */
function isObservation({ message_type: type }: HistoryItem): boolean {
  return type === undefined || type === "observation";
}

function isTextAction(record: HistoryItem): record is HistoryItem & { readonly action: string } {
  const { action, tool_calls: calls } = record;
  return typeof action === "string" && action.trim() !== "" && itemsOf(calls).length === 0;
}

function readCall(call: FunctionCall): ToolUseBlock {
  const { name, arguments: written } = call.function;
  return decodedFrom([call], { type: "tool_use", id: call.id, name, input: parseArguments(written) });
}

function writeItem(message: Message, record: HistoryItem | undefined, before: HistoryItem | undefined): HistoryItem {
  const blocks = blocksOf(message);
  const calls = blocks.filter(isToolUse);
  const said = blocks.filter((block) => !isThinking(block) && !isToolUse(block));
  const { thought: _thought, action: _action, tool_calls: _calls, thinking_blocks: _thinking, ...rest } = record ?? newItem(message, before);
  if (message.role !== "assistant") return { ...rest, content: writeContent(said, record?.content) };
  const thinking = blocks.filter(isThinking);
  const shared = { ...rest, ...(thinking.length === 0 ? {} : { thinking_blocks: thinking }) };
  const [action] = calls;
  const text = joinTexts(said);
  if (record !== undefined && isTextAction(record) && action !== undefined) {
    const command = commandOf(action);
    return { ...shared, content: inOneText(text, `\`\`\`\n${command}\n\`\`\``), thought: text, action: command };
  }
  const content = writeContent(said, record?.content);
  return calls.length === 0 ? { ...shared, content, thought: text } : { ...shared, content, thought: text, tool_calls: calls.map(writeCall) };
}

function newItem({ role }: Message, before: HistoryItem | undefined): HistoryItem {
  return { role, content: "", agent: before?.agent ?? "main", message_type: role };
}

function writeCall(block: ToolUseBlock): FunctionCall {
  const [untouched] = untouchedNatives<FunctionCall>(block) ?? [];
  if (untouched !== undefined) return untouched;
  const [native = { type: "function" }] = nativesOf<FunctionCall>(block) ?? [];
  return { ...native, id: block.id, function: { name: block.name, arguments: JSON.stringify(block.input) } };
}
