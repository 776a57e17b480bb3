import { createHash } from "node:crypto";
import type { Message } from "../../../src/index.ts";
import type { Thread, ThreadOptions } from "../../../src/agent/index.ts";

export const LIVING_THREAD: ThreadOptions = {
  policy: { preset: "tight", firstSightTokens: 60, firstSightFileTokens: 60, tailTokens: 100, tailTurns: 2, minResultTokens: 20, minBatchTokens: 20 },
  reminder: "Be brief.",
};

/** How many turns the agent has begun. */
export function turnsIn(thread: Thread): number {
  return thread.log().filter(({ role, content }) => role === "user" && JSON.stringify(content).includes('"turn ')).length;
}

export function hashOf(log: readonly Message[]): string {
  return createHash("sha256").update(JSON.stringify(log)).digest("hex");
}
