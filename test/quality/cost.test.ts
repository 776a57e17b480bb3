import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { costOfCalls, DEFAULT_RULE, type CallSize } from "../../bench/quality/measure/cost.ts";
import { measurePolicy } from "../../bench/quality/measure/measure-policy.ts";
import type { Recording } from "../../bench/quality/measure/recording.ts";
import type { Message } from "../../src/index.ts";
import type { ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { assistant, res, text, use, user } from "../support/build.ts";
import { prepareOne } from "./synthetic.ts";

const call = (tokens: number, sharedTokens: number, fields: Partial<CallSize> = {}): CallSize => ({
  tokens,
  sharedTokens,
  idleMs: 0,
  recalledTokens: [],
  ...fields,
});

describe("the cost of calls, in input tokens", () => {
  const rows: Readonly<Record<string, readonly [calls: readonly CallSize[], sent: number, recalls: number]>> = {
    "what is new is written": [[call(1_000, 0)], 1_250, 0],
    "what is shared is read": [[call(1_000, 0), call(1_100, 1_000)], 1_250 + 100 + 125, 0],
    "not after a gap": [[call(1_100, 1_000, { idleMs: 300_001 })], 1_375, 0],
    "a recall is one more call": [[call(1_000, 1_000, { recalledTokens: [200] })], 100, 100 + 250 + 750],
  };
  for (const [name, [sizes, sent, recalls]] of Object.entries(rows)) {
    test(name, () => assert.deepEqual(costOfCalls(sizes, DEFAULT_RULE), { sent, recalls }));
  }
});

const words = (count: number): string => "word ".repeat(count).trim();
const LOG: readonly Message[] = [
  user(words(20)),
  assistant(use("a", "read", { path: "a" })),
  user(res("a", words(100))),
  assistant(use("b", "read", { path: "b" })),
  user(res("b", words(100))),
  assistant(text("done")),
];

async function sizesOf(
  view: (log: readonly Message[]) => readonly Message[],
  fields: Partial<Recording> = {},
): Promise<readonly (readonly [number, number])[]> {
  const policy: ReplayPolicy = { name: "test", start: () => ({ next: (log) => ({ messages: view(log), recoverable: [] }) }) };
  const { calls: sizes } = await measurePolicy(prepareOne(LOG, fields), policy, { schemaTokens: 0 });
  return sizes.map(({ tokens, sharedTokens }) => [Math.round(tokens), Math.round(sharedTokens)]);
}

describe("the prefix that two requests share", async () => {
  const full = await sizesOf((log) => log);
  const [[first], [second], [third]] = full as [[number, number], [number, number], [number, number]];

  test("of a log that grows: all of the request before", () => assert.deepEqual(full, [[first, 0], [second, first], [third, second]])); // prettier-ignore
  test("copies are the same bytes", async () => assert.deepEqual(await sizesOf((log) => structuredClone(log)), full)); // prettier-ignore
  test("a changed first block: nothing", async () => {
    const changed = await sizesOf((log) => [user(`${log.length} messages`), ...log.slice(1)]);
    assert.deepEqual(changed.map(([, shared]) => shared), [0, 0, 0]); // prettier-ignore
  });
  test("a changed result: what is before it", async () => {
    const changed = await sizesOf((log) => log.map((message, position) => (position === 2 && log.length > 3 ? user(res("a", "cut")) : message)));
    const call = 9;
    assert.deepEqual([changed[1]?.[1], changed[2]?.[1]], [first, first + call]);
  });
  test("the head counts, and is shared", async () => {
    const [one, two] = await sizesOf((log) => log, { system: "x".repeat(400) });
    assert.deepEqual([one?.[0], two?.[1]], [first + 100, first + 100]);
  });
});
