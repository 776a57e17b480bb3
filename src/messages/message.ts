/**
 * Anthropic's message shape is the canonical one. Types here name only the fields this package reads;
 * unknown blocks and unknown fields are legal everywhere and pass through untouched.
 */
export interface Message {
  readonly role: "user" | "assistant" | "system";
  readonly content: string | readonly (Block | OpenBlock)[];
}

export interface Block {
  readonly type: string;
}

/** The same for literals, which may have any field. */
export interface OpenBlock extends Block {
  readonly [field: string]: unknown;
}

export interface TextBlock extends Block {
  readonly type: "text";
  readonly text: string;
}

export interface ThinkingBlock extends Block {
  readonly type: "thinking" | "redacted_thinking";
}

export interface ToolUseBlock extends Block {
  readonly type: "tool_use";
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultBlock extends Block {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content?: string | readonly Block[];
  readonly is_error?: boolean;
}

/** `server_tool_use` and `mcp_tool_use`: the provider runs them inside the assistant turn (A3.1). */
export interface ServerCallBlock extends Block {
  readonly id: string;
}

/** `web_search_tool_result`, `mcp_tool_result` and the like, in the assistant turn (A3.1). */
export interface ServerResultBlock extends Block {
  readonly tool_use_id: string;
}

export interface CheckpointBlock extends Block {
  readonly type: "checkpoint";
  readonly id: string;
}

export function isText(block: Block): block is TextBlock {
  return block.type === "text";
}

export function isThinking(block: Block): block is ThinkingBlock {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

export function isToolUse(block: Block): block is ToolUseBlock {
  return block.type === "tool_use";
}

export function isToolResult(block: Block): block is ToolResultBlock {
  return block.type === "tool_result";
}

export function isServerCall(block: Block): block is ServerCallBlock {
  return block.type === "server_tool_use" || block.type === "mcp_tool_use";
}

/** Every provider-run tool has its own result type; all end in `_tool_result`. */
export function isServerResult(block: Block): block is ServerResultBlock {
  return block.type.endsWith("_tool_result");
}

/** A call or a result, run by the client or by the provider: what must stay or go together. */
export function isPaired(block: Block): boolean {
  return isToolUse(block) || isToolResult(block) || isServerCall(block) || isServerResult(block);
}

/** String content counts as one text block. */
export function blocksOf(message: Message): readonly Block[] {
  return typeof message.content === "string" ? [textBlock(message.content)] : message.content;
}

export function blockAt(messages: readonly Message[], at: { readonly position: number; readonly block: number }): Block | undefined {
  const content = messages[at.position]?.content;
  if (typeof content === "string") return at.block === 0 ? textBlock(content) : undefined;
  return content?.[at.block];
}

export function blockCount(message: Message): number {
  return typeof message.content === "string" ? 1 : message.content.length;
}

export function textBlock(text: string): TextBlock {
  return { type: "text", text };
}

/** Returns the readable text of a tool result: its string, or its text blocks joined by line breaks. */
export function resultText(block: ToolResultBlock): string {
  if (typeof block.content === "string") return block.content;
  return (block.content ?? [])
    .filter(isText)
    .map((part) => part.text)
    .join("\n");
}

/** Returns the provider-run block that made this call (programmatic tool calling, A3.3), if any. */
export function callerOf(block: ToolUseBlock): string | undefined {
  const { caller } = block as ToolUseBlock & { readonly caller?: unknown };
  if (typeof caller !== "object" || caller === null || !("tool_id" in caller)) return undefined;
  return typeof caller.tool_id === "string" ? caller.tool_id : undefined;
}
