import type { Message } from "../../../src/index.ts";
import type { PolicyOptions } from "../../../src/conversation/index.ts";
import { use } from "../build.ts";
import { result } from "../threads/speak.ts";

/** So small that almost every call decides something. */
export const SMALL_POLICY: PolicyOptions = {
  preset: "tight",
  firstSightTokens: 60,
  firstSightFileTokens: 60,
  tailTokens: 100,
  tailTurns: 2,
  minResultTokens: 20,
  minBatchTokens: 20,
  horizonPercent: 1_000,
};
export const LIVING_POLICY: PolicyOptions = { ...SMALL_POLICY, budget: 1_500 };

/** One call of a tool, and its result. */
export function livingRound(number: number): Message[] {
  const lines = Array.from({ length: 40 }, (_, line) => `export const value${line} = ${line * number};`);
  return [
    { role: "assistant", content: [use(`c${number}`, "read", { path: `file-${number}.ts` })] },
    { role: "user", content: [result(`c${number}`, lines.join("\n"))] },
  ];
}
