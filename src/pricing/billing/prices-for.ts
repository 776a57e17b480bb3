import type { ModelInfo, PeakHours, Prices } from "../models/model.ts";

/** Returns the prices for a prompt of this length at this time. Without a time: today's, outside peak hours. */
export function pricesFor({ prices, nextPrices, longContext, peakHours }: ModelInfo, inputTokens: number, atMs: number | undefined): Prices {
  const isLong = longContext !== null && inputTokens > longContext.overTokens;
  const isNext = nextPrices !== null && atMs !== undefined && atMs >= Date.parse(nextPrices.from);
  const base = isLong ? longContext.prices : isNext ? nextPrices.prices : prices;
  return peakHours !== null && atMs !== undefined && isPeak(new Date(atMs), peakHours) ? times(base, peakHours.factor) : base;
}

function isPeak(at: Date, { hoursUtc }: PeakHours): boolean {
  const day = at.getUTCDay();
  const hour = at.getUTCHours();
  return day >= 1 && day <= 5 && hoursUtc.some(([from, to]) => from <= hour && hour < to);
}

function times({ input, output, cacheRead, cacheWrite }: Prices, factor: number): Prices {
  const written = Object.fromEntries(Object.entries(cacheWrite).map(([ttl, price]) => [ttl, price * factor]));
  return { input: input * factor, output: output * factor, cacheRead: cacheRead * factor, cacheWrite: written };
}
