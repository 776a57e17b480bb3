import type { ScriptedCall, Turn } from "../protocol.ts";

/** A message of a recorded session, in Anthropic's shape. */
export interface RecordedMessage {
  readonly role: string;
  readonly content: string | readonly object[];
}

/**
 * Says again what a recorded session's assistant said, with the same call ids: the n-th turn is the n-th response. Neighbouring
 * assistant messages are one response. Of a response, thinking comes first and calls last; what provider-run tools did is left out.
 */
export function playTrajectory(messages: readonly RecordedMessage[]): readonly Turn[] {
  const responses: Block[][] = [];
  messages.forEach(({ role, content }, position) => {
    if (role !== "assistant") return;
    const blocks: readonly Block[] = typeof content === "string" ? [{ type: "text", text: content }] : (content as readonly Block[]);
    if (messages[position - 1]?.role === "assistant") responses.at(-1)?.push(...blocks);
    else responses.push([...blocks]);
  });
  return responses.map(turnOf);
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
    .map((block) => String(block[field]))
    .join("\n\n");
}

function callOf({ id, name, input }: Block): ScriptedCall {
  return { id: String(id), name: String(name), input: (input ?? {}) as ScriptedCall["input"] };
}
