import { isRecord } from "../../errors/is-record.ts";
import { blocksOf, textBlock, type Block, type Message } from "../../messages/message.ts";
import type { CacheMarker, Request } from "../../messages/request.ts";
import type { Usage } from "../../messages/usage.ts";
import type { InputShares } from "../../pricing/billing/bill.ts";
import type { CacheSimulation } from "../../pricing/billing/cache-simulation.ts";
import type { PromptBlock } from "../../pricing/billing/prompt.ts";
import { cacheOf } from "../../pricing/billing/cache-of.ts";
import type { ModelInfo } from "../../pricing/models/model.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import { contentTokens } from "../../tokens/message-tokens.ts";
import { minus, NOTHING, plus, TokenFit, type Amount, type FitState } from "./token-fit.ts";

/** A request of the client's as it came. */
export interface OwnRequest {
  readonly body: object;
  /** JSON of what stands before the messages. */
  readonly head: string;
  /** System messages at the start. */
  readonly system: readonly Message[];
  readonly messages: readonly Message[];
  /** The cache marker on a tool or a block. `ends`: the message that ends with it, if one does. */
  readonly markerOf: (value: object, ends: Message | undefined) => CacheMarker | undefined;
  /** That of the whole request. */
  readonly automatic: CacheMarker | undefined;
}

/** What is kept of it with the conversation, as JSON. */
export interface FullState {
  readonly model: string;
  /** How many messages of the client's its last request had. */
  readonly messages: number;
  /** What the model would have read of that request. Undefined: it was another one. */
  readonly inputTokens?: number;
  readonly atMs: number;
  readonly fit: FitState;
}

/** A request that was sent, and what was reported for it. */
interface Sent {
  readonly view: readonly Message[];
  readonly amount: Amount;
  readonly inputTokens: number;
  readonly atMs: number;
}

/** Whoever keeps what is known of it. */
interface Owner {
  lastFull: FullState | undefined;
}

interface Head {
  readonly json: string;
  readonly values: readonly HeadValue[];
  readonly amounts: readonly Amount[];
}

/**
 * The thread as it would be with the client's own messages only: how many tokens the model would have read of it, and what of them from the
 * cache. What is reported for our requests tells how many tokens a message has that is new in them and shown whole; the rest is estimated.
 */
export class FullThread {
  readonly #owner: Owner;
  readonly #info: ModelInfo;
  readonly #fit: TokenFit;
  #cache: CacheSimulation;
  #head: Head = { json: "", values: [], amounts: [] };
  /** Per block of the client's messages. */
  readonly #amounts: Amount[] = [];
  /** Per message of the client's: how many blocks there are up to its end. */
  readonly #ends: number[] = [];
  #request: OwnRequest | undefined;
  #before: Pick<FullState, "messages" | "inputTokens" | "atMs"> | undefined;
  /** Of the last call's request, head included. */
  #amountBefore: Amount = NOTHING;
  #isSeeded = true;
  #sent: Sent | undefined;
  /** Of what is new in this call: by how much the provider counts it differently. */
  #correction = 0;
  #first: Sent | undefined;
  #caches: boolean | undefined;
  #hasWritten = false;

  constructor(owner: Owner, info: ModelInfo) {
    const state = owner.lastFull;
    this.#owner = owner;
    this.#info = info;
    this.#fit = new TokenFit(info.tokenFactor, state?.fit);
    this.#before = state;
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
    this.#correction = 0;
    this.#readHead(request);
    const { messages } = request;
    // What it has sent before, it sends again: else this would be another conversation.
    this.#amounts.length = this.#ends[Math.min(messages.length, this.#ends.length) - 1] ?? 0;
    this.#ends.length = Math.min(messages.length, this.#ends.length);
    for (const message of messages.slice(this.#ends.length)) {
      this.#amounts.push(...blocksOf(message).map(amountOf));
      this.#ends.push(this.#amounts.length);
    }
    if (this.#before !== undefined && this.#amountBefore === NOTHING) this.#amountBefore = this.#amountUpTo(this.#before.messages);
    return this.#head.amounts.reduce(plus, NOTHING);
  }

  /** Of the request that is sent next, before anything is reported for it; and of the client's own. */
  estimate(amount: Amount): { readonly sent: number; readonly full: number } {
    const sent = this.#sent === undefined ? this.#fit.tokens(amount) : this.#sent.inputTokens + this.#fit.tokens(minus(amount, this.#sent.amount));
    const before = this.#before?.inputTokens;
    const full = before === undefined ? sent + this.#fit.tokens(minus(this.#amount, amount)) : before + this.#fit.tokens(minus(this.#amount, this.#amountBefore));
    return { sent, full };
  }

  /** What a request of ours is reported to have had. `amount`: of all of it. */
  observe(view: readonly Message[], amount: Amount, usage: Usage, atMs: number): void {
    const before = this.#sent;
    const { inputTokens } = usage;
    const sent = { view, amount, inputTokens, atMs };
    // Of the first request nothing is learned: providers add to a prompt what nobody sees.
    if (before !== undefined) this.#fit.learn(minus(amount, before.amount), inputTokens - before.inputTokens);
    this.#noteCache(usage, before, sent);
    if (this.#first === undefined) {
      this.#first = sent;
      if (before !== undefined && isLonger(view, before.view)) this.#correction = this.#correctionFor(before, sent);
    }
    this.#sent = sent;
  }

  /** What the client's own request would have been billed, and how many tokens it would have had. Once for each, when all is reported. */
  bill(atMs: number): { readonly inputTokens: number; readonly shares: InputShares } {
    const first = this.#first;
    const before = this.#before?.inputTokens;
    const grown = this.#fit.tokens(minus(this.#amount, this.#amountBefore)) + this.#correction;
    const whole = first === undefined ? this.#fit.tokens(this.#amount) : first.inputTokens + this.#fit.tokens(minus(this.#amount, first.amount));
    const inputTokens = Math.max(1, Math.round(before === undefined ? whole : before + grown));
    const shares = this.#sharesOf(inputTokens, atMs);
    this.#before = { messages: this.#ends.length, inputTokens, atMs };
    this.#amountBefore = this.#amount;
    this.#owner.lastFull = { ...this.#before, model: this.#info.id, fit: this.#fit.state };
    return { inputTokens, shares };
  }

  get #amount(): Amount {
    return this.#amountUpTo(this.#ends.length);
  }

  #amountUpTo(messages: number): Amount {
    const end = this.#ends[messages - 1] ?? 0;
    return this.#amounts.slice(0, end).reduce(plus, this.#head.amounts.reduce(plus, NOTHING));
  }

  /** How the estimate of what is new was off, as far as it is the client's. */
  #correctionFor(before: Sent, sent: Sent): number {
    const added = minus(sent.amount, before.amount);
    const own = minus(this.#amount, this.#amountBefore);
    const all = this.#fit.tokens(added);
    const share = all <= 0 ? 0 : Math.min(1, Math.max(0, this.#fit.tokens(own) / all));
    return share * (sent.inputTokens - before.inputTokens - all);
  }

  #noteCache({ cacheReadTokens, cacheWriteTokens, inputTokens }: Usage, before: Sent | undefined, { view, atMs }: Sent): void {
    const { cache } = this.#info;
    this.#hasWritten ||= cacheWriteTokens > 0;
    if (cacheReadTokens + cacheWriteTokens > 0) this.#caches = true;
    if (this.#caches !== undefined || before === undefined) return;
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
    const share = inputTokens / Math.max(1, sizes.reduce((sum, size) => sum + size, 0));
    const prompt: PromptBlock[] = [];
    let sum = 0;
    const add = (at: PromptBlock["at"], role: PromptBlock["role"], value: unknown): void => {
      sum += sizes[prompt.length] ?? 0;
      prompt.push({ at, role, value, prefix: prompt.length + 1, endTokens: prompt.length + 1 === amounts.length ? inputTokens : Math.round(sum * share) });
    };
    this.#head.values.forEach(([part, value], block) => add({ part, position: 0, block }, part, withMarker(value as Block, markerOf(value as Block, undefined))));
    messages.forEach((message, position) => {
      const { role } = message;
      blocksOf(message).forEach((block, number, { length }) => {
        add({ part: "messages", position, block: number }, role, withMarker(block, markerOf(block, number === length - 1 ? message : undefined)));
      });
    });
    return prompt;
  }

  #readHead(request: OwnRequest): void {
    const { json, amounts, values: before } = this.#head;
    // Everything is cached behind it.
    if (json !== "" && json !== request.head) this.#cache = cacheOf(this.#info.cache);
    const values = headValues(request);
    const isSame = json === request.head && before.length === values.length;
    this.#head = { json: request.head, values, amounts: isSame ? amounts : values.map(amountOfHead) };
  }
}

/** What a request has before its messages. */
export function headAmount(request: OwnRequest): Amount {
  return headValues(request).map(amountOfHead).reduce(plus, NOTHING);
}

type HeadValue = readonly [part: "tools" | "system", value: unknown];

function headValues({ body, system }: OwnRequest): HeadValue[] {
  const { tools, system: own, instructions } = body as Readonly<Record<string, unknown>>;
  const listed = Array.isArray(tools) ? (tools as readonly unknown[]) : [];
  const told = [own, instructions].flatMap((text) => (typeof text === "string" ? (text === "" ? [] : [textBlock(text)]) : Array.isArray(text) ? (text as readonly unknown[]) : []));
  return [
    ...listed.map((value): HeadValue => ["tools", value]),
    ...[...told, ...system.flatMap(blocksOf)].map((value): HeadValue => ["system", value]),
  ];
}

/** Of a conversation that has only so many of the client's messages in common: what was sent of them is in the cache. */
export function fullStateAt(messages: number, state: FullState | undefined): FullState | undefined {
  if (state === undefined || state.messages <= messages) return state;
  const { inputTokens: _, ...rest } = state;
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

/** What has no text is not sent, but for what it is a note of. */
function amountOf(block: Block): Amount {
  const text = contentTokens([block]);
  return { text, pieces: text === 0 ? 0 : 1 };
}

function amountOfHead([part, value]: HeadValue): Amount {
  return part === "system" && isRecord(value) ? amountOf(value as unknown as Block) : { text: estimateTokens(JSON.stringify(value)), pieces: 1 };
}

const amountsOfMessages = new WeakMap<Message, Amount>();

/** Most messages of a view are those of the view before: each is measured once. */
export function amountOfMessage(message: Message): Amount {
  const known = amountsOfMessages.get(message);
  if (known !== undefined) return known;
  const amount = blocksOf(message).map(amountOf).reduce(plus, NOTHING);
  amountsOfMessages.set(message, amount);
  return amount;
}

type Marked = Block & { readonly cache_control?: CacheMarker };

/** With the fields that a cache looks at. */
function requestFor({ body }: OwnRequest, automatic: CacheMarker | undefined): Request {
  return { ...body, messages: [], cache_control: automatic ?? null };
}

function withMarker(block: Block, marker: CacheMarker | undefined): Block {
  const { cache_control: own, ...bare } = block as Block & { readonly cache_control?: unknown };
  if (own === marker) return block;
  return { ...bare, ...(marker === undefined ? {} : { cache_control: marker }) } as Block;
}

function commonStart(a: readonly Message[], b: readonly Message[]): number {
  const different = a.findIndex((message, index) => message !== b[index]);
  return different === -1 ? a.length : different;
}

function isLonger(view: readonly Message[], before: readonly Message[]): boolean {
  return commonStart(view, before) >= before.length;
}
