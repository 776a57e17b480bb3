import { isRecord } from "../../errors/is-record.ts";
import { invalid } from "../../errors/palimpsest-error.ts";
import type { ScriptedCall, Turn } from "../protocol.ts";

/** A message of a recorded session, in Anthropic's shape. */
export interface RecordedMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

/**
 * Replays the assistant of a recorded session, with the same call ids: the n-th turn is the n-th response. Neighbouring assistant
 * messages are one response. In a response, thinking comes first and calls last; provider-run calls and results are left out.
 */
export function playTrajectory(messages: readonly RecordedMessage[]): readonly Turn[] {
  const responses: Block[][] = [];
  parseRecorded(messages);
  messages.forEach(({ role, content }, position) => {
    if (role !== "assistant") return;
    const blocks: readonly Block[] = typeof content === "string" ? [{ type: "text", text: content }] : (content as readonly Block[]);
    if (messages[position - 1]?.role === "assistant") responses.at(-1)?.push(...blocks);
    else responses.push([...blocks]);
  });
  return responses.map(turnOf);
}

function parseRecorded(messages: unknown): void {
  if (!Array.isArray(messages)) throw invalid("INVALID_INPUT", "messages", "an array of messages", messages);
  for (const [position, message] of (messages as readonly unknown[]).entries()) {
    const content = isRecord(message) ? message["content"] : undefined;
    const isContent = typeof content === "string" || (Array.isArray(content) && Array.from(content as readonly unknown[]).every(isRecord));
    if (!isContent) throw invalid("INVALID_INPUT", `messages.${position}`, "a message { role, content }", message);
  }
}

interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

function turnOf(blocks: readonly Block[]): Turn {
  const thinking = textsOf(blocks, "thinking", "thinking");
  const text = textsOf(blocks, "text", "text");
  const calls = blocks.filter(({ type }) => type === "tool_use").map(callOf);
  return {
    ...(thinking === "" ? {} : { thinking }),
    ...(blocks.some(({ type }) => type === "redacted_thinking") ? { redactedThinking: "not shown" } : {}),
    ...(text === "" ? {} : { text }),
    ...(calls.length === 0 ? {} : { calls }),
  };
}

function textsOf(blocks: readonly Block[], type: string, field: string): string {
  return blocks
    .filter((block) => block.type === type)
    .map((block) => textIn(block[field]))
    .join("\n\n");
}

function callOf({ id, name, input }: Block): ScriptedCall {
  return { id: textIn(id), name: textIn(name), input: (input ?? {}) as ScriptedCall["input"] };
}

/** Returns a string as it is, "" for anything else. */
function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
