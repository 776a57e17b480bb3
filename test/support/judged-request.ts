/**
 * How the judge reads a request. Nothing here comes from the package: the judge knows the rule table only, so that an
 * error in the package's own reading of a conversation cannot hide itself.
 */
export interface JudgedMessage {
  readonly role: string;
  readonly content: string | readonly JudgedBlock[];
}

export interface JudgedBlock {
  readonly type: string;
}

export interface JudgeTarget {
  readonly thinking?: "adaptive" | "manual" | "off";
  readonly prefill?: boolean;
  /** A history, not a request: the rules for the last message are off, and a round at the end may be unfinished. */
  readonly history?: boolean;
}

/** Neighbouring messages of one role, which the provider merges (A1.3). System messages are no turns and cut none. */
export interface Turn {
  readonly role: string;
  readonly blocks: readonly JudgedBlock[];
}

export interface Request {
  readonly messages: readonly JudgedMessage[];
  readonly turns: readonly Turn[];
  readonly target: Required<JudgeTarget>;
}

/** A string counts as one text block. */
export function blocksIn(message: JudgedMessage): readonly JudgedBlock[] {
  if (typeof message.content !== "string") return message.content;
  const only: JudgedBlock & { text: string } = { type: "text", text: message.content };
  return [only];
}

export function readRequest(messages: readonly JudgedMessage[], target: JudgeTarget): Request {
  const turns: { role: string; blocks: JudgedBlock[] }[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const turn = turns.at(-1);
    if (turn?.role === message.role) turn.blocks.push(...blocksIn(message));
    else turns.push({ role: message.role, blocks: [...blocksIn(message)] });
  }
  const { thinking = "adaptive", prefill = false, history = false } = target;
  return { messages, turns, target: { thinking, prefill, history } };
}

export function field(block: object, name: string): unknown {
  return Object.hasOwn(block, name) ? (block as Record<string, unknown>)[name] : undefined;
}

export function textField(block: object, name: string): string {
  const value = field(block, name);
  return typeof value === "string" ? value : "";
}

export function isCall(block: JudgedBlock): boolean {
  return block.type === "tool_use";
}

export function isResult(block: JudgedBlock): boolean {
  return block.type === "tool_result";
}

export function isServerUse(block: JudgedBlock): boolean {
  return block.type === "server_tool_use" || block.type === "mcp_tool_use";
}

export function isServerAnswer(block: JudgedBlock): boolean {
  return block.type !== "tool_result" && block.type.endsWith("_tool_result");
}

export function isThought(block: JudgedBlock): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

/** The message without cache markers, which are no part of what is said (they move freely, A4.8). */
export function withoutMarkers(block: JudgedBlock): JudgedBlock {
  const { cache_control: _, ...rest } = block as JudgedBlock & { cache_control?: unknown };
  const inner = field(rest, "content");
  if (!isResult(block) || !Array.isArray(inner)) return rest;
  const content: unknown = (inner as JudgedBlock[]).map(withoutMarkers);
  return Object.assign({ ...rest }, { content });
}

/** Names a piece of content the same way wherever it stands: eight hex digits of its JSON. */
export function digest(content: string | readonly JudgedBlock[] | JudgedBlock): string {
  const json = JSON.stringify(typeof content === "string" ? [{ type: "text", text: content }] : [content].flat().map(withoutMarkers));
  let hash = 0x811c9dc5;
  for (let i = 0; i < json.length; i += 1) hash = Math.imul(hash ^ json.charCodeAt(i), 0x01000193) >>> 0;
  return hash.toString(16).padStart(8, "0");
}

export function isBlank(text: string): boolean {
  return text.trim() === "";
}

/** Does a user turn belong to a tool loop? */
export function answersCalls(turn: Turn | undefined): boolean {
  return turn?.role === "user" && turn.blocks.some(isResult);
}

export function holdsResultsOnly(turn: Turn | undefined): boolean {
  return turn?.role === "user" && turn.blocks.length > 0 && turn.blocks.every(isResult);
}
