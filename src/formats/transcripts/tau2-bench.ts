import { blocksOf, isToolUse, resultText, type Message, type ToolResultBlock, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { decodeDialect, encodeDialect, type ChatDialect } from "./chat-dialect.ts";
import { decodeTogether } from "./decode-together.ts";
import { chatUsage, messageFacts, timeOf } from "./message-facts.ts";
import { joinTexts, readBlocks, readContent } from "./record-content.ts";
import type { DocumentFormat } from "./transcript-format.ts";
import { fieldAt, itemsOf } from "./unchecked-fields.ts";

interface Results {
  readonly simulations: readonly Simulation[];
}

interface Simulation {
  readonly id: string;
  readonly messages: readonly object[];
}

interface Tau2Message {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content?: string | null;
  readonly tool_calls?: readonly Tau2Call[] | null;
  /** For a tool message, the call that it answers. */
  readonly id?: string;
  readonly requestor?: string;
  readonly error?: boolean;
  readonly turn_idx?: number | null;
  readonly timestamp?: string | null;
  readonly usage?: unknown;
}

interface Tau2Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: unknown;
  readonly requestor?: string;
}

/** Results of tau2-bench: a file has many simulations, each a chat of an agent with a simulated user. */
export const tau2Bench: DocumentFormat = {
  name: "tau2-bench",
  title: "tau2-bench results",
  wire: "openai-chat",
  layout: "document",
  detect: (document) => isRecord(document) && Array.isArray(document["simulations"]) && document["simulations"].every(isSimulation),
  sections: (document) => {
    const model = fieldAt(document, "info", "agent_info", "llm");
    const policy = fieldAt(document, "info", "environment_info", "policy");
    const tools = fieldAt(document, "info", "environment_info", "tool_defs");
    const head = {
      ...(typeof model === "string" ? { model } : {}),
      ...(typeof policy === "string" ? { system: policy } : {}),
      ...(Array.isArray(tools) ? { tools: tools as readonly unknown[] } : {}),
    };
    return (document as Results).simulations.map(({ id, messages }) => ({ id, records: messages, ...head }));
  },
  assemble: (document, records) => {
    const results = document as Results;
    return { ...results, simulations: results.simulations.map((simulation, number) => ({ ...simulation, messages: records[number] ?? simulation.messages })) };
  },
  createDecoder: () => decodeTogether((records) => decodeDialect(records, dialect)),
  encode: (records, view) => encodeDialect(records, view, dialect),
};

function isSimulation(value: unknown): value is Simulation {
  return isRecord(value) && typeof value["id"] === "string" && Array.isArray(value["messages"]) && value["messages"].every(isRecord);
}

const ROLES: ReadonlySet<unknown> = new Set(["system", "user", "assistant", "tool"]);

const dialect: ChatDialect<Tau2Message> = {
  isMessage: isSeenByAgent,
  roleOf: ({ role }) => role,
  read: readMessage,
  factsOf: ({ role, timestamp, usage }) => messageFacts({ atMs: timeOf(timestamp), usage: role === "assistant" ? chatUsage(usage) : undefined }),
  write: writeMessage,
  writeResult: (result, record) => ({
    ...(record ?? { id: result.tool_use_id, role: "tool", requestor: "assistant", turn_idx: null }),
    content: resultText(result),
  }),
};

/** In some domains the simulated user has tools too. The agent never sees those calls and results. */
function isSeenByAgent(record: object): record is Tau2Message {
  const { role, requestor, tool_calls: calls } = record as Partial<Tau2Message>;
  if (!ROLES.has(role) || (role === "tool" && requestor === "user")) return false;
  return role === "assistant" || itemsOf(calls).length === 0;
}

function readMessage(record: Tau2Message): Message | ToolResultBlock {
  const content = readContent(record.content);
  if (record.role === "tool") return { type: "tool_result", tool_use_id: record.id ?? "", content, ...(record.error === true ? { is_error: true } : {}) };
  const calls = itemsOf(record.tool_calls).map(readCall);
  return { role: record.role, content: calls.length === 0 ? content : [...readBlocks(content), ...calls] };
}

function readCall(call: Tau2Call): ToolUseBlock {
  return decodedFrom([call], { type: "tool_use", id: call.id, name: call.name, input: call.arguments });
}

function writeMessage(message: Message, record: Tau2Message | undefined): Tau2Message {
  const blocks = blocksOf(message);
  const calls = blocks.filter(isToolUse).map(writeCall);
  const text = joinTexts(blocks);
  // `raw_data`, the provider's original response, repeats the content.
  const { raw_data: _, ...rest } = (record ?? { role: message.role, turn_idx: null }) as Tau2Message & { readonly raw_data?: unknown };
  return { ...rest, content: text === "" ? null : text, tool_calls: calls.length === 0 ? null : calls };
}

function writeCall(block: ToolUseBlock): Tau2Call {
  const [untouched] = untouchedNatives<Tau2Call>(block) ?? [];
  const [native = { requestor: "assistant" }] = nativesOf<Tau2Call>(block) ?? [];
  return untouched ?? { ...native, id: block.id, name: block.name, arguments: block.input };
}
