/** Compares `estimateTokens` with tokenx, another estimator, on sample texts of every kind; and with gpt-tokenizer, which counts exactly. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { estimateTokenCount } from "tokenx";
import { calibrationSamples } from "../scripts/tokens/sample-texts.ts";
import { estimateTokens } from "../src/index.ts";
import { measure, ratioOf, type Plan, type Task } from "./measure.ts";
import { formatTable } from "./table.ts";

/** tokenx should take at least this many times our time. */
const GOAL = 5;
const ALL_KINDS = "all kinds";

export interface TokenSpeed {
  readonly kind: string;
  readonly chars: number;
  readonly ms: { readonly estimateTokens: number; readonly tokenx: number; readonly gptTokenizer: number };
  /** The time of tokenx over ours. */
  readonly ratio: number;
  /** The error of the sum, relative to gpt-tokenizer. */
  readonly error: { readonly estimateTokens: number; readonly tokenx: number };
}

export async function compareTokenCounters(plan: Plan, progress: (text: string) => void): Promise<TokenSpeed[]> {
  const samples = calibrationSamples();
  const speeds: TokenSpeed[] = [];
  for (const [kind, texts] of Object.entries({ ...samples, [ALL_KINDS]: Object.values(samples).flat() })) {
    progress(`token counters: ${kind}`);
    const [ours, tokenx, exact] = await measure([task(estimateTokens, texts), task(estimateTokenCount, texts), task(countO200k, texts)], plan, progress);
    if (ours === undefined || tokenx === undefined || exact === undefined) throw new Error("something was not measured");
    speeds.push({
      kind,
      chars: texts.reduce((sum, text) => sum + text.length, 0),
      ms: { estimateTokens: ours.medianMs, tokenx: tokenx.medianMs, gptTokenizer: exact.medianMs },
      ratio: ratioOf(tokenx, ours),
      error: { estimateTokens: errorOf(estimateTokens, texts), tokenx: errorOf(estimateTokenCount, texts) },
    });
  }
  return speeds;
}

export function printTokenSpeeds(speeds: readonly TokenSpeed[]): string {
  const rows = speeds.map(({ kind, chars, ms, ratio, error }) => [
    kind,
    String(chars),
    ...[ms.estimateTokens, ms.tokenx, ms.gptTokenizer].map((time) => (chars / time / 1_000).toFixed(1)),
    ratio.toFixed(1),
    ...[error.estimateTokens, error.tokenx].map((share) => `${(100 * share).toFixed(1)} %`),
  ]);
  const header = ["kind of text", "characters", "ours, M/s", "tokenx, M/s", "gpt-tokenizer, M/s", "ours / tokenx", "our error", "tokenx's error"];
  return `Token estimates, in million characters a second\n\n${formatTable(header, rows)}\n`;
}

/** The goal is for all kinds together; single kinds are information. */
export function missedTokenGoals(speeds: readonly TokenSpeed[]): string[] {
  return speeds
    .filter(({ kind, ratio }) => kind === ALL_KINDS && !(ratio >= GOAL))
    .map(({ ratio }) => `estimateTokens has ${ratio.toFixed(1)} times the throughput of tokenx, and not ${GOAL}`);
}

function task(count: (text: string) => number, texts: readonly string[]): Task {
  return { name: count.name, arm: () => () => texts.reduce((sum, text) => sum + count(text), 0) };
}

function countO200k(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}

function errorOf(count: (text: string) => number, texts: readonly string[]): number {
  const sum = (counter: (text: string) => number): number => texts.reduce((total, text) => total + counter(text), 0);
  return sum(count) / sum(countO200k) - 1;
}
