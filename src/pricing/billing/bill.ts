import type { Prices, Ttl } from "../models/model.ts";

/** How the input tokens of a request are billed. Each token is in exactly one of the three. */
export interface InputShares {
  readonly uncached: number;
  readonly cacheRead: number;
  readonly cacheWrite: Readonly<Partial<Record<Ttl, number>>>;
}

/** The bill of one request. All numbers except `dollars` are tokens. */
export interface RequestBill extends InputShares {
  /** All input tokens: uncached, read and written. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
}

export interface Bill {
  readonly requests: readonly RequestBill[];
  readonly total: RequestBill;
}

const EMPTY_BILL: RequestBill = { inputTokens: 0, uncached: 0, cacheRead: 0, cacheWrite: {}, outputTokens: 0, dollars: 0 };

const MILLION = 1_000_000;

export function requestBill(shares: InputShares, outputTokens: number, prices: Prices): RequestBill {
  const { uncached, cacheRead, cacheWrite } = shares;
  let inputTokens = uncached + cacheRead;
  let cost = uncached * prices.input + cacheRead * prices.cacheRead + outputTokens * prices.output;
  for (const [ttl, tokens] of writesIn(shares)) {
    inputTokens += tokens;
    cost += tokens * (prices.cacheWrite[ttl] ?? prices.input);
  }
  return { inputTokens, uncached, cacheRead, cacheWrite, outputTokens, dollars: cost / MILLION };
}

export function sumOfBills(bills: readonly RequestBill[]): RequestBill {
  return bills.reduce(
    (sum, bill) => ({
      inputTokens: sum.inputTokens + bill.inputTokens,
      uncached: sum.uncached + bill.uncached,
      cacheRead: sum.cacheRead + bill.cacheRead,
      cacheWrite: sumOfWrites(sum, bill),
      outputTokens: sum.outputTokens + bill.outputTokens,
      dollars: sum.dollars + bill.dollars,
    }),
    EMPTY_BILL,
  );
}

function sumOfWrites(a: InputShares, b: InputShares): InputShares["cacheWrite"] {
  const sum: Partial<Record<Ttl, number>> = { ...a.cacheWrite };
  for (const [ttl, tokens] of writesIn(b)) sum[ttl] = (sum[ttl] ?? 0) + tokens;
  return sum;
}

function writesIn({ cacheWrite }: InputShares): [Ttl, number][] {
  return Object.entries(cacheWrite) as [Ttl, number][];
}
