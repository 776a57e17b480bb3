import { guardMethods } from "../errors/guarded.ts";
import { callback, oneOf, parseOptions, type FieldsOf } from "../errors/parse-options.ts";
import { requestBill, type RequestBill } from "./billing/bill.ts";
import { parseRequest, type BilledRequest } from "./billing/billed-request.ts";
import { cacheOf } from "./billing/cache-of.ts";
import type { CacheSimulation } from "./billing/cache-simulation.ts";
import { createMeter, type Meter, type TokensOf } from "./billing/meter.ts";
import { pauseMs } from "./billing/pause.ts";
import { pricesFor } from "./billing/prices-for.ts";
import { promptOf, tokensIn } from "./billing/prompt.ts";
import { MODEL_OPTION_FIELDS, modelInfo, type ModelOptions } from "./model-info.ts";
import type { ModelInfo, Ttl } from "./models/model.ts";
import { modelKey } from "./names/model-key.ts";

export interface BillOptions extends ModelOptions {
  /** Returns exact counts. By default, lengths are estimated and scaled to the model's tokens. */
  readonly tokensOf?: TokensOf;
  /** The time to live of cache markers that name none, if the model supports it. Default: the provider's. */
  readonly ttl?: Ttl;
}

const BILL_OPTION_FIELDS: FieldsOf<BillOptions> = {
  ...MODEL_OPTION_FIELDS,
  tokensOf: callback<TokensOf>("a function"),
  ttl: oneOf("5m", "1h", "30m", "12h"),
};

/** Bills requests in order, each with the cache that the earlier ones left. */
export interface Biller {
  /** Throws for a request that the provider would refuse because of its cache markers; that bills and changes nothing. */
  bill(request: BilledRequest): RequestBill;
}

interface Account {
  readonly info: ModelInfo;
  readonly meter: Meter;
  readonly cache: CacheSimulation;
}

/** Creates a biller. It reads each block once and then recognizes it by identity: do not change blocks between two requests. */
export function createBiller(model: string, options: BillOptions = {}): Biller {
  const { tokensOf, ttl, ...modelOptions } = parseOptions(options, "options", BILL_OPTION_FIELDS) as BillOptions;
  const accounts = new Map<string, Account>();
  const openAccount = (name: string): Account => {
    const info = modelInfo(name, modelOptions);
    const account = { info, meter: createMeter(info.tokenFactor, tokensOf), cache: cacheOf(info.cache, ttl) };
    accounts.set(modelKey(name), account);
    return account;
  };
  openAccount(model);
  let elapsedMs = 0;
  let lastAtMs: number | undefined;

  const biller: Biller = {
    bill(request) {
      const { atMs, outputTokens = 0, model: name = model } = parseRequest(request);
      const { info, meter, cache } = accounts.get(modelKey(name)) ?? openAccount(name);
      const prompt = promptOf(request, info, meter);
      const nowMs = elapsedMs + pauseMs(lastAtMs, atMs);
      const shares = cache.send(request, prompt, nowMs);
      elapsedMs = nowMs;
      lastAtMs = atMs ?? lastAtMs;
      return requestBill(shares, outputTokens, pricesFor(info, tokensIn(prompt), atMs));
    },
  };
  return guardMethods(biller, { bill: ["request"] });
}
