import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import type { Message } from "../../messages/message.ts";
import type { Usage } from "../../messages/usage.ts";
import { requestBill, type RequestBill } from "../../pricing/billing/bill.ts";
import { pricesFor } from "../../pricing/billing/prices-for.ts";
import { cachedShares, type GrowingRequest } from "../../pricing/append-only-bill.ts";
import { modelInfo, type ModelOptions } from "../../pricing/model-info.ts";
import type { ModelInfo } from "../../pricing/models/model.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import { sizeOfAll } from "./message-size.ts";

/** Of one call of the client's, its hidden rounds included; or of many together. */
export interface CallMetrics extends Usage {
  readonly calls: number;
  /** Requests that were sent for it: more than calls where there were hidden rounds, or a rescue. */
  readonly requests: number;
  /** Of the calls whose model has a known price. */
  readonly dollars: number;
  /** Calls of models without a known price: they are in none of the dollars. */
  readonly unpricedCalls: number;
  /** What the model would have read, and what it would have cost, had the client's own messages been sent: estimated, scaled to what was reported. */
  readonly fullTokens: number;
  readonly fullDollars: number;
  /** `fullDollars` − `dollars`. */
  readonly dollarsSaved: number;
}

export const NO_METRICS: CallMetrics = {
  calls: 0,
  requests: 0,
  inputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  dollars: 0,
  unpricedCalls: 0,
  fullTokens: 0,
  fullDollars: 0,
  dollarsSaved: 0,
};

export function sumOfMetrics(a: CallMetrics, b: CallMetrics): CallMetrics {
  return Object.fromEntries(Object.entries(a).map(([name, value]) => [name, (value as number) + b[name as keyof CallMetrics]])) as unknown as CallMetrics;
}

/** What a conversation knows of the client's own messages, for the bill that they would have had. */
interface FullThread {
  readonly fullTokens: number;
  lastFull: GrowingRequest | undefined;
}

/** Measures one call of the client's. */
export class CallMeter {
  /** Undefined: what is sent is the client's own request. */
  readonly #thread: FullThread | undefined;
  readonly #observes: boolean;
  readonly #info: ModelInfo;
  readonly #isPriced: boolean;
  readonly #headTokens: number;
  readonly #fullTokens: number;
  readonly #usages: { usage: Usage; viewTokens: number }[] = [];
  #requests = 0;
  #viewTokens = 0;

  /** `observes`: the client's own messages are sent, whatever the view is. */
  constructor(thread: FullThread | undefined, head: string, { info, isPriced }: PricedModel, observes = false) {
    this.#thread = thread;
    this.#observes = observes;
    this.#info = info;
    this.#isPriced = isPriced;
    this.#headTokens = headTokens(head);
    this.#fullTokens = (thread?.fullTokens ?? 0) + this.#headTokens;
  }

  /** Of the request that is sent next, and of the client's own: estimates, scaled to what was reported. */
  get tokens(): { readonly sent: number; readonly full: number } {
    const scale = this.#scale();
    const sent = Math.round(this.#viewTokens * scale);
    return { sent, full: this.#thread === undefined ? sent : Math.round(this.#fullTokens * scale) };
  }

  #scale(): number {
    const last = this.#usages.at(-1);
    return last === undefined || last.viewTokens === 0 ? 1 : last.usage.inputTokens / last.viewTokens;
  }

  /** The next request will have these messages, and these tools beside the client's own. */
  shown(view: readonly Message[], tools: readonly ToolDefinition[]): void {
    this.#viewTokens = sizeOfAll(view) + this.#headTokens + toolTokens(tools);
  }

  sent(): void {
    this.#requests++;
  }

  answered(usage: Usage | undefined): void {
    if (usage !== undefined) this.#usages.push({ usage, viewTokens: this.#observes && this.#thread !== undefined ? this.#fullTokens : this.#viewTokens });
  }

  metrics(): CallMetrics {
    const atMs = Date.now();
    const sum = (value: (usage: Usage) => number): number => this.#usages.reduce((total, { usage }) => total + value(usage), 0);
    const last = this.#usages.at(-1);
    const outputTokens = sum((usage) => usage.outputTokens);
    const billed = sum((usage) => billOf(usage, this.#info, atMs).dollars);
    const full = { inputTokens: Math.round(this.#fullTokens * this.#scale()), outputTokens, atMs };
    const [fullTokens, fullBilled] = this.#thread === undefined ? [sum((usage) => usage.inputTokens), billed] : this.#fullOf(this.#thread, full);
    const [dollars, fullDollars] = this.#isPriced ? [billed, fullBilled] : [0, 0];
    return {
      calls: 1,
      requests: this.#requests,
      inputTokens: sum((usage) => usage.inputTokens),
      cacheReadTokens: sum((usage) => usage.cacheReadTokens),
      cacheWriteTokens: sum((usage) => usage.cacheWriteTokens),
      outputTokens,
      dollars,
      unpricedCalls: this.#isPriced ? 0 : 1,
      fullTokens: last === undefined ? 0 : fullTokens,
      fullDollars,
      dollarsSaved: fullDollars - dollars,
    };
  }

  #fullOf(thread: FullThread, full: GrowingRequest): readonly [tokens: number, dollars: number] {
    if (this.#usages.length === 0) return [0, 0];
    const isCached = this.#usages.some(({ usage }) => usage.cacheReadTokens + usage.cacheWriteTokens > 0);
    const { dollars } = fullBill(full, thread.lastFull, isCached, this.#info);
    thread.lastFull = full;
    return [full.inputTokens, dollars];
  }
}

export interface PricedModel {
  readonly info: ModelInfo;
  /** False: its prices are a guess. */
  readonly isPriced: boolean;
}

/** Returns what is known of a model, and whether its price is. `options.onWarning` hears of a guess. */
export function pricedModel(model: string, options: ModelOptions): PricedModel {
  let isPriced = true;
  modelInfo(model, {
    ...options,
    onWarning: () => {
      isPriced = false;
    },
  });
  return { info: modelInfo(model, options), isPriced };
}

/** What one request cost, as the provider reported it. */
function billOf({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: Usage, info: ModelInfo, atMs: number): RequestBill {
  const ttl = info.cache.kind === "prefix" ? undefined : info.cache.defaultTtl;
  const cacheWrite = ttl === undefined ? {} : { [ttl]: cacheWriteTokens };
  const uncached = inputTokens - cacheReadTokens - (ttl === undefined ? 0 : cacheWriteTokens);
  return requestBill({ uncached, cacheRead: cacheReadTokens, cacheWrite }, outputTokens, pricesFor(info, inputTokens, atMs));
}

/** What the same call would have cost with the client's own messages, with a cache if the provider used one for it. */
function fullBill(request: GrowingRequest, before: GrowingRequest | undefined, isCached: boolean, info: ModelInfo): RequestBill {
  const shares = isCached ? cachedShares(request, before, info.cache) : { uncached: request.inputTokens, cacheRead: 0, cacheWrite: {} };
  return requestBill(shares, request.outputTokens, pricesFor(info, request.inputTokens, request.atMs));
}

/** The head is the same string, or nearly, in every request of a conversation. */
let lastHead: { readonly head: string; readonly tokens: number } = { head: "", tokens: 0 };

function headTokens(head: string): number {
  if (lastHead.head !== head) lastHead = { head, tokens: estimateTokens(head) };
  return lastHead.tokens;
}

const toolSizes = new WeakMap<ToolDefinition, number>();

function toolTokens(tools: readonly ToolDefinition[]): number {
  return tools.reduce((sum, tool) => {
    const tokens = toolSizes.get(tool) ?? estimateTokens(JSON.stringify(tool));
    toolSizes.set(tool, tokens);
    return sum + tokens;
  }, 0);
}
