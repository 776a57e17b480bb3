import assert from "node:assert/strict";
import type { CallMetrics } from "../../../src/agent/clients/anthropic.ts";
import { requestBill } from "../../../src/pricing/billing/bill.ts";
import { pricesFor } from "../../../src/pricing/billing/prices-for.ts";
import { modelInfo } from "../../../src/pricing/index.ts";
import type { ProviderDouble, RecordedRequest } from "../../../src/testing/index.ts";

/** What the model read, and what it cost, as the double reported it. */
export function billOf(requests: readonly RecordedRequest[], model: string): { inputTokens: number; dollars: number } {
  const info = modelInfo(model);
  const bills = requests.map(({ counts, usage = {} }) => {
    const { uncached = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, cacheWrite30m = 0, cacheWrite12h = 0 } = counts ?? {};
    const output = Number(usage["output_tokens"] ?? usage["completion_tokens"]);
    const cacheWrite = { "5m": cacheWrite5m, "1h": cacheWrite1h, "30m": cacheWrite30m, "12h": cacheWrite12h };
    const inputTokens = Object.values(cacheWrite).reduce((sum, tokens) => sum + tokens, uncached + cacheRead);
    return requestBill({ uncached, cacheRead, cacheWrite }, output, pricesFor(info, inputTokens, undefined));
  });
  return { inputTokens: bills.reduce((sum, { inputTokens }) => sum + inputTokens, 0), dollars: bills.reduce((sum, { dollars }) => sum + dollars, 0) };
}

/** A loop that was really run without us. */
export interface RealLoop {
  readonly requests: number;
  readonly bill: { readonly inputTokens: number; readonly dollars: number };
}

type StartDouble = () => Promise<ProviderDouble>;

/** Runs a loop without us. */
export async function realLoop(start: StartDouble, model: string, run: (double: ProviderDouble) => Promise<unknown>): Promise<RealLoop> {
  const double = await start();
  await run(double);
  assert.deepEqual(double.rejected, []);
  return { requests: double.requests.length, bill: billOf(double.requests, model) };
}

/** Runs the same loop with us. Returns by how much its metrics are off, each as a share. `savesDollars`: false where next to nothing is saved, of which no share can be off. */
export async function errorsOf(
  start: StartDouble,
  model: string,
  { requests, bill: real }: RealLoop,
  run: (double: ProviderDouble) => Promise<CallMetrics | undefined>,
  savesDollars = true,
): Promise<Readonly<Record<string, number>>> {
  const double = await start();
  const metrics = (await run(double)) ?? assert.fail("no metrics");
  const ours = billOf(double.requests, model);
  assert.deepEqual(double.rejected, []);
  assert.ok(metrics.requests > requests && metrics.calls === requests, "the same calls, and hidden rounds");
  assert.ok(ours.inputTokens < 0.9 * real.inputTokens, "tokens are saved");
  if (!savesDollars) assert.ok(ours.dollars > 0.9 * real.dollars, "no dollars are saved: judge by them");
  else assert.ok(ours.dollars < 0.9 * real.dollars, "dollars are saved");
  return {
    fullTokens: share(metrics.fullTokens, real.inputTokens),
    fullDollars: share(metrics.fullDollars, real.dollars),
    dollars: share(metrics.dollars, ours.dollars),
    ...(savesDollars ? { dollarsSaved: share(metrics.dollarsSaved, real.dollars - ours.dollars) } : {}),
  };
}

export function share(said: number, real: number): number {
  return said / real - 1;
}
