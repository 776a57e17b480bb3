import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";
import { textBlock, type Block, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { lazily, parseArguments } from "../call-arguments.ts";
import { decodedFrom } from "../origin.ts";
import { parseChatMessage, type ChatCall, type ChatMessage } from "./chat-message.ts";

/** The fields in which compatible servers put reasoning. */
export const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_details"] as const;

/** Consecutive `tool` messages answer one turn, so they become one message of the log. */
export function decodeChat(messages: readonly ChatMessage[]): Message[] {
  if (!Array.isArray(messages)) throw invalid("INVALID_INPUT", "messages", "an array of chat messages", messages);
  const log: Message[] = [];
  for (let position = 0; position < messages.length;) {
    const message = parseChatMessage(messages[position], `messages.${position}`);
    if (!isResult(message)) {
      log.push(decodeOne(message));
      position++;
      continue;
    }
    const results: ChatMessage[] = [];
    for (let next = message; isResult(next); next = parseChatMessage(messages[position], `messages.${position}`)) {
      results.push(next);
      if (++position === messages.length) break;
    }
    log.push(decodedFrom(results, { role: "user", content: results.map(decodeChatResult) }));
  }
  return log;
}

export function isResult({ role }: ChatMessage): boolean {
  return role === "tool" || role === "function";
}

export function decodeChatResult(message: ChatMessage): ToolResultBlock {
  const id = message.role === "tool" ? message.tool_call_id : functionId(message.name);
  const content = message.content ?? undefined;
  return decodedFrom([message], { type: "tool_result", tool_use_id: id ?? "", ...(content === undefined ? {} : { content }) });
}

function decodeOne(message: ChatMessage): Message {
  switch (message.role) {
    case "assistant":
      return decodedFrom([message], { role: "assistant", content: assistantContent(message) });
    case "user":
      return decodedFrom([message], { role: "user", content: message.content ?? [] });
    default:
      return decodedFrom([message], { role: "system", content: message.content ?? [] });
  }
}

function assistantContent(message: ChatMessage): string | readonly Block[] {
  const { content, tool_calls: calls, function_call: called } = message;
  const thinking = decodeReasoning(message);
  const hasCalls = (calls !== null && calls !== undefined && calls.length > 0) || (called !== null && called !== undefined);
  const beside = besideContent(message);
  if (typeof content === "string" && !hasCalls && thinking.length === 0 && beside.length === 0) return content;
  return [
    ...thinking,
    ...textsOf(content),
    ...beside,
    ...(calls ?? []).map(decodeCall),
    ...(called === null || called === undefined ? [] : [decodeFunctionCall(called)]),
  ];
}

function textsOf(content: ChatMessage["content"]): readonly Block[] {
  if (typeof content === "string") return content === "" ? [] : [textBlock(content)];
  return content ?? [];
}

/** Returns a block for each field beside the content, so that it is shown, cut and recalled like other text of the assistant. */
function besideContent(message: ChatMessage): Block[] {
  const { refusal, audio } = message;
  const blocks: Block[] = [];
  if (typeof refusal === "string" && refusal !== "") blocks.push(decodedFrom<Block, ChatMessage>([message], { type: "refusal", refusal } as Block));
  if (isRecord(audio)) {
    const { id, transcript } = audio;
    const spoken = { type: "audio", id, ...(typeof transcript === "string" ? { transcript } : {}) };
    blocks.push(decodedFrom<Block, ChatMessage>([message], spoken));
  }
  return blocks;
}

/** Returns one block of thinking, whichever fields of the message hold the reasoning. */
function decodeReasoning(message: ChatMessage): Block[] {
  const fields = message as unknown as Readonly<Record<string, unknown>>;
  const [said] = REASONING_FIELDS.flatMap((field) => (fields[field] === undefined || fields[field] === null || fields[field] === "" ? [] : [fields[field]]));
  return said === undefined ? [] : [{ type: "thinking", thinking: typeof said === "string" ? said : JSON.stringify(said) } as Block];
}

function decodeCall(call: ChatCall): ToolUseBlock {
  const { custom, function: called } = call;
  if (custom !== undefined) return decodedFrom([call], { type: "tool_use", id: call.id, name: custom.name, input: { input: custom.input } });
  const block = { type: "tool_use" as const, id: call.id, name: called?.name ?? "" };
  return decodedFrom(
    [call],
    lazily(block, "input", () => parseArguments(called?.arguments ?? "")),
  );
}

/** The older calls have no id; a result answers the nearest unanswered call of its name. */
function decodeFunctionCall(called: NonNullable<ChatMessage["function_call"]>): ToolUseBlock {
  return decodedFrom([called], { type: "tool_use", id: functionId(called.name), name: called.name, input: parseArguments(called.arguments) });
}

function functionId(name: string | undefined): string {
  return `function:${name ?? ""}`;
}
