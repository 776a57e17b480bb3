import type { MessageEntry } from "../formats/transcripts/transcript-format.ts";
import { blocksOf, isThinking, isToolResult, isToolUse, type Block, type ToolResultBlock, type ToolUseBlock } from "../messages/message.ts";
import { blockSize } from "./context-size.ts";
import { createRepeatFinder, type Repeats } from "./repeated-results.ts";

/** What fills a context. All sizes are estimated tokens. */
export interface ContextProfile {
  /** Messages as the file counts them. */
  readonly messages: number;
  readonly toolCalls: number;
  /** The number of responses, however many messages each has. */
  readonly modelCalls: number;
  readonly tokens: number;
  readonly byRole: Readonly<Record<"user" | "assistant" | "tool" | "system", number>>;
  readonly byKind: readonly Share[];
  readonly byTool: readonly ToolShare[];
  /** Shares of turns; a turn lasts from one user message to the next. */
  readonly byTurn: readonly TurnShare[];
  readonly biggestResults: readonly SizedResult[];
  readonly repeats: Repeats;
  readonly growth: readonly GrowthPoint[];
}

export interface Share {
  readonly name: string;
  readonly tokens: number;
}

export interface ToolShare extends Share {
  readonly calls: number;
  readonly callTokens: number;
  readonly resultTokens: number;
}

export interface TurnShare {
  readonly from: number;
  readonly tokens: number;
  readonly toolCalls: number;
}

export interface SizedResult {
  readonly position: number;
  readonly tool: string;
  readonly call: string;
  readonly tokens: number;
}

/** The tokens that the model read for one response, and when. */
export interface GrowthPoint {
  readonly contextTokens: number;
  readonly outputTokens: number;
  readonly atMs?: number;
}

export interface ProfileOptions {
  /** The model's tokens per estimated token. */
  readonly tokenFactor: number;
  /** System prompt and tools, as far as known. */
  readonly headTokens: number;
}

const BIGGEST = 10;

/** Takes messages one by one and keeps only sizes, so that a file of any length can be profiled. */
export class ContextProfiler {
  readonly #options: ProfileOptions;
  readonly #byRole = { user: 0, assistant: 0, tool: 0, system: 0 };
  readonly #byKind = new Map<string, number>();
  readonly #byTool = new Map<string, { calls: number; callTokens: number; resultTokens: number }>();
  readonly #turns: { from: number; tokens: number; toolCalls: number }[] = [];
  readonly #biggest: SizedResult[] = [];
  readonly #growth: GrowthPoint[] = [];
  readonly #repeats = createRepeatFinder();
  /** Unanswered calls by id, the nearest last. */
  readonly #open = new Map<string, ToolUseBlock[]>();
  #position = 0;
  #messages = 0;
  #toolCalls = 0;
  #tokens: number;

  constructor(options: ProfileOptions) {
    this.#options = options;
    this.#tokens = options.headTokens;
    this.#byRole.system = options.headTokens;
    if (options.headTokens > 0) this.#byKind.set("system prompt and tools", options.headTokens);
  }

  add({ message, nativeMessages, atMs, usage }: MessageEntry): void {
    const before = this.#tokens;
    const blocks = blocksOf(message);
    if (message.role === "user" && !blocks.some(isToolResult)) this.#turns.push({ from: this.#position, tokens: 0, toolCalls: 0 });
    for (const block of blocks) this.#addBlock(block, message.role);
    if (message.role === "assistant") {
      // Some harnesses record the usage when the answer begins, so the size of the answer is the lower limit.
      const outputTokens = Math.max(usage?.outputTokens ?? 0, this.#tokens - before);
      this.#growth.push({ contextTokens: before, outputTokens, ...(atMs === undefined ? {} : { atMs }) });
    }
    this.#messages += nativeMessages;
    this.#position++;
  }

  finish(): ContextProfile {
    const { user, assistant, tool, system } = this.#byRole;
    return {
      messages: this.#messages,
      toolCalls: this.#toolCalls,
      modelCalls: this.#growth.length,
      tokens: this.#tokens,
      byRole: { user, assistant, tool, system },
      byKind: largestFirst([...this.#byKind].map(([name, tokens]) => ({ name, tokens }))),
      byTool: largestFirst([...this.#byTool].map(([name, share]) => ({ name, tokens: share.callTokens + share.resultTokens, ...share }))),
      byTurn: this.#turns,
      biggestResults: this.#biggest,
      repeats: this.#repeats.finish(),
      growth: this.#growth,
    };
  }

  #addBlock(block: Block, role: "user" | "assistant" | "system"): void {
    const tokens = blockSize(block, this.#options.tokenFactor);
    this.#tokens += tokens;
    this.#byRole[isToolResult(block) ? "tool" : role] += tokens;
    const kind = isThinking(block) ? "thinking" : block.type;
    this.#byKind.set(kind, (this.#byKind.get(kind) ?? 0) + tokens);
    const turn = this.#turns.at(-1);
    if (turn !== undefined) turn.tokens += tokens;
    if (isToolUse(block)) this.#addCall(block, tokens);
    else if (isToolResult(block)) this.#addResult(block, tokens);
  }

  #addCall(call: ToolUseBlock, tokens: number): void {
    this.#toolCalls++;
    const turn = this.#turns.at(-1);
    if (turn !== undefined) turn.toolCalls++;
    const share = this.#shareOf(call.name);
    share.calls++;
    share.callTokens += tokens;
    const sameId = this.#open.get(call.id);
    if (sameId === undefined) this.#open.set(call.id, [call]);
    else sameId.push(call);
  }

  #addResult(result: ToolResultBlock, tokens: number): void {
    const waiting = this.#open.get(result.tool_use_id);
    const call = waiting?.pop();
    if (waiting?.length === 0) this.#open.delete(result.tool_use_id);
    const tool = call?.name ?? "(no call)";
    this.#shareOf(tool).resultTokens += tokens;
    if (call !== undefined) this.#repeats.add(call, result, this.#position, tokens);
    const last = this.#biggest.at(-1);
    if (this.#biggest.length === BIGGEST && last !== undefined && last.tokens >= tokens) return;
    this.#biggest.push({ position: this.#position, tool, call: gistOf(call?.input), tokens });
    this.#biggest.sort((a, b) => b.tokens - a.tokens || a.position - b.position);
    if (this.#biggest.length > BIGGEST) this.#biggest.pop();
  }

  #shareOf(tool: string): { calls: number; callTokens: number; resultTokens: number } {
    let share = this.#byTool.get(tool);
    if (share === undefined) this.#byTool.set(tool, (share = { calls: 0, callTokens: 0, resultTokens: 0 }));
    return share;
  }
}

const GIST_CHARS = 80;

/** Returns the first meaningful argument of a call, on one line. */
function gistOf(input: unknown): string {
  if (typeof input !== "object" || input === null) return "";
  const texts = Object.values(input).filter((value) => typeof value === "string" && value.trim() !== "");
  const [first = JSON.stringify(input)] = texts as string[];
  return first.slice(0, GIST_CHARS).replace(/\s+/g, " ").trim();
}

function largestFirst<T extends Share>(shares: T[]): T[] {
  return shares.sort((a, b) => b.tokens - a.tokens || (a.name < b.name ? -1 : 1));
}
