import { blocksOf, type Block, type Message } from "../../messages/message.ts";
import type { CacheMarker, Request } from "../../messages/request.ts";
import type { Usage } from "../../messages/usage.ts";
import type { InputShares } from "../../pricing/billing/bill.ts";
import type { CacheSimulation } from "../../pricing/billing/cache-simulation.ts";
import type { PromptBlock } from "../../pricing/billing/prompt.ts";
import { cacheOf } from "../../pricing/billing/cache-of.ts";
import type { ModelInfo } from "../../pricing/models/model.ts";
import { amountOf, amountOfHead, amountOfMessage, headValues, type HeadValue, type OwnRequest } from "./own-request.ts";
import { movedBetween, spreadOf, type TextSpread } from "./text-spread.ts";
import { minus, NOTHING, plus, TokenFit, type Amount, type FitState } from "./token-fit.ts";

/** What is kept of it with the conversation, as JSON. */
export interface FullState {
  readonly model: string;
  /** How many messages of the client's its last request had. */
  readonly messages: number;
  /** What the model would have read of that request. Undefined: it was another one. */
  readonly size?: FullSize;
  readonly atMs: number;
  readonly fit: FitState;
  /** Of ours, the last one. */
  readonly sent?: Omit<Sent, "view" | "spread"> & Partial<Pick<Sent, "spread">>;
}

/** So many tokens, which were reported, and this beside them. */
interface FullSize {
  readonly tokens: number;
  readonly beside: Amount;
}

/** A request that was sent, and what was reported for it. */
interface Sent {
  /** Undefined: another process has sent it. */
  readonly view: readonly Message[] | undefined;
  readonly spread: TextSpread;
  readonly amount: Amount;
  readonly inputTokens: number;
  readonly atMs: number;
}

/** Whoever keeps what is known of it. */
interface Owner {
  lastFull: FullState | undefined;
}

interface Head {
  readonly hash: string;
  readonly values: readonly HeadValue[];
  readonly amounts: readonly Amount[];
}

/**
 * The thread as it would be with the client's own messages only: how many tokens the model would have read of it, and what of them from the
 * cache. What is reported for our requests tells how many tokens a message has that comes in whole; what was cut before it was sent, and what came
 * when a batch changed other places, is estimated, and better so with each report.
 */
export class FullThread {
  readonly #owner: Owner;
  readonly #info: ModelInfo;
  readonly #fit: TokenFit;
  #cache: CacheSimulation;
  #head: Head = { hash: "", values: [], amounts: [] };
  /** Per block of the client's messages. */
  readonly #amounts: Amount[] = [];
  /** Per message of the client's: how many blocks there are up to its end. */
  readonly #ends: number[] = [];
  /** Per message of the client's: all there is up to its end. */
  readonly #totals: Amount[] = [];
  #request: OwnRequest | undefined;
  #before: Pick<FullState, "messages" | "size" | "atMs"> | undefined;
  /** Of the last call's request, head included. */
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

  /** The client's next request has come. Returns what its head has. */
  begin(request: OwnRequest): Amount {
    this.#request = request;
    this.#first = undefined;
    this.#last = this.#sent;
    this.#readHead(request);
    const { messages } = request;
    // What it has sent before, it sends again: else this would be another conversation.
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

  /** Of the request that is sent next, before anything is reported for it; and of the client's own. */
  estimate(amount: Amount): { readonly sent: number; readonly full: number } {
    const sent = this.#sent === undefined ? this.#fit.tokens(amount) : this.#sent.inputTokens + this.#fit.tokens(minus(amount, this.#sent.amount));
    const before = this.#before?.size;
    const full = before === undefined ? { tokens: sent, beside: minus(this.amount, amount) } : this.#grown(before);
    return { sent, full: this.#tokensOf(full) };
  }

  /** What a request of ours is reported to have had. `amount`: of all of it. */
  observe(view: readonly Message[], amount: Amount, usage: Usage, atMs: number): void {
    const before = this.#sent;
    const { inputTokens } = usage;
    const sent: Sent = { view, spread: spreadOf(view), amount, inputTokens, atMs };
    // Of the first request nothing is learned: providers add to a prompt what nobody sees.
    if (before !== undefined) this.#fit.learn(minus(amount, before.amount), inputTokens - before.inputTokens, movedBetween(before.spread, sent.spread));
    this.#noteCache(usage, before, sent);
    this.#first ??= sent;
    this.#sent = sent;
  }

  /** What the client's own request would have been billed, and how many tokens it would have had. Once for each, when all is reported. */
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

  /** The call is over. A conversation that waits for its next call does not hold the request of the last one. */
  end(): void {
    this.#request = undefined;
    this.#head = { ...this.#head, values: [] };
  }

  /** Of the client's own request. */
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
    // What is shown is what the client sent, but for what we add and have cut.
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
    // Had it a cache like that of its model, it would have read this from it.
    const shared = view.slice(0, commonStart(view, before.view)).map(amountOfMessage).reduce(plus, this.#head.amounts.reduce(plus, NOTHING));
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
      // Markers that the provider would refuse.
      return none;
    }
  }

  /** Some gateways have the cache and not its fee, or do not tell. */
  #asReported(shares: InputShares): InputShares {
    const isFree = this.#info.cache.kind === "message-ends" && !this.#hasWritten && (this.#sent?.inputTokens ?? 0) >= this.#info.cache.minimumTokens;
    if (!isFree) return shares;
    const written = Object.values(shares.cacheWrite).reduce((sum, tokens) => sum + tokens, 0);
    return { uncached: shares.uncached + written, cacheRead: shares.cacheRead, cacheWrite: {} };
  }

  /** What was sent before this process, or from the conversation that this one left, is in the cache. */
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
    const amounts = [...this.#head.amounts, ...this.#amounts];
    const sizes = amounts.map((amount) => Math.max(0, this.#fit.tokens(amount)));
    const share =
      inputTokens /
      Math.max(
        1,
        sizes.reduce((sum, size) => sum + size, 0),
      );
    const prompt: PromptBlock[] = [];
    let sum = 0;
    const add = (at: PromptBlock["at"], role: PromptBlock["role"], value: unknown): void => {
      sum += sizes[prompt.length] ?? 0;
      prompt.push({ at, role, value, prefix: prompt.length + 1, endTokens: prompt.length + 1 === amounts.length ? inputTokens : Math.round(sum * share) });
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
    // Everything that is cached comes after it.
    if (hash !== "" && hash !== headHash) this.#cache = cacheOf(this.#info.cache);
    const values = headValues(request);
    const isSame = hash === headHash && amounts.length === values.length;
    this.#head = { hash: headHash, values, amounts: isSame ? amounts : values.map(amountOfHead) };
  }
}

/** Of a conversation that has only so many of the client's messages in common: what was sent of them is in the cache. */
export function fullStateAt(messages: number, state: FullState | undefined): FullState | undefined {
  if (state === undefined || state.messages <= messages) return state;
  const { size: _, sent: __, ...rest } = state;
  return { ...rest, messages };
}

const threads = new WeakMap<Owner, FullThread>();

/** Of this conversation, with this model. */
export function fullThreadOf(owner: Owner, info: ModelInfo): FullThread {
  const known = threads.get(owner);
  if (known?.model === info.id) return known;
  if (owner.lastFull?.model !== info.id) owner.lastFull = undefined;
  const thread = new FullThread(owner, info);
  threads.set(owner, thread);
  return thread;
}

type Marked = Block & { readonly cache_control?: CacheMarker };

/** With the fields that a cache looks at. */
function requestFor({ body }: OwnRequest, automatic: CacheMarker | undefined): Request {
  return { ...body, messages: [], cache_control: automatic ?? null };
}

function withMarker(block: Block, marker: CacheMarker | undefined): Block {
  const { cache_control: own, ...bare } = block as Block & { readonly cache_control?: unknown };
  if (own === marker) return block;
  return { ...bare, ...(marker === undefined ? {} : { cache_control: marker }) };
}

function withoutView({ spread, amount, inputTokens, atMs }: Sent): Omit<Sent, "view"> {
  return { spread, amount, inputTokens, atMs };
}

function commonStart(a: readonly Message[], b: readonly Message[]): number {
  const different = a.findIndex((message, index) => message !== b[index]);
  return different === -1 ? a.length : different;
}
