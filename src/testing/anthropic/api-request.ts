/** A request as the Messages API reads it: its shape was checked, and neighbouring messages of one role are one turn (A1.3). */
export interface ApiRequest {
  readonly body: Json;
  readonly model: string;
  readonly betas: ReadonlySet<string>;
  readonly tools: readonly Json[];
  readonly system: readonly Block[];
  readonly messages: readonly ApiMessage[];
  readonly turns: readonly Turn[];
  readonly thinking: "adaptive" | "manual" | "off";
  /** A4.8: thinking whose prefix changed is dropped instead of refused. */
  readonly dropsUnbound: boolean;
}

export type Json = Readonly<Record<string, unknown>>;

export interface Block extends Json {
  readonly type: string;
}

export interface ApiMessage {
  readonly role: string;
  readonly blocks: readonly Block[];
  readonly raw: Json;
}

/** A block and its indices in the request. */
export interface Placed {
  readonly block: Block;
  readonly position: number;
  readonly index: number;
}

/** System messages are not turns and do not split one. */
export interface Turn {
  readonly role: string;
  readonly blocks: readonly Placed[];
}

export type Headers = Readonly<Record<string, string | undefined>>;

/** Reads a body whose shape was already checked (`shapeRefusals`). */
export function readApiRequest(body: Json, headers: Headers): ApiRequest {
  const messages = recordsIn(body["messages"]).map((raw): ApiMessage => ({ role: textOf(raw["role"]), blocks: blocksIn(raw["content"]), raw }));
  const thinking = isRecord(body["thinking"]) ? body["thinking"] : {};
  const binding = isRecord(thinking["block_binding"]) ? thinking["block_binding"] : {};
  return {
    body,
    model: textOf(body["model"]),
    betas: new Set((headers["anthropic-beta"] ?? "").split(",").map((name) => name.trim())),
    tools: recordsIn(body["tools"]),
    system: blocksIn(body["system"]),
    messages,
    turns: turnsOf(messages),
    thinking: thinkingMode(thinking["type"]),
    dropsUnbound: binding["prefix_mismatch_behavior"] === "drop_block",
  };
}

function thinkingMode(type: unknown): ApiRequest["thinking"] {
  if (type === undefined || type === "disabled") return "off";
  return type === "enabled" ? "manual" : "adaptive";
}

function turnsOf(messages: readonly ApiMessage[]): readonly Turn[] {
  const turns: { role: string; blocks: Placed[] }[] = [];
  messages.forEach(({ role, blocks }, position) => {
    if (role === "system") return;
    const placed = blocks.map((block, index): Placed => ({ block, position, index }));
    const turn = turns.at(-1);
    if (turn?.role === role) turn.blocks.push(...placed);
    else turns.push({ role, blocks: placed });
  });
  return turns;
}

/** A string counts as one text block; the empty string as no block. */
export function blocksIn(content: unknown): readonly Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return Array.isArray(content) ? (content as Block[]) : [];
}

export function recordsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as Json[]) : [];
}

export function isRecord(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function pathOf({ position, index }: Omit<Placed, "block">): string {
  return `messages.${position}.content.${index}`;
}

export function allBlocks(messages: readonly ApiMessage[]): readonly Placed[] {
  return messages.flatMap(({ blocks }, position) => blocks.map((block, index) => ({ block, position, index })));
}

export function isCall({ type }: Block): boolean {
  return type === "tool_use";
}

export function isResult({ type }: Block): boolean {
  return type === "tool_result";
}

export function isServerCall({ type }: Block): boolean {
  return type === "server_tool_use" || type === "mcp_tool_use";
}

export function isServerResult({ type }: Block): boolean {
  return type !== "tool_result" && type.endsWith("_tool_result");
}

export function isThought({ type }: Block): boolean {
  return type === "thinking" || type === "redacted_thinking";
}
