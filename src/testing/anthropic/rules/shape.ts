import { isRecord, type Json } from "../api-request.ts";
import { SHAPE, type Refusal } from "../refusal.ts";

const ROLES: readonly unknown[] = ["user", "assistant", "system"];
const MOST_MESSAGES = 100_000;

/** Yields what the API's schema refuses, before any rule is checked. Afterwards `readApiRequest` can read the body. */
export function* shapeRefusals(body: Json): Generator<Refusal> {
  if (body["model"] === undefined) yield shape("model: Field required");
  else if (typeof body["model"] !== "string") yield shape("model: Input should be a valid string");
  yield* messagesRefusals(body["messages"]);
  const { system, tools } = body;
  if (system !== undefined && typeof system !== "string" && !Array.isArray(system)) yield shape("system: Input should be a valid array");
  if (Array.isArray(system)) yield* blockRefusals(system, "system");
  if (tools !== undefined && !Array.isArray(tools)) yield shape("tools: Input should be a valid array");
  for (const [index, tool] of (Array.isArray(tools) ? tools : []).entries()) {
    if (!isRecord(tool)) yield shape(`tools.${index}: Input should be an object`);
  }
  if (body["thinking"] !== undefined && !isRecord(body["thinking"])) yield shape("thinking: Input should be an object");
}

/** Not required in requests that only count tokens. */
export function* maxTokensRefusals(body: Json): Generator<Refusal> {
  const limit = body["max_tokens"];
  if (limit === undefined) yield shape("max_tokens: Field required");
  else if (typeof limit !== "number" || !Number.isInteger(limit)) yield shape("max_tokens: Input should be a valid integer");
  else if (limit < 0) yield shape("max_tokens: Input should be greater than or equal to 0"); // F: 0 fills the cache
}

function* messagesRefusals(messages: unknown): Generator<Refusal> {
  if (messages === undefined) yield shape("messages: Field required");
  if (!Array.isArray(messages)) yield shape("messages: Input should be a valid array");
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  if (list.length === 0) yield { rule: "A1.1", message: "messages: at least one message is required" };
  if (list.length > MOST_MESSAGES) yield { rule: "A1.1", message: `messages: Array should have at most ${MOST_MESSAGES} items, not ${list.length}` };
  for (const [position, message] of list.entries()) {
    if (isRecord(message)) yield* messageRefusals(message, `messages.${position}`);
    else yield shape(`messages.${position}: Input should be an object`);
  }
}

function* messageRefusals({ role, content }: Json, path: string): Generator<Refusal> {
  if (role === undefined) yield shape(`${path}.role: Field required`);
  else if (!ROLES.includes(role)) yield shape(`messages: Unexpected role ${JSON.stringify(role)}. Allowed roles are "user" or "assistant"`);
  // A1.11: a system message may have only an output_config.
  if (content === undefined && role !== "system") yield shape(`${path}.content: Field required`);
  if (Array.isArray(content)) yield* blockRefusals(content, `${path}.content`);
  else if (typeof content !== "string" && content !== undefined) yield shape(`${path}.content: Input should be a valid array`);
}

function* blockRefusals(blocks: readonly unknown[], path: string): Generator<Refusal> {
  for (const [index, block] of blocks.entries()) {
    if (!isRecord(block)) yield shape(`${path}.${index}: Input should be an object`);
    else if (typeof block["type"] !== "string") yield shape(`${path}.${index}.type: Field required`);
    else if (block["type"] === "text" && typeof block["text"] !== "string") yield shape(`${path}.${index}.text.text: Field required`);
    else if (block["type"] === "tool_result" && Array.isArray(block["content"])) yield* blockRefusals(block["content"], `${path}.${index}.tool_result.content`);
  }
}

function shape(message: string): Refusal {
  return { rule: SHAPE, message };
}
