import { assistantModelMessageSchema, systemModelMessageSchema, toolModelMessageSchema, userModelMessageSchema } from "ai";
import type { AiMessage, AiPart, AiToolOutput, AiToolResult } from "../../../src/formats/ai-sdk/ai-message.ts";
import { aiSdk } from "../../../src/formats/ai-sdk/ai-sdk.ts";
import { isText, isThinking, isToolResult, isToolUse, type Block, type ToolResultBlock, type ToolUseBlock } from "../../../src/messages/message.ts";
import type { NativeFormat } from "./native-format.ts";
import { turnsToWrite, type TurnToWrite } from "./turns-to-write.ts";

export const aiSdkFormat: NativeFormat<AiMessage, AiToolResult> = {
  codec: aiSdk,
  write: (messages, style) => new Writer(style, turnsToWrite(messages)).write(),
  faults: aiFaults,
  resultsOf: (messages) => messages.filter(({ role }) => role === "tool").flatMap((message) => partsOf(message).filter(isResult)),
  resultLength: ({ output }) => outputLength(output),
};

/** Any part, with the fields that only some have. */
interface AnyPart extends AiPart {
  readonly text?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly input?: unknown;
  readonly output?: AiToolOutput;
  readonly providerExecuted?: boolean;
  readonly approvalId?: string;
  readonly approved?: boolean;
  readonly reason?: string;
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

function partsOf({ content }: AiMessage): readonly AnyPart[] {
  return typeof content === "string" ? [] : content;
}

function isResult(part: AiPart): part is AiToolResult {
  return part.type === "tool-result";
}

/** Writes one conversation. What the SDK lets one write in several ways is written in all of them: which, the style and a count decide. */
class Writer {
  readonly #style: number;
  readonly #turns: readonly TurnToWrite[];
  #count = 0;
  readonly #repeated: ReadonlySet<string>;
  /** The approvals that were asked for and not given yet, by call. */
  readonly #asked = new Map<string, string>();
  /** Calls that the provider has yet to answer. */
  readonly #waiting: string[] = [];
  /** The reasoning that what follows it needs (C4). */
  #reasoning: string | undefined;

  constructor(style: number, turns: readonly TurnToWrite[]) {
    this.#style = style;
    this.#turns = turns;
    const ids = turns.flatMap(({ blocks }) => blocks.filter(isToolUse).map(({ id }) => id));
    this.#repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  }

  write(): AiMessage[] {
    const head: AiMessage[] = this.#style % 3 === 0 ? [] : [{ role: "system", content: "You are an agent." }];
    const messages = this.#turns.flatMap((turn, index) => this.#turn(turn, this.#turns[index + 1]));
    const log = this.#withPendingApprovals([...head, ...messages]).map((message, index) =>
      index % 7 === 3 && index < 30 ? withMarker(message, index) : message,
    );
    for (const message of log) written.add(message);
    return log;
  }

  /** True in one of `of` cases. */
  #chance(of: number): boolean {
    return (this.#style * 7 + this.#count++ * 5) % of === 0;
  }

  #turn({ role, blocks }: TurnToWrite, next: TurnToWrite | undefined): AiMessage[] {
    if (role === "system") return [{ role, content: textOf(blocks) }];
    if (role === "user") return this.#user(blocks);
    const isAnswered = next?.role === "user" && next.blocks.every(isToolResult);
    const [asking, first] = this.#chance(6) ? this.#approvedByProvider() : [[], []];
    return [...asking, { role, content: this.#assistant(blocks, first, isAnswered) }];
  }

  #assistant(blocks: readonly Block[], first: readonly AnyPart[], isAnswered: boolean): string | AnyPart[] {
    this.#reasoning = undefined;
    const late = this.#waiting.splice(0).map((id) => providerResult(id));
    const said = blocks.flatMap((block) => this.#assistantPart(block));
    const own = [...late, ...first, ...this.#providerTools(isAnswered && blocks.some(isToolUse))];
    const start = said.findLastIndex((part) => part.type === "reasoning") + 1;
    const parts = [...said.slice(0, start), ...own, ...said.slice(start)];
    const [only] = parts;
    if (parts.every(({ type }) => type === "reasoning")) return [...parts, { type: "text", text: "…" }];
    return parts.length === 1 && only?.type === "text" && this.#chance(2) ? (only.text ?? "") : parts;
  }

  #assistantPart(block: Block): AnyPart[] {
    if (isThinking(block)) return [this.#reasoningPart()];
    if (isToolUse(block)) return this.#call(block);
    if (!isText(block)) return this.#chance(2) ? [{ type: "custom", kind: "test.block" } as AnyPart] : [file()];
    return [{ type: "text", text: block.text, ...this.#itemId("msg") }];
  }

  #reasoningPart(): AnyPart {
    this.#reasoning = this.#chance(2) ? `rs_${this.#count}` : undefined;
    const options = this.#reasoning === undefined ? { anthropic: { signature: "sig" } } : { openai: { itemId: this.#reasoning } };
    return { type: "reasoning", text: "Let me see.", providerOptions: options };
  }

  #itemId(prefix: string): Partial<AnyPart> {
    return this.#reasoning === undefined ? {} : { providerOptions: { openai: { itemId: `${prefix}_${this.#count++}:${this.#reasoning}` } } };
  }

  #call(block: ToolUseBlock): AnyPart[] {
    const call: AnyPart = { type: "tool-call", toolCallId: block.id, toolName: block.name, input: block.input, ...this.#itemId("fc") };
    // Whose approval is it, where ids repeat? The SDK does not say.
    if (!this.#chance(5) || this.#repeated.has(block.id)) return [call];
    const approvalId = `ap_${this.#count++}`;
    this.#asked.set(block.id, approvalId);
    const request: AnyPart = { type: "tool-approval-request", approvalId, toolCallId: block.id };
    return [call, request];
  }

  /** A tool that the provider runs, with its result in the turn, or in the next one if the client answers nothing but calls between them. */
  #providerTools(mayWait: boolean): AnyPart[] {
    if (!this.#chance(4)) return [];
    const id = `srv_${this.#count++}`;
    if (!mayWait || this.#chance(2)) return [providerCall(id), providerResult(id)];
    this.#waiting.push(id);
    return [providerCall(id)];
  }

  /** The provider asks before it runs a tool; once it may, it writes the call a second time, with its result. */
  #approvedByProvider(): [AiMessage[], AnyPart[]] {
    const id = `mcp_${this.#count++}`;
    const approvalId = `mcpr_${this.#count++}`;
    const approved = !this.#chance(3);
    const denial = approved ? [] : [{ ...providerResult(id), output: { type: "execution-denied" } }];
    const asks: AiMessage = { role: "assistant", content: [providerCall(id), { type: "tool-approval-request", approvalId, toolCallId: id } as AnyPart] };
    const answers: AiMessage = {
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId, approved, providerExecuted: true } as AnyPart, ...denial],
    };
    return [[asks, answers], approved ? [providerCall(id), providerResult(id)] : []];
  }

  #user(blocks: readonly Block[]): AiMessage[] {
    const results = blocks.filter(isToolResult).map((block) => this.#answer(block));
    const others = blocks.filter((block) => !isToolResult(block));
    const tools = this.#chance(2) ? results.map((content): AiMessage => ({ role: "tool", content })) : [{ role: "tool" as const, content: results.flat() }];
    return [...(results.length === 0 ? [] : tools), ...(others.length === 0 ? [] : [{ role: "user" as const, content: this.#userContent(others) }])];
  }

  #userContent(blocks: readonly Block[]): string | AnyPart[] {
    return blocks.every(isText) && this.#chance(2) ? textOf(blocks) : blocks.map(userPart);
  }

  #answer(block: ToolResultBlock): AnyPart[] {
    const approvalId = this.#asked.get(block.tool_use_id);
    this.#asked.delete(block.tool_use_id);
    const isDenied = approvalId !== undefined && this.#chance(3);
    const output = isDenied ? { type: "execution-denied", ...(this.#chance(2) ? { reason: "Not now." } : {}) } : this.#output(block);
    const result: AnyPart = { type: "tool-result", toolCallId: block.tool_use_id, toolName: "tool", output };
    return approvalId === undefined ? [result] : [{ type: "tool-approval-response", approvalId, approved: !isDenied }, result];
  }

  #output({ content = "", is_error: isError = false }: ToolResultBlock): AiToolOutput {
    const text = typeof content === "string" ? content : textOf(content);
    if (this.#chance(3)) return { type: isError ? "error-json" : "json", value: { lines: text.split("\n"), more: null } };
    if (isError || (typeof content === "string" && this.#chance(2))) return { type: isError ? "error-text" : "text", value: text };
    return { type: "content", value: (typeof content === "string" ? [{ type: "text", text: content } as Block] : content).map(contentPart) };
  }

  /** Where calls wait for nothing but an approval, it may just have been given: the SDK then runs them itself. */
  #withPendingApprovals(messages: readonly AiMessage[]): AiMessage[] {
    const last = messages.at(-1);
    if (this.#asked.size === 0 || last === undefined || last.role === "user" || last.role === "system" || this.#chance(2)) return [...messages];
    const given = [...this.#asked.values()].map((approvalId): AnyPart => ({ type: "tool-approval-response", approvalId, approved: this.#chance(2) }));
    return last.role === "tool"
      ? [...messages.slice(0, -1), { ...last, content: [...partsOf(last), ...given] }]
      : [...messages, { role: "tool", content: given }];
  }
}

const CACHE_MARKER = "cacheControl";

/** The SDK has a cache marker on the message, for its last part. */
function withMarker(message: AiMessage, id: number): AiMessage {
  return { ...message, providerOptions: { anthropic: { [CACHE_MARKER]: { type: "ephemeral", id } } } } as AiMessage;
}

function markerOf(message: AiMessage): number | undefined {
  const marker = (message as unknown as AnyPart).providerOptions?.["anthropic"]?.[CACHE_MARKER];
  return (marker as { readonly id: number } | undefined)?.id;
}

function providerCall(toolCallId: string): AnyPart {
  return { type: "tool-call", toolCallId, toolName: "web_search", input: { query: "q" }, providerExecuted: true };
}

function providerResult(toolCallId: string): AnyPart {
  return { type: "tool-result", toolCallId, toolName: "web_search", output: { type: "json", value: [{ url: "https://example.com" }] } };
}

function textOf(blocks: readonly Block[]): string {
  return blocks
    .filter(isText)
    .map(({ text }) => text)
    .join("\n");
}

function file(): AnyPart {
  return { type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" } as AnyPart;
}

function userPart(block: Block): AnyPart {
  if (isText(block)) return { type: "text", text: block.text };
  if (block.type === "system_reminder" && "text" in block) return { type: "text", text: `<system-reminder>${String(block.text)}</system-reminder>` };
  return block.type === "image" ? ({ type: "image", image: "iVBORw0KGgo=" } as AnyPart) : file();
}

function contentPart(block: Block): AnyPart {
  if (isText(block)) return { type: "text", text: block.text };
  return { type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo=" } } as AnyPart;
}

/** What the SDK or a provider behind it refuses, read a second time: the shape by the SDK's own schema, the rest by looking back from each part. */
function aiFaults(messages: readonly AiMessage[]): string[] {
  const found: string[] = messages.length === 0 ? ["E2:empty"] : [];
  const all = messages.flatMap(partsOf);
  const requests = all.filter(({ type }) => type === "tool-approval-request");
  messages.forEach((message, position) => {
    if (!fitsSchema(message)) found.push(`E6:${message.role}`);
    if (message.role === "user" || message.role === "system") found.push(...missing(messages.slice(0, position), false));
    found.push(...faultsInside(message));
  });
  // A history too: an open call may still be answered, but an approval that has something after it is never looked at again.
  found.push(...missing(messages, true));
  const unanswered: (string | undefined)[] = [];
  for (const { type, toolCallId, approvalId } of all) {
    const call = type === "tool-result" ? unanswered.indexOf(toolCallId) : -1;
    if (type === "tool-call") unanswered.push(toolCallId);
    else if (call !== -1) unanswered.splice(call, 1);
    else if (type === "tool-result") found.push(`E3:${toolCallId ?? ""}`);
    else if (type === "tool-approval-response" && !requests.some((request) => request.approvalId === approvalId)) found.push(`E4:${approvalId ?? ""}`);
  }
  const markers = messages.flatMap((message) => markerOf(message) ?? []);
  for (const [number, id] of markers.entries()) if (markers.indexOf(id) !== number) found.push(`A6:${id}`);
  return found;
}

/** An approval without the call that it is about (E5), and what refers to reasoning that is not there (C4). */
function faultsInside(message: AiMessage): string[] {
  const parts = partsOf(message);
  const itemIdOf = (part: AnyPart): string => (part.providerOptions?.["openai"]?.["itemId"] ?? "") as string;
  return parts.flatMap((part, index) => {
    const needed = itemIdOf(part).split(":")[1];
    const isLost = needed !== undefined && !parts.slice(0, index).some((other) => other.type === "reasoning" && itemIdOf(other) === needed);
    const isOrphan = part.type === "tool-approval-request" && !parts.some((call) => call.type === "tool-call" && call.toolCallId === part.toolCallId);
    return [...(isLost ? [`C4:${needed}`] : []), ...(isOrphan ? [`E5:${part.approvalId ?? ""}`] : [])];
  });
}

const SCHEMAS = { system: systemModelMessageSchema, user: userModelMessageSchema, assistant: assistantModelMessageSchema, tool: toolModelMessageSchema };

/** The schema is slow. That the writer writes what fits it is a test of its own. */
const written = new WeakSet<AiMessage>();

function fitsSchema(message: AiMessage): boolean {
  return written.has(message) || SCHEMAS[message.role].safeParse(message).success;
}

/**
 * E1, for the calls of the client that have no result at the end of these messages, since a user or system message was last
 * in the way. Of two calls with one id the SDK asks only for one result, but no provider does (A2.5, B1).
 *
 * `isEnd`: nothing comes after them. There, and only there, the SDK looks for approvals, in the last message and nowhere else, and runs
 * the calls itself (`collectToolApprovals` in `ai`): they lack nothing. After any other words, the assistant's too, it runs nothing and
 * throws `AI_MissingToolResultsError` (`test/ai-sdk.test.ts` shows both).
 */
function missing(messages: readonly AiMessage[], isEnd: boolean): string[] {
  const start = messages.findLastIndex(({ role }) => role === "user" || role === "system") + 1;
  const open: { readonly id: string; readonly approvals: string[] }[] = [];
  const last = isEnd ? messages.at(-1) : undefined;
  const answers = last?.role === "tool" ? partsOf(last) : [];
  const given = answers.flatMap(({ type, approvalId }) => (type === "tool-approval-response" ? [approvalId] : []));
  for (const message of messages.slice(start)) {
    for (const { type, toolCallId: id = "", providerExecuted, approvalId = "" } of partsOf(message)) {
      const call = open.findLastIndex((other) => other.id === id);
      if (type === "tool-call" && providerExecuted !== true) open.push({ id, approvals: [] });
      else if (type === "tool-approval-request") open[call]?.approvals.push(approvalId);
      else if (type === "tool-result" && message.role === "tool" && call !== -1) open.splice(call, 1);
    }
  }
  return open.flatMap(({ id, approvals }) => (approvals.some((approval) => given.includes(approval)) ? [] : [`E1:${id}`]));
}

function outputLength(output: AiToolOutput): number {
  const { type, value } = output;
  if (type === "execution-denied") return (output.reason ?? "Tool execution denied.").length;
  if (typeof value === "string" && !type.endsWith("json")) return value.length;
  if (type !== "content") return JSON.stringify(value).length;
  return (value as readonly AiPart[]).filter(isText).reduce((sum, part) => sum + part.text.length, 0);
}
