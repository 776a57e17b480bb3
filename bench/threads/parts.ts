import type { Block, Message } from "../../src/index.ts";

/** The blocks that the converters know by name, with the fields that they read. */
export type Part =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature?: string }
  | { readonly type: "redacted_thinking"; readonly data: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: Record<string, unknown> }
  | ResultPart;

export interface ResultPart {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
}

const KNOWN: ReadonlySet<string> = new Set(["text", "thinking", "redacted_thinking", "tool_use", "tool_result"]);

export function blocksOf({ content }: Pick<Message, "content">): readonly Block[] {
  return typeof content === "string" ? [textBlock(content)] : content;
}

/** A message's blocks; kinds that no peer has are shown as the text of their JSON. */
export function partsOf(message: Message): Part[] {
  return blocksOf(message).map((block) => (KNOWN.has(block.type) ? (block as Part) : { type: "text", text: JSON.stringify(block) }));
}

/** The text of a tool result. */
export function textOf({ content }: ResultPart): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.map((block) => ("text" in block && typeof block.text === "string" ? block.text : JSON.stringify(block))).join("\n");
}

export function textBlock(text: string): Block & { readonly text: string } {
  return { type: "text", text };
}

/** The names of the tools by the ids of their calls. */
export function toolNames(messages: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const message of messages) {
    for (const part of partsOf(message)) if (part.type === "tool_use") names.set(part.id, part.name);
  }
  return names;
}
