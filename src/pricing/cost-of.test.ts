/**
 * Bills worked out by hand from the providers' rules (F), to the token. A block is written as its size and, where it matters, a name:
 * `text(2000)`, `text(2000, "b")`; the counts are injected, so nothing here depends on an estimate.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, text, think, use, user } from "../../test/support/build.ts";
import type { Block } from "../messages/message.ts";
import { costOf, type BilledRequest, type InputShares } from "./index.ts";

const MINUTE = 60_000;

/** Sizes are written into the content: `2000` or `2000 b`. */
const sizeIn = (content: unknown): number => Number(/\d+/.exec(String(content))?.[0]);
const tokensOf = (value: unknown): number => {
  const { text, name, content, thinking, input } = value as Readonly<Record<string, unknown>>;
  if (Array.isArray(content)) return content.reduce((sum: number, part) => sum + tokensOf(part), 0);
  return sizeIn(text ?? content ?? thinking ?? (input as { size?: number } | undefined)?.size ?? name);
};

type Ttl = "5m" | "1h";
const mark = (ttl?: Ttl): object => ({ cache_control: ttl === undefined ? { type: "ephemeral" } : { type: "ephemeral", ttl } });
const sized = (tokens: number, name = "", more: object = {}): Block => text(`${tokens} ${name}`, more);
const marked = (tokens: number, ttl?: Ttl): Block => sized(tokens, "", mark(ttl));
const sizedUse = (tokens: number, id: string): Block => use(id, "read", { size: tokens });
const sizedRes = (tokens: number, id: string, more: object = {}): Block => res(id, `${tokens}`, more);
/** One message with this many blocks of 100 tokens. */
const hundreds = (count: number, last: Block = sized(100)): Block[] => [...Array.from({ length: count - 1 }, () => sized(100)), last];

/** uncached, read, written */
type Shares = readonly [uncached: number, cacheRead: number, cacheWrite: InputShares["cacheWrite"]];
const written = (fiveMinutes: number, oneHour = 0): InputShares["cacheWrite"] => ({ "5m": fiveMinutes, "1h": oneHour });

interface Case {
  readonly model: string;
  readonly requests: readonly BilledRequest[];
  readonly expected: readonly Shares[];
  readonly dollars?: number;
}

/** Sonnet 4.5: input 3, output 15, read 0.30, write 3.75 and 6 dollars a million; from 1024 tokens on. */
const SONNET = "claude-sonnet-4-5";
/** GPT-5.6 Sol: input 4, output 20, read 0.40, write 5. */
const SOL = "gpt-5.6-sol";

const first: BilledRequest = { messages: [user(marked(2000))] };

const CASES: Readonly<Record<string, Case>> = {
  "1. the first request writes up to the marker, the second reads that and writes what came since": {
    model: SONNET,
    requests: [
      { messages: [user(marked(2000), sized(100))], outputTokens: 500 },
      // 2000 of the earlier request, then 100 + 500 + 1000 up to the marker; 50 after it.
      { messages: [user(sized(2000), sized(100)), assistant(sized(500)), user(marked(1000), sized(50))], outputTokens: 200 },
    ],
    expected: [
      [100, 0, written(2000)],
      [50, 2000, written(1600)],
    ],
    // 100·3 + 2000·3.75 + 500·15 = 15,300; 50·3 + 2000·0.3 + 1600·3.75 + 200·15 = 9,750
    dollars: 0.02505,
  },
  "2. an entry 20 blocks back, counting the marked one, is found": {
    model: SONNET,
    // 20 blocks; looked at are 20 … 1.
    requests: [first, { messages: [user(sized(2000), ...hundreds(19, marked(100)))] }],
    expected: [
      [0, 0, written(2000)],
      [0, 2000, written(1900)],
    ],
    // 2000·3.75 = 7,500; 2000·0.3 + 1900·3.75 = 7,725
    dollars: 0.015225,
  },
  "3. an entry 21 blocks back is not": {
    model: SONNET,
    // 21 blocks; looked at are 21 … 2.
    requests: [first, { messages: [user(sized(2000), ...hundreds(20, marked(100)))] }],
    expected: [
      [0, 0, written(2000)],
      [0, 0, written(4000)],
    ],
    // 7,500 + 4000·3.75
    dollars: 0.0225,
  },
  "4. a second marker near the entry looks back on its own": {
    model: SONNET,
    requests: [first, { messages: [user(marked(2000), ...hundreds(20, marked(100)))] }],
    expected: [
      [0, 0, written(2000)],
      [0, 2000, written(2000)],
    ],
  },
  "5. an entry of 5 minutes is gone after 5 minutes and a moment, not after 5": {
    model: SONNET,
    requests: [
      { ...first, atMs: 0 },
      { ...first, atMs: 5 * MINUTE },
      { ...first, atMs: 10 * MINUTE + 1 },
    ],
    expected: [
      [0, 0, written(2000)],
      [0, 2000, written(0)],
      [0, 0, written(2000)],
    ],
  },
  "5b. a clock that steps back is an unknown pause, and later ones are measured on the new clock": {
    model: SONNET,
    requests: [
      { ...first, atMs: 60 * MINUTE },
      { ...first, atMs: 0 },
      { ...first, atMs: 4 * MINUTE },
      { ...first, atMs: 9 * MINUTE + 1 },
    ],
    expected: [
      [0, 0, written(2000)],
      [0, 2000, written(0)],
      [0, 2000, written(0)],
      [0, 0, written(2000)],
    ],
  },
  "6. a read refreshes an entry, for nothing": {
    model: SONNET,
    // 8 minutes after the write, but 4 after the read.
    requests: [0, 4, 8].map((minutes) => ({ ...first, atMs: 1_790_000_000_000 + minutes * MINUTE })),
    expected: [
      [0, 0, written(2000)],
      [0, 2000, written(0)],
      [0, 2000, written(0)],
    ],
    // 2000·3.75 + 2·2000·0.3
    dollars: 0.0087,
  },
  "7. also one that comes after the marker of the request that reads it": {
    model: SONNET,
    requests: [
      { atMs: 0, messages: [user(marked(2000))] },
      { atMs: 4 * MINUTE, messages: [user(sized(2000), marked(300))] },
      // The 300 are gone from the view; the 2000 were last read 4 minutes ago.
      { atMs: 8 * MINUTE, messages: [user(sized(2000), marked(70))] },
    ],
    expected: [
      [0, 0, written(2000)],
      [0, 2000, written(300)],
      [0, 2000, written(70)],
    ],
  },
  "8. an entry lives as long as it was written for, whatever the markers of those say that read it": {
    model: SONNET,
    requests: [
      { atMs: 0, messages: [user(marked(2000, "1h"))] },
      { atMs: 10 * MINUTE, messages: [user(marked(2000, "5m"))] },
      { atMs: 60 * MINUTE, messages: [user(marked(2000, "5m"))] },
      { atMs: 120 * MINUTE + 1, messages: [user(marked(2000, "5m"))] },
      { atMs: 121 * MINUTE, messages: [user(marked(2000, "1h"))] },
      { atMs: 131 * MINUTE, messages: [user(marked(2000, "1h"))] },
    ],
    expected: [
      [0, 0, written(0, 2000)],
      [0, 2000, written(0)],
      [0, 2000, written(0)],
      [0, 0, written(2000)],
      [0, 2000, written(0)],
      [0, 0, written(0, 2000)],
    ],
  },
  "9. below the minimum nothing is written, and so nothing is read": {
    model: SONNET,
    requests: [
      { messages: [user(marked(1023))] },
      { messages: [user(marked(1023))] },
      { messages: [user(sized(1023), marked(1))] },
      { messages: [user(sized(1023), marked(1))] },
    ],
    expected: [
      [1023, 0, written(0)],
      [1023, 0, written(0)],
      [0, 0, written(1024)],
      [0, 1024, written(0)],
    ],
  },
  "10. of mixed times to live, what lies up to the last 1 hour marker is a 1 hour write, the rest a 5 minute write": {
    model: SONNET,
    requests: [
      // A = 0, B = 3000 + 500 = 3500, C = 3500 + 1000 = 4500
      { atMs: 0, tools: [{ name: "3000", ...mark("1h") }], system: [marked(500, "1h")], messages: [user(marked(1000), sized(70))] },
      // 10 minutes later the 5 minute entry is gone. A = 3500, B = A, C = 4500 + 70 + 400 + 600 = 5570
      {
        atMs: 10 * MINUTE,
        tools: [{ name: "3000", ...mark("1h") }],
        system: [marked(500, "1h")],
        messages: [user(sized(1000), sized(70)), assistant(sized(400)), user(marked(600))],
      },
      // A = 3000 (the system prompt changed), B = 3000 + 800 = 3800, C = 3800 + 1000 = 4800
      { atMs: 11 * MINUTE, tools: [{ name: "3000", ...mark("1h") }], system: [marked(800, "1h")], messages: [user(marked(1000))] },
    ],
    expected: [
      [70, 0, written(1000, 3500)],
      [0, 3500, written(2070, 0)],
      [0, 3000, written(1000, 800)],
    ],
    // 70·3 + 1000·3.75 + 3500·6 = 24,960; 3500·0.3 + 2070·3.75 = 8,812.5; 3000·0.3 + 1000·3.75 + 800·6 = 9,450
    dollars: 0.0432225,
  },
  "11. an edit in the middle falls back to the marker before it": {
    model: SONNET,
    requests: [
      { system: [marked(1500)], messages: [user(sized(400, "a")), assistant(sized(300)), user(marked(200))] },
      // 400 became 90: the 1500 of the system prompt are read, 90 + 300 + 200 written.
      { system: [marked(1500)], messages: [user(sized(90, "a")), assistant(sized(300)), user(marked(200))] },
    ],
    expected: [
      [0, 0, written(2400)],
      [0, 1500, written(590)],
    ],
  },
  "12. a changed tool changes everything after it": {
    model: SONNET,
    requests: [
      { tools: [{ name: "2000 a", ...mark() }], system: [marked(1500)], messages: [user(marked(200))] },
      { tools: [{ name: "2000 b", ...mark() }], system: [marked(1500)], messages: [user(marked(200))] },
    ],
    expected: [
      [0, 0, written(3700)],
      [0, 0, written(3700)],
    ],
  },
  "13. `cache_control` on the request marks the last block that can be marked": {
    model: SONNET,
    requests: [
      { cache_control: { type: "ephemeral" }, messages: [user(sized(2000))] },
      // The last block is thinking; the one before it is marked.
      { cache_control: { type: "ephemeral" }, messages: [user(sized(2000)), assistant(sized(300), { type: "thinking", thinking: "80" })] },
    ],
    expected: [
      [0, 0, written(2000)],
      [80, 2000, written(300)],
    ],
  },
  "14. GPT-5 reads whole steps of 128, from 1024 on, and writes for nothing": {
    model: "gpt-5",
    requests: [
      { messages: [user(sized(1150))] },
      // 1150 = 8·128 + 126
      { messages: [user(sized(1150)), assistant(sized(850)), user(sized(500))] },
      // 2500 = 19·128 + 68
      { messages: [user(sized(1150)), assistant(sized(850)), user(sized(500)), assistant(sized(10))] },
    ],
    expected: [
      [1150, 0, {}],
      [1476, 1024, {}],
      [78, 2432, {}],
    ],
    // 1.25 and 0.125: (1150 + 1476 + 78)·1.25 + (1024 + 2432)·0.125
    dollars: 0.003812,
  },
  "15. a prefix that was not used for longer than the provider keeps it is gone": {
    model: "gpt-4o",
    requests: [0, 5 * MINUTE, 10 * MINUTE + 1].map((atMs) => ({ atMs, messages: [user(sized(1280))] })),
    expected: [
      [1280, 0, {}],
      [0, 1280, {}],
      [1280, 0, {}],
    ],
  },
  "16. GPT-5.6 writes up to the newest message of the user, for 1.25 times the price": {
    model: SOL,
    requests: [
      { system: "1500", messages: [user(sized(500))] },
      // What follows the newest user message is not written.
      { system: "1500", messages: [user(sized(500)), assistant(sized(300)), user(sized(200)), assistant(sized(40))] },
      // The first message changed, and nothing was written at the end of the system prompt.
      { system: "1500", messages: [user(sized(499)), assistant(sized(300)), user(sized(200))] },
    ],
    expected: [
      [0, 0, { "30m": 2000 }],
      [40, 2000, { "30m": 500 }],
      [0, 0, { "30m": 2499 }],
    ],
    // 2000·5 = 10,000; 40·4 + 2000·0.4 + 500·5 = 3,460; 2499·5 = 12,495
    dollars: 0.025955,
  },
  "17. GPT-5.6 writes at explicit breakpoints too, and finds them when what follows changed": {
    model: SOL,
    requests: ["a", "b"].map((name) => ({
      system: [sized(1500, "", { prompt_cache_breakpoint: { mode: "explicit" } })],
      messages: [user(sized(500, name))],
    })),
    expected: [
      [0, 0, { "30m": 2000 }],
      [0, 1500, { "30m": 500 }],
    ],
  },
  "18. over 272,000 tokens the whole request costs twice as much, its output half as much again": {
    model: SOL,
    requests: [
      { messages: [user(sized(272_000))], outputTokens: 1000 },
      { messages: [user(sized(272_000)), assistant(sized(1000)), user(sized(1000))], outputTokens: 1000 },
    ],
    expected: [
      [0, 0, { "30m": 272_000 }],
      [0, 272_000, { "30m": 2000 }],
    ],
    // 272000·5 + 1000·20 = 1,380,000; 272000·0.8 + 2000·10 + 1000·30 = 267,600
    dollars: 1.6476,
  },
  "19. Haiku 5.5 has another price over 100,000 tokens": {
    model: "claude-haiku-5-5",
    requests: [{ messages: [user(sized(100_000))] }, { messages: [user(sized(100_001))] }],
    expected: [
      [100_000, 0, written(0)],
      [100_001, 0, written(0)],
    ],
    // 100000·0.10 + 100001·0.50
    dollars: 0.0600005,
  },
  "20. up to Sonnet 4.5, what the user says takes earlier thinking out of the prompt, and what follows it out of the cache": {
    model: SONNET,
    requests: [
      { messages: [user(marked(2000)), assistant(sizedThink(400), sizedUse(100, "a")), user(sizedRes(300, "a", mark()))] },
      { messages: [user(marked(2000)), assistant(sizedThink(400), sizedUse(100, "a")), user(sizedRes(300, "a")), assistant(sized(50)), user(marked(20))] },
    ],
    expected: [
      [0, 0, written(2800)],
      // 400 of thinking are gone: 2000 read, 100 + 300 + 50 + 20 written
      [0, 2000, written(470)],
    ],
  },
  "21. from Sonnet 4.6 on, thinking stays": {
    model: "claude-sonnet-4-6",
    requests: [
      { messages: [user(marked(2000)), assistant(sizedThink(400), sizedUse(100, "a")), user(sizedRes(300, "a", mark()))] },
      { messages: [user(marked(2000)), assistant(sizedThink(400), sizedUse(100, "a")), user(sizedRes(300, "a")), assistant(sized(50)), user(marked(20))] },
    ],
    expected: [
      [0, 0, written(2800)],
      [0, 2800, written(70)],
    ],
  },
  "22. a changed setting breaks the level that it belongs to, and what follows": {
    model: SONNET,
    requests: ["auto", "none"].map((type) => ({ tool_choice: { type }, system: [marked(2000)], messages: [user(marked(500))] })),
    expected: [
      [0, 0, written(2500)],
      [0, 2000, written(500)],
    ],
  },
  "23. the speed breaks the system prompt too, but not the tools": {
    model: SONNET,
    requests: ["standard", "fast"].map((speed) => ({ speed, tools: [{ name: "1100", ...mark() }], system: [marked(2000)], messages: [user(marked(500))] })),
    expected: [
      [0, 0, written(3600)],
      [0, 1100, written(2500)],
    ],
  },
  "24. another model has a cache of its own": {
    model: SONNET,
    requests: [first, { ...first, model: "claude-opus-4-8" }, { ...first, model: "claude-sonnet-4-5-20250929" }],
    expected: [
      [0, 0, written(2000)],
      [0, 0, written(2000)],
      [0, 2000, written(0)],
    ],
    // 2000·3.75 + 2000·6.25 + 2000·0.3
    dollars: 0.0206,
  },
  "25. Gemini reads what begins like an earlier request, from its minimum on": {
    model: "gemini-2.5-pro",
    requests: [{ messages: [user(sized(2047))] }, { messages: [user(sized(2047), sized(1))] }, { messages: [user(sized(2047), sized(1), sized(10))] }],
    expected: [
      [2047, 0, {}],
      [2048, 0, {}],
      [10, 2048, {}],
    ],
  },
  "26. DeepSeek costs twice as much in peak hours, on working days": {
    model: "deepseek-flash",
    // Friday 2026-10-30, 03:59 and 04:00 UTC; Saturday and Sunday, 03:00; Monday, 01:00
    requests: ["2026-10-30T03:59:00Z", "2026-10-30T04:00:00Z", "2026-10-31T03:00:00Z", "2026-11-01T03:00:00Z", "2026-11-02T01:00:00Z"].map((time, number) => ({
      atMs: Date.parse(time),
      messages: [user(sized(1000, `${number}`))],
    })),
    expected: Array.from({ length: 5 }, () => [1000, 0, {}]),
    // 1000·0.15·(2 + 1 + 1 + 1 + 2)
    dollars: 0.00105,
  },
  "27. an announced price holds from its day on": {
    model: "gemini-4-argon",
    requests: ["2026-11-30T23:59:59Z", "2026-12-01T00:00:00Z"].map((time, number) => ({
      atMs: Date.parse(time),
      messages: [user(sized(1000, `${number}`))],
    })),
    expected: [
      [1000, 0, {}],
      [1000, 0, {}],
    ],
    // 1000·2 + 1000·4
    dollars: 0.006,
  },
};

function sizedThink(tokens: number): Block {
  return think("s", `${tokens}`);
}

describe("bills worked out by hand", () => {
  for (const [name, { model: id, requests, expected, dollars }] of Object.entries(CASES)) {
    test(name, () => {
      const bill = costOf(requests, id, { tokensOf });
      assert.deepEqual(
        bill.requests.map(({ uncached, cacheRead, cacheWrite }): Shares => [uncached, cacheRead, cacheWrite]),
        expected,
      );
      if (dollars !== undefined) assert.equal(bill.total.dollars.toFixed(12), dollars.toFixed(12));
    });
  }
});

test("requests without a time follow each other while everything is still there", () => {
  const timed = [first, { ...first, atMs: 1_790_000_000_000 }, first, { ...first, atMs: 1_790_000_000_000 + 5 * MINUTE }];
  assert.deepEqual(
    costOf(timed, SONNET, { tokensOf }).requests.map(({ cacheRead }) => cacheRead),
    [0, 2000, 2000, 2000],
  );
});

test("the total is the sum, also over models with other times to live", () => {
  const { total } = costOf(
    [
      { messages: [user(marked(2000), sized(9))], outputTokens: 3 },
      { ...first, model: SOL, outputTokens: 4 },
    ],
    SONNET,
    { tokensOf },
  );
  assert.deepEqual(
    { ...total, dollars: Number(total.dollars.toFixed(12)) },
    // 2000·3.75 + 9·3 + 3·15 + 2000·5 + 4·20
    { inputTokens: 4009, uncached: 9, cacheRead: 0, cacheWrite: { "5m": 2000, "1h": 0, "30m": 2000 }, outputTokens: 7, dollars: 0.017652 },
  );
});

test("the total of writes of one kind", () =>
  assert.deepEqual(costOf([first, { messages: [user(marked(1500))] }], SONNET, { tokensOf }).total.cacheWrite, written(3500)));

test("nothing sent costs nothing", () =>
  assert.deepEqual(costOf([], SONNET), {
    requests: [],
    total: { inputTokens: 0, uncached: 0, cacheRead: 0, cacheWrite: {}, outputTokens: 0, dollars: 0 },
  }));

test("the option `ttl` is for markers that name none", () => {
  const requests: BilledRequest[] = [{ system: [marked(2000)], messages: [user(marked(500, "5m"))] }];
  assert.deepEqual(costOf(requests, SONNET, { tokensOf, ttl: "1h" }).total.cacheWrite, written(500, 2000));
});
