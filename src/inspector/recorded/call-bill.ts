import { sizeOf } from "../../agent/front-end/message-size.ts";
import type { Message } from "../../messages/message.ts";
import { cachedShares, type GrowingRequest } from "../../pricing/append-only-bill.ts";
import { requestBill } from "../../pricing/billing/bill.ts";
import { pricesFor } from "../../pricing/billing/prices-for.ts";
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
}

/**
 * Bills requests in order, as a provider with a prompt cache would: the prefix shared with the previous request is read, the rest is
 * written. Uses sizes only, so that a conversation of ten thousand messages is billed in a moment.
 */
export class CallBiller {
  #before: readonly Message[] = [];
  /** A growing list is passed again as the same array, so its old length is kept. */
  #beforeLength = 0;
  #atMs: number | undefined;

  /** `messages`: unchanged messages must be the same objects as in the previous request. */
  bill(messages: readonly Message[], { model, headTokens, outputTokens, atMs }: CallToBill): BilledCall {
    const info = infoOf(model);
    let kept = 0;
    let keptTokens = headTokens;
    while (kept < this.#beforeLength && kept < messages.length && messages[kept] === this.#before[kept]) keptTokens += sizeOf(messages[kept++] as Message);
    let tokens = keptTokens;
    for (let number = kept; number < messages.length; number++) tokens += sizeOf(messages[number] as Message);
    const scaled = (size: number): number => Math.round(size * info.tokenFactor);
    const request: GrowingRequest = { inputTokens: scaled(tokens), outputTokens, atMs };
    const before = this.#atMs === undefined ? undefined : { inputTokens: scaled(keptTokens), outputTokens: 0, atMs: this.#atMs };
    const shares = cachedShares(request, before, info.cache);
    this.#before = messages;
    this.#beforeLength = messages.length;
    this.#atMs = atMs;
    const cacheWrite = Object.values(shares.cacheWrite).reduce((sum, written) => sum + written, 0);
    const { dollars } = requestBill(shares, outputTokens, pricesFor(info, request.inputTokens, atMs));
    return { usage: { input: shares.uncached, cacheRead: shares.cacheRead, cacheWrite, output: outputTokens }, dollars };
  }
}

/** Accepts unknown models: the reader is warned about them elsewhere. */
export function infoOf(model: string): ModelInfo {
  return modelInfo(model, { onWarning: () => undefined });
}
