import { sizeOf } from "../../agent/front-end/message-size.ts";
import { blocksOf, isThinking, isToolResult, textBlock, type Block, type Message, type ThinkingBlock, type ToolResultBlock } from "../../messages/message.ts";
import type { CacheMarker, Request } from "../../messages/request.ts";
import { requestBill } from "../../pricing/billing/bill.ts";
import { cacheOf } from "../../pricing/billing/cache-of.ts";
import type { CacheSimulation } from "../../pricing/billing/cache-simulation.ts";
import { pauseMs } from "../../pricing/billing/pause.ts";
import { pricesFor } from "../../pricing/billing/prices-for.ts";
import type { PromptBlock } from "../../pricing/billing/prompt.ts";
import { modelInfo } from "../../pricing/model-info.ts";
import type { ModelInfo } from "../../pricing/models/model.ts";

/** How the tokens of one request would have been billed. */
export interface BilledCall {
  readonly usage: { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number; readonly output: number };
  readonly dollars: number;
}

/** One call: the tokens before the messages, the tokens of the answer, and the time. */
export interface CallToBill {
  readonly model: string;
  readonly headTokens: number;
  readonly outputTokens: number;
  readonly atMs: number;
  /** Messages that end with a cache marker, beside the head and the end of the request, which always have one. */
  readonly markedEnds?: readonly number[];
}

/** Bills one request after the other with the cache of its model. From sizes alone: no text is read again. */
export class CallBiller {
  readonly #threads = new Map<string, BilledThread>();
  #atMs: number | undefined;
  #elapsedMs = 0;

  /** `messages`: those that are the same as in the request before are the same objects. */
  bill(messages: readonly Message[], call: CallToBill): BilledCall {
    const info = infoOf(call.model);
    const thread = this.#threads.get(info.id) ?? new BilledThread(info);
    this.#threads.set(info.id, thread);
    this.#elapsedMs += pauseMs(this.#atMs, call.atMs);
    this.#atMs = call.atMs;
    return thread.bill(messages, call, this.#elapsedMs);
  }
}

const MARKER: CacheMarker = { type: "ephemeral" };
/** The end of every request is marked, where the cache has markers. */
const REQUEST: Request = { messages: [], cache_control: MARKER };

/** All that a cache looks at in a block. */
const RESULT: ToolResultBlock = { type: "tool_result", tool_use_id: "", content: "" };
const THOUGHT: ThinkingBlock = { type: "thinking" };
const WORDS = textBlock("words");

/** The requests to one model. */
class BilledThread {
  readonly #info: ModelInfo;
  readonly #cache: CacheSimulation;
  /** The head, and the blocks of the messages. What stays from request to request keeps its prefix. */
  #prompt: PromptBlock[] = [];
  readonly #messages: Message[] = [];
  /** Per message: the length of the prompt up to its end, and its size. */
  readonly #ends: number[] = [];
  readonly #sizes: number[] = [];
  #prefixes = 0;

  constructor(info: ModelInfo) {
    this.#info = info;
    this.#cache = cacheOf(info.cache);
  }

  bill(messages: readonly Message[], { headTokens, outputTokens, atMs, markedEnds = [] }: CallToBill, nowMs: number): BilledCall {
    this.#read(messages, headTokens);
    const marked = new Set([1, ...markedEnds.map((number) => this.#ends[number] ?? 1)]);
    for (const end of marked) this.#mark(end - 1, MARKER);
    const shares = this.#cache.send(REQUEST, this.#prompt, nowMs);
    for (const end of marked) this.#mark(end - 1, undefined);
    const cacheWrite = Object.values(shares.cacheWrite).reduce((sum, written) => sum + written, 0);
    const { dollars } = requestBill(shares, outputTokens, pricesFor(this.#info, shares.uncached + shares.cacheRead + cacheWrite, atMs));
    return { usage: { input: shares.uncached, cacheRead: shares.cacheRead, cacheWrite, output: outputTokens }, dollars };
  }

  #read(messages: readonly Message[], headTokens: number): void {
    const head = Math.round(headTokens * this.#info.tokenFactor);
    const isSameHead = this.#prompt[0]?.endTokens === head;
    let kept = 0;
    if (isSameHead) while (kept < this.#messages.length && messages[kept] === this.#messages[kept]) kept++;
    else this.#prompt = [this.#block({ part: "system", position: 0, block: 0 }, "system", WORDS, head)];
    this.#messages.length = this.#ends.length = this.#sizes.length = kept;
    this.#prompt.length = this.#ends.at(-1) ?? 1;
    let size = this.#sizes.at(-1) ?? headTokens;
    for (let position = kept; position < messages.length; position++) {
      const message = messages[position] as Message;
      size += sizeOf(message);
      this.#add(message, position, Math.round(size * this.#info.tokenFactor));
      this.#messages.push(message);
      this.#ends.push(this.#prompt.length);
      this.#sizes.push(size);
    }
  }

  /** A message that was changed in one of its blocks is new from its first token on. */
  #add(message: Message, position: number, endTokens: number): void {
    const start = this.#prompt.at(-1)?.endTokens ?? 0;
    const blocks = blocksOf(message);
    blocks.forEach((value, block) => {
      const kind = isToolResult(value) ? RESULT : isThinking(value) ? THOUGHT : WORDS;
      const upTo = start + Math.round(((endTokens - start) * (block + 1)) / blocks.length);
      this.#prompt.push(this.#block({ part: "messages", position, block }, message.role, kind, upTo));
    });
  }

  #block(at: PromptBlock["at"], role: PromptBlock["role"], value: Block, endTokens: number): PromptBlock {
    return { at, role, value, endTokens, prefix: ++this.#prefixes };
  }

  /** On the block with this index, or the last one before it that may have a marker. */
  #mark(index: number, marker: CacheMarker | undefined): void {
    let found = index;
    while (found >= 0 && isThinking(this.#prompt[found]?.value as Block)) found--;
    const block = this.#prompt[found];
    if (block === undefined) return;
    const { cache_control: _, ...bare } = block.value as Block & { readonly cache_control?: CacheMarker };
    this.#prompt[found] = { ...block, value: marker === undefined ? bare : { ...bare, cache_control: marker } };
  }
}

/** What a call costs that neither reads from a cache nor writes to one. */
export function uncachedDollars({ model, inputTokens, outputTokens, atMs }: Omit<CallToBill, "headTokens" | "markedEnds"> & { inputTokens: number }): number {
  const info = infoOf(model);
  return requestBill({ uncached: inputTokens, cacheRead: 0, cacheWrite: {} }, outputTokens, pricesFor(info, inputTokens, atMs)).dollars;
}

/** Accepts unknown models: the reader is warned about them elsewhere. */
export function infoOf(model: string): ModelInfo {
  return modelInfo(model, { onWarning: () => undefined });
}
