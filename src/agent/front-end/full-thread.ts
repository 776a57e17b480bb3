import { blocksOf, type Block, type Message } from "../../messages/message.ts";
import type { CacheMarker, Request } from "../../messages/request.ts";
import type { Usage } from "../../messages/usage.ts";
import type { InputShares } from "../../pricing/billing/bill.ts";
import type { CacheSimulation } from "../../pricing/billing/cache-simulation.ts";
import type { PromptBlock } from "../../pricing/billing/prompt.ts";
import { cacheOf } from "../../pricing/billing/cache-of.ts";
import type { ModelInfo } from "../../pricing/models/model.ts";
import { amountOf, amountOfHead, amountOfMessages, headValues, type HeadValue, type OwnRequest } from "./own-request.ts";
import { movedBetween, spreadOf, type TextSpread } from "./text-spread.ts";
import { minus, NOTHING, plus, TokenFit, type Amount, type FitState } from "./token-fit.ts";

/** The state that is kept with the conversation, as JSON. */
export interface FullState {
  readonly model: string;
  /** How many of the client's messages its last request had. */
  readonly messages: number;
  /** The size of that request without us. Undefined: the last request was another one. */
  readonly size?: FullSize;
  readonly atMs: number;
  readonly fit: FitState;
  /** Our last request. */
  readonly sent?: Omit<Sent, "view" | "spread"> & Partial<Pick<Sent, "spread">>;
}

/** Tokens that were reported, and an amount in addition that has to be estimated. */
interface FullSize {
  readonly tokens: number;
  readonly beside: Amount;
}

/** A request that was sent, with its reported tokens. */
interface Sent {
  /** Undefined: another process sent it. */
  readonly view: readonly Message[] | undefined;
  readonly spread: TextSpread;
  readonly amount: Amount;
  readonly inputTokens: number;
  readonly atMs: number;
}

/** The object that keeps the state between calls. */
interface Owner {
  lastFull: FullState | undefined;
}

interface Head {
  readonly hash: string;
  readonly values: readonly HeadValue[];
  readonly amounts: readonly Amount[];
}

/**
 * Measures the thread as it would be with the client's own messages only: its input tokens, and how many of them would come from the cache. The usage
 * reported for our requests gives the tokens of messages that are sent whole. Messages that were cut before they were sent, or came while a batch
 * changed other places, are estimated; each report improves the estimates.
 */
export class FullThread {
  readonly #owner: Owner;
  readonly #info: ModelInfo;
  readonly #fit: TokenFit;
  #cache: CacheSimulation;
  #head: Head = { hash: "", values: [], amounts: [] };
  /** Per block of the client's messages. */
  readonly #amounts: Amount[] = [];
  /** For each of the client's messages: how many blocks there are up to its end. */
  readonly #ends: number[] = [];
  /** Per message of the client's: all there is up to its end. */
  readonly #totals: Amount[] = [];
  #request: OwnRequest | undefined;
  #before: Pick<FullState, "messages" | "size" | "atMs"> | undefined;
  /** The amount of the last call's request, including its head. */
  #amountBefore: Amount = NOTHING;
  #isSeeded = true;
  #sent: Sent | undefined;
  /** The first request of the call, and the last one of the call before. */
  #first: Sent | undefined;
  #last: Sent | undefined;
  #caches: boolean | undefined;
  #hasWritten = false;

  constructor(owner: Owner, info: ModelInfo) {
    const state = owner.lastFull;
    this.#owner = owner;
    this.#info = info;
    this.#fit = new TokenFit(info.tokenFactor, state?.fit);
    this.#before = state;
    if (state?.sent !== undefined) this.#sent = { spread: [], ...state.sent, view: undefined };
    this.#isSeeded = state === undefined;
    this.#cache = cacheOf(info.cache);
  }

  get model(): string {
    return this.#info.id;
  }

  /** Starts the client's next request. Returns the amount of its head. */
  begin(request: OwnRequest): Amount {
    this.#request = request;
    this.#first = undefined;
    this.#last = this.#sent;
    this.#readHead(request);
    const { messages } = request;
    // Earlier messages are the same: otherwise this would be another conversation.
    this.#amounts.length = this.#ends[Math.min(messages.length, this.#ends.length) - 1] ?? 0;
    this.#ends.length = this.#totals.length = Math.min(messages.length, this.#ends.length);
    for (const message of messages.slice(this.#ends.length)) {
      const amounts = blocksOf(message).map(amountOf);
      this.#totals.push(amounts.reduce(plus, this.#totals.at(-1) ?? NOTHING));
      this.#amounts.push(...amounts);
      this.#ends.push(this.#amounts.length);
    }
    if (this.#before !== undefined && this.#amountBefore === NOTHING) this.#amountBefore = this.#amountUpTo(this.#before.messages);
    return this.#head.amounts.reduce(plus, NOTHING);
  }

  /** Estimates the tokens of the next request, before its usage is reported, and those of the client's own request. */
  estimate(amount: Amount): { readonly sent: number; readonly full: number } {
    const sent = this.#sent === undefined ? this.#fit.tokens(amount) : this.#sent.inputTokens + this.#fit.tokens(minus(amount, this.#sent.amount));
    const before = this.#before?.size;
    const full = before === undefined ? { tokens: sent, beside: minus(this.amount, amount) } : this.#grown(before);
    return { sent, full: this.#tokensOf(full) };
  }

  /** Takes the usage that was reported for our request. `amount`: of the whole request. */
  observe(view: readonly Message[], amount: Amount, usage: Usage, atMs: number): void {
    const before = this.#sent;
    const { inputTokens } = usage;
    const sent: Sent = { view, spread: spreadOf(view), amount, inputTokens, atMs };
    // Nothing is learned from the first request: providers add hidden text to a prompt.
    if (before !== undefined) this.#fit.learn(minus(amount, before.amount), inputTokens - before.inputTokens, movedBetween(before.spread, sent.spread));
    this.#noteCache(usage, before, sent);
    this.#first ??= sent;
    this.#sent = sent;
  }

  /** Returns the tokens of the client's own request, and how they would have been billed. Called once per request, after the last report. */
  bill(atMs: number): { readonly inputTokens: number; readonly shares: InputShares } {
    const size = this.#sizeNow();
    const inputTokens = Math.max(1, Math.round(this.#tokensOf(size)));
    const shares = this.#sharesOf(inputTokens, atMs);
    this.#before = { messages: this.#ends.length, size, atMs };
    this.#amountBefore = this.amount;
    this.#owner.lastFull = {
      ...this.#before,
      model: this.#info.id,
      fit: this.#fit.state,
      ...(this.#sent === undefined ? {} : { sent: withoutView(this.#sent) }),
    };
    return { inputTokens, shares };
  }

  /** Releases the request when the call is over. */
  end(): void {
    this.#request = undefined;
    this.#head = { ...this.#head, values: [] };
  }

  /** The amount of the client's own request. */
  get amount(): Amount {
    return this.#amountUpTo(this.#ends.length);
  }

  #amountUpTo(messages: number): Amount {
    return this.#head.amounts.reduce(plus, this.#totals[messages - 1] ?? NOTHING);
  }

  #sizeNow(): FullSize {
    const [first, last] = [this.#first, this.#last];
    const before = this.#before?.size;
    if (first === undefined) return { tokens: 0, beside: this.amount };
    // The view is the client's request, except for our additions and cuts.
    if (before === undefined) return { tokens: first.inputTokens, beside: minus(this.amount, first.amount) };
    const grown = this.#grown(before);
    if (first.view === undefined || last?.view === undefined || commonStart(first.view, last.view) < last.view.length) return grown;
    return { tokens: grown.tokens + first.inputTokens - last.inputTokens, beside: minus(grown.beside, minus(first.amount, last.amount)) };
  }

  #grown({ tokens, beside }: FullSize): FullSize {
    return { tokens, beside: plus(beside, minus(this.amount, this.#amountBefore)) };
  }

  #tokensOf({ tokens, beside }: FullSize): number {
    return tokens + this.#fit.tokens(beside);
  }

  #noteCache({ cacheReadTokens, cacheWriteTokens, inputTokens }: Usage, before: Sent | undefined, { view = [], atMs }: Sent): void {
    const { cache } = this.#info;
    this.#hasWritten ||= cacheWriteTokens > 0;
    if (cacheReadTokens + cacheWriteTokens > 0) this.#caches = true;
    if (this.#caches !== undefined || before?.view === undefined) return;
    // If it had the cache of its model, it would have read this much from it.
    const shared = plus(amountOfMessages(view.slice(0, commonStart(view, before.view))), this.#head.amounts.reduce(plus, NOTHING));
    const isSure = Math.min(inputTokens, this.#fit.tokens(shared)) >= 2 * cache.minimumTokens && atMs - before.atMs < 60_000;
    if (isSure) this.#caches = false;
  }

  #sharesOf(inputTokens: number, atMs: number): InputShares {
    const request = this.#request;
    const none: InputShares = { uncached: inputTokens, cacheRead: 0, cacheWrite: {} };
    if (request === undefined || this.#caches === false) return none;
    try {
      const prompt = this.#promptOf(request, inputTokens);
      if (!this.#isSeeded) this.#seed(request, prompt);
      return this.#asReported(this.#cache.send(requestFor(request, request.automatic), prompt, atMs));
    } catch {
      // The provider would refuse these markers.
      return none;
    }
  }

  /** Some gateways have the cache without its fee, or do not report it. */
  #asReported(shares: InputShares): InputShares {
    const isFree = this.#info.cache.kind === "message-ends" && !this.#hasWritten && (this.#sent?.inputTokens ?? 0) >= this.#info.cache.minimumTokens;
    if (!isFree) return shares;
    const written = Object.values(shares.cacheWrite).reduce((sum, tokens) => sum + tokens, 0);
    return { uncached: shares.uncached + written, cacheRead: shares.cacheRead, cacheWrite: {} };
  }

  /** Fills the cache with requests from before this process started, or of the conversation that this one branched off. */
  #seed(request: OwnRequest, prompt: readonly PromptBlock[]): void {
    this.#isSeeded = true;
    const { messages = 0, atMs = 0 } = this.#before ?? {};
    const known = prompt.slice(0, this.#head.values.length + (this.#ends[messages - 1] ?? 0));
    const marker = prompt.filter(({ at }) => at.part === "messages").map(({ value }) => (value as Marked).cache_control);
    const last = request.automatic ?? marker.findLast((each) => each !== undefined);
    const bare = known.map((block) => (block.at.part === "messages" ? { ...block, value: withMarker(block.value as Block, undefined) } : block));
    this.#cache.send(requestFor(request, last), bare, atMs);
  }

  #promptOf({ messages, markerOf }: OwnRequest, inputTokens: number): PromptBlock[] {
    const sizes = [...this.#head.amounts, ...this.#amounts].map((amount) => Math.max(0, this.#fit.tokens(amount)));
    let total = 0;
    for (const size of sizes) total += size;
    const share = inputTokens / Math.max(1, total);
    const prompt: PromptBlock[] = [];
    let sum = 0;
    const add = (at: PromptBlock["at"], role: PromptBlock["role"], value: unknown): void => {
      sum += sizes[prompt.length] ?? 0;
      prompt.push({ at, role, value, prefix: prompt.length + 1, endTokens: prompt.length + 1 === sizes.length ? inputTokens : Math.round(sum * share) });
    };
    this.#head.values.forEach(([part, value], block) =>
      add({ part, position: 0, block }, part, withMarker(value as Block, markerOf(value as Block, undefined))),
    );
    messages.forEach((message, position) => {
      const { role } = message;
      blocksOf(message).forEach((block, number, { length }) => {
        add({ part: "messages", position, block: number }, role, withMarker(block, markerOf(block, number === length - 1 ? message : undefined)));
      });
    });
    return prompt;
  }

  #readHead(request: OwnRequest): void {
    const { hash, amounts } = this.#head;
    const { headHash } = request;
    // With another head, nothing cached applies any more.
    if (hash !== "" && hash !== headHash) this.#cache = cacheOf(this.#info.cache);
    const values = headValues(request);
    const isSame = hash === headHash && amounts.length === values.length;
    this.#head = { hash: headHash, values, amounts: isSame ? amounts : values.map(amountOfHead) };
  }
}

/** Returns the state of a branch that shares this many of the client's messages. The cache has what was sent of them. */
export function fullStateAt(messages: number, state: FullState | undefined): FullState | undefined {
  if (state === undefined || state.messages <= messages) return state;
  const { size: _, sent: __, ...rest } = state;
  return { ...rest, messages };
}

const threads = new WeakMap<Owner, FullThread>();

/** Returns the `FullThread` of a conversation with this model. */
export function fullThreadOf(owner: Owner, info: ModelInfo): FullThread {
  const known = threads.get(owner);
  if (known?.model === info.id) return known;
  if (owner.lastFull?.model !== info.id) owner.lastFull = undefined;
  const thread = new FullThread(owner, info);
  threads.set(owner, thread);
  return thread;
}

type Marked = Block & { readonly cache_control?: CacheMarker };

/** Returns a request with the fields that matter to a cache. */
function requestFor({ body }: OwnRequest, automatic: CacheMarker | undefined): Request {
  return { ...body, messages: [], cache_control: automatic ?? null };
}

function withMarker(block: Block, marker: CacheMarker | undefined): Block {
  if ((block as Marked).cache_control === marker) return block;
  const { cache_control: _, ...bare } = block as Marked;
  return { ...bare, ...(marker === undefined ? {} : { cache_control: marker }) };
}

function withoutView({ spread, amount, inputTokens, atMs }: Sent): Omit<Sent, "view"> {
  return { spread, amount, inputTokens, atMs };
}

function commonStart(a: readonly Message[], b: readonly Message[]): number {
  const different = a.findIndex((message, index) => message !== b[index]);
  return different === -1 ? a.length : different;
}
