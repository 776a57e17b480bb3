import { isCall, isResult, isServerCall, isServerResult, textOf, type ApiMessage, type ApiRequest, type Block } from "../api-request.ts";
import { isBlank, type Refusal } from "../refusal.ts";

/** A1: the first and last role, empty content, and the places of system messages. */
export function* structureRefusals(request: ApiRequest): Generator<Refusal> {
  const { messages } = request;
  yield* firstRefusals(messages);
  for (const [position, message] of messages.entries()) {
    if (message.role === "system") yield* systemRefusals(messages, position);
    else yield* emptyRefusals(message, position, position === messages.length - 1);
  }
}

/** A1.2: the first message is the user's, or has a compaction block that the provider signed. */
function* firstRefusals(messages: readonly ApiMessage[]): Generator<Refusal> {
  const first = messages.find(({ role }) => role !== "system");
  const [opening] = first?.blocks ?? [];
  const isCompacted = opening?.type === "compaction" && opening["signature"] !== undefined;
  if (first?.role === "assistant" && !isCompacted) yield { rule: "A1.2", message: 'messages: first message must use the "user" role' };
}

function* emptyRefusals({ role, blocks }: ApiMessage, position: number, isLast: boolean): Generator<Refusal> {
  if (blocks.length === 0 && !(isLast && role === "assistant"))
    yield { rule: "A1.4", message: `messages.${position}: all messages must have non-empty content except for the optional final assistant message` };
  for (const block of blocks) {
    if (block.type !== "text") continue;
    const text = textOf(block["text"]);
    if (text === "") yield { rule: "A1.5", message: "messages: text content blocks must be non-empty" };
    else if (isBlank(text)) yield { rule: "A1.6", message: "messages: text content blocks must contain non-whitespace text" };
  }
}

/** The table has no error text for A1.10 and A1.11, so these texts are ours. */
function* systemRefusals(messages: readonly ApiMessage[], position: number): Generator<Refusal> {
  const path = `messages.${position}`;
  const before = messages.slice(0, position).filter(({ role }) => role !== "system");
  const after = messages.slice(position + 1).find(({ role }) => role !== "system");
  const previous = before.at(-1);
  if (previous === undefined) yield { rule: "A1.10", message: `${path}: a \`system\` message cannot be the first message` };
  else if (previous.role !== "user" && !followsServerResult(messages, position, before))
    yield { rule: "A1.10", message: `${path}: a \`system\` message must directly follow a \`user\` message or a server tool result` };
  if (after !== undefined && after.role !== "assistant")
    yield { rule: "A1.10", message: `${path}: a \`system\` message must be last or be followed by an \`assistant\` message` };
  yield* systemContentRefusals(messages[position], path);
}

/** A1.10: after a server tool's result, but never between a call and the result that answers it. */
function followsServerResult(messages: readonly ApiMessage[], position: number, before: readonly ApiMessage[]): boolean {
  const turn = before.slice(before.findLastIndex(({ role }) => role === "user") + 1).flatMap(({ blocks }) => blocks);
  const last = before.at(-1)?.blocks.at(-1);
  const later = messages.slice(position).flatMap(({ blocks }) => blocks.filter(isResult));
  const answered = new Set(later.map((block) => block["tool_use_id"]));
  return last !== undefined && isServerResult(last) && !turn.some((block) => isCall(block) && answered.has(block["id"]));
}

const SYSTEM_BLOCKS: ReadonlySet<string> = new Set(["text", "tool_addition", "tool_removal"]);

function* systemContentRefusals(message: ApiMessage | undefined, path: string): Generator<Refusal> {
  if (message === undefined) return;
  const { blocks, raw } = message;
  if (blocks.length === 0 && raw["output_config"] === undefined)
    yield { rule: "A1.11", message: `${path}: a \`system\` message needs content or an output_config` };
  for (const [index, block] of blocks.entries()) {
    const at = `${path}.content.${index}`;
    if (!SYSTEM_BLOCKS.has(block.type)) yield { rule: "A1.11", message: `${at}: \`${block.type}\` blocks are not allowed in \`system\` messages` };
    if (block.type === "text" && isBlank(textOf(block["text"])))
      yield { rule: "A1.11", message: "messages: text content blocks must contain non-whitespace text" };
    if (raw["clear_at"] !== undefined && block["cache_control"] !== undefined)
      yield { rule: "A1.11", message: `${at}: cache_control cannot be set on a message with clear_at` };
  }
}

/** A1.7, A1.8, A1.9: a final assistant message is a prefill, unless it is a turn that the provider paused. */
export function* prefillRefusals(
  { messages, turns, thinking }: ApiRequest,
  prefill: boolean,
  isPaused: (blocks: readonly Block[]) => boolean,
): Generator<Refusal> {
  const last = messages.at(-1);
  const turn = turns.at(-1)?.blocks.map(({ block }) => block) ?? [];
  if (last?.role !== "assistant" || waitsForServer(turn) || isPaused(turn)) return;
  if (!prefill) yield { rule: "A1.8", message: "This model does not support assistant message prefill. The conversation must end with a user message." };
  const end = last.blocks.at(-1);
  const text = end?.type === "text" ? textOf(end["text"]) : "";
  if (text !== text.trimEnd()) yield { rule: "A1.7", message: "messages: final assistant content cannot end with trailing whitespace" };
  if (thinking !== "off") yield { rule: "A1.9", message: "messages: assistant message prefill is not supported while thinking is enabled" };
}

function waitsForServer(blocks: readonly Block[]): boolean {
  const answered = new Set(blocks.filter(isServerResult).map((block) => block["tool_use_id"]));
  return blocks.some((block) => isServerCall(block) && !answered.has(block["id"]));
}
