import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import { blocksOf, isToolUse, type Message } from "../../messages/message.ts";
import type { ReportedUsage, Usage } from "../../messages/usage.ts";
import { requestBill, type RequestBill } from "../../pricing/billing/bill.ts";
import { pricesFor } from "../../pricing/billing/prices-for.ts";
import { modelInfo, type ModelOptions } from "../../pricing/model-info.ts";
import type { ModelInfo } from "../../pricing/models/model.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import { contentTokens } from "../../tokens/message-tokens.ts";
import type { FullThread } from "./full-thread.ts";
import { amountOfMessage, amountOfMessages, headAmount, type OwnRequest } from "./own-request.ts";
import { NOTHING, plus, type Amount } from "./token-fit.ts";

/** Metrics of one call of the client, including its hidden rounds, or of many calls together. */
export interface CallMetrics extends Usage {
  readonly calls: number;
  /** Requests that were sent: more than `calls` if there were hidden rounds, or a rescue. */
  readonly requests: number;
  /** Cost of the calls whose model has a known price. */
  readonly dollars: number;
  /** Calls of models without a known price, which are not in the dollars. */
  readonly unpricedCalls: number;
  /** Input tokens if the client's own messages had been sent, and their cost with the cache that its own markers ask for. Based on the reported usage. */
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

/** Measures one call of the client. */
export class CallMeter {
  /** Undefined: the client's own request is sent. */
  readonly #thread: FullThread | undefined;
  readonly #observes: boolean;
  readonly #priced: PricedModel;
  readonly #own: OwnRequest;
  readonly #atMs = Date.now();
  readonly #head: Amount;
  readonly #usages: ReportedUsage[] = [];
  /** Output tokens that exist only because of us: calls of hidden tools. */
  #hiddenOutput = 0;
  #requests = 0;
  #view: readonly Message[] = [];
  #amount = NOTHING;
  #metrics: CallMetrics | undefined;

  /** `observes`: the client's own messages are sent, whatever the view is. */
  constructor(thread: FullThread | undefined, request: OwnRequest, priced: PricedModel, observes = false) {
    this.#thread = thread;
    this.#observes = observes && thread !== undefined;
    this.#priced = priced;
    this.#own = request;
    this.#head = thread?.begin(request) ?? headAmount(request);
  }

  /** Tokens of the next or last request, and of the client's own: as reported, or else estimated from earlier reports. */
  get tokens(): { readonly sent: number; readonly full: number } {
    const last = this.#usages.at(-1);
    if (this.#thread === undefined) {
      const sent = last?.inputTokens ?? Math.round(this.#amount.text * this.#priced.info.tokenFactor);
      return { sent, full: sent };
    }
    const { sent, full } = this.#thread.estimate(this.#amount);
    const reported = this.#observes ? undefined : last?.inputTokens;
    return { sent: reported ?? Math.max(0, Math.round(sent)), full: this.#metrics?.fullTokens ?? Math.max(0, Math.round(full)) };
  }

  /** Sets the messages of the next request, and the tools besides the client's own. */
  shown(view: readonly Message[], tools: readonly ToolDefinition[]): void {
    this.#view = view;
    this.#amount = plus(amountOfMessages(view), tools.map(amountOfTool).reduce(plus, this.#head));
  }

  sent(): void {
    this.#requests++;
  }

  /** Takes an answer and its usage. `isHidden`: the client does not have this tool. */
  answered(usage: ReportedUsage | undefined, message: Message, isHidden: (toolName: string) => boolean): void {
    if (usage === undefined) return;
    this.#usages.push(usage);
    if (this.#observes) {
      this.#thread?.observe(this.#own.messages, this.#thread.amount, usage, this.#atMs);
      return;
    }
    this.#hiddenOutput += usage.outputTokens * hiddenShare(message, isHidden);
    this.#thread?.observe(this.#view, this.#amount, usage, this.#atMs);
  }

  /** Returns the metrics of the whole call. Call it after the last answer. */
  metrics(): CallMetrics {
    if (this.#metrics === undefined) {
      this.#metrics = this.#measure();
      this.#thread?.end();
    }
    return this.#metrics;
  }

  #measure(): CallMetrics {
    const { info, isPriced } = this.#priced;
    const sum = (value: (usage: ReportedUsage) => number): number => this.#usages.reduce((total, usage) => total + value(usage), 0);
    const billed = sum((usage) => billOf(usage, info, this.#atMs).dollars);
    const billedFull = this.#usages.length === 0 ? undefined : this.#thread?.bill(this.#atMs);
    // With observe, the client's own request was sent, and its bill is real.
    const full = this.#observes ? undefined : billedFull;
    const outputTokens = sum((usage) => usage.outputTokens);
    const fullBilled =
      full === undefined ? billed : requestBill(full.shares, outputTokens - this.#hiddenOutput, pricesFor(info, full.inputTokens, this.#atMs)).dollars;
    const [dollars, fullDollars] = isPriced ? [billed, fullBilled] : [0, 0];
    const inputTokens = sum((usage) => usage.inputTokens);
    return {
      calls: 1,
      requests: this.#requests,
      inputTokens,
      cacheReadTokens: sum((usage) => usage.cacheReadTokens),
      cacheWriteTokens: sum((usage) => usage.cacheWriteTokens),
      outputTokens,
      dollars,
      unpricedCalls: isPriced ? 0 : 1,
      fullTokens: full?.inputTokens ?? inputTokens,
      fullDollars,
      dollarsSaved: fullDollars - dollars,
    };
  }
}

/** Returns which share of an answer exists only because of us. An answer with hidden calls only would not have been there at all. */
function hiddenShare(message: Message, isHidden: (toolName: string) => boolean): number {
  const calls = blocksOf(message).filter(isToolUse);
  const hidden = calls.filter(({ name }) => isHidden(name));
  if (hidden.length === 0) return 0;
  if (hidden.length === calls.length) return 1;
  const all = amountOfMessage(message);
  return hidden.length === 0 ? 0 : contentTokens(hidden) / Math.max(1, all.text);
}

export interface PricedModel {
  readonly info: ModelInfo;
  /** False: the prices are a guess. */
  readonly isPriced: boolean;
}

/** Returns what is known about a model, and whether its price is. A guess is reported to `options.onWarning`. */
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

/** Returns the bill of one request from the usage that the provider reported. */
function billOf(
  { inputTokens, cacheReadTokens, cacheWriteTokens, longCacheWriteTokens = 0, outputTokens }: ReportedUsage,
  info: ModelInfo,
  atMs: number,
): RequestBill {
  const ttl = info.cache.kind === "prefix" ? undefined : info.cache.defaultTtl;
  const longTtl = info.cache.kind === "markers" ? "1h" : "12h";
  const cacheWrite =
    ttl === undefined ? {} : { [ttl]: cacheWriteTokens - longCacheWriteTokens, ...(longCacheWriteTokens > 0 ? { [longTtl]: longCacheWriteTokens } : {}) };
  const uncached = inputTokens - cacheReadTokens - (ttl === undefined ? 0 : cacheWriteTokens);
  return requestBill({ uncached, cacheRead: cacheReadTokens, cacheWrite }, outputTokens, pricesFor(info, inputTokens, atMs));
}

const toolAmounts = new WeakMap<ToolDefinition, Amount>();

function amountOfTool(tool: ToolDefinition): Amount {
  const amount = toolAmounts.get(tool) ?? { text: estimateTokens(JSON.stringify(tool)), pieces: 1 };
  toolAmounts.set(tool, amount);
  return amount;
}
