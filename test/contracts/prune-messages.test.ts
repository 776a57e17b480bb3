import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { pruneMessages, type Message, type PrunerStrategy } from "../../src/index.ts";
import { assistant, block, calls, res, results, text, use, user } from "../support/build.ts";

const system = (content: string): Message => ({ role: "system", content });

const omitted = user("[Earlier conversation omitted]");
const summarized = (turns: number): Message => user(`[Previous context summarized: ${turns} turns]`);

const [q, done, next] = [user("q"), assistant("done"), user("next")];
const base: readonly Message[] = [q, calls("1"), results("1"), calls("2"), results("2"), calls("3"), results("3"), done, next];

type Row = readonly [maxTurns: number, expected: readonly Message[]];

function checkBase(strategy: PrunerStrategy, rows: readonly Row[]): void {
  for (const [maxTurns, expected] of rows) {
    test(`maxTurns ${maxTurns}`, () => {
      const view = pruneMessages(base, { strategy, maxTurns });
      assert.deepEqual(view, expected);
      for (const message of view.filter((entry) => base.includes(entry))) assert.ok(expected.includes(message), "the same objects");
    });
  }
}

describe("sliding-window on question, three rounds, answer, question", () => {
  checkBase("sliding-window", [
    [0, [next]],
    [1, [next]],
    [2, [omitted, done, next]],
    [3, [omitted, ...base.slice(5)]],
    [4, [omitted, ...base.slice(5)]],
    [5, [omitted, ...base.slice(3)]],
    [6, [omitted, ...base.slice(3)]],
    [7, [omitted, ...base.slice(1)]],
    [8, [omitted, ...base.slice(1)]],
    [9, base],
    [10, base],
  ]);
});

describe("summarize on the same thread", () => {
  checkBase("summarize", [
    [0, [summarized(8), next]],
    [1, [summarized(8), next]],
    [2, [summarized(7), done, next]],
    [3, [summarized(5), ...base.slice(5)]],
    [4, [summarized(5), ...base.slice(5)]],
    [5, [summarized(3), ...base.slice(3)]],
    [6, [summarized(3), ...base.slice(3)]],
    [7, [summarized(1), ...base.slice(1)]],
    [8, [summarized(1), ...base.slice(1)]],
    [9, base],
    [10, base],
  ]);
});

// Scores: q 0 · round 1 0.0625 + 0.3 = 0.3625 · round 2 0.4875 · round 3 0.6125 · done 0.4375 + 4/5000 = 0.4383 · next is protected.
describe("importance on the same thread", () => {
  checkBase("importance", [
    [0, [next]],
    [1, [next]],
    [2, [next]],
    [3, [omitted, ...base.slice(5, 7), next]],
    [4, [omitted, ...base.slice(5, 7), next]],
    [5, [omitted, ...base.slice(3, 7), next]],
    [6, [omitted, ...base.slice(3)]],
    [7, [omitted, ...base.slice(3)]],
    [8, [omitted, ...base.slice(1)]],
    [9, base],
    [10, base],
  ]);
});

for (const strategy of ["sliding-window", "summarize", "importance"] as const) {
  test(`${strategy} without maxTurns keeps all`, () => assert.deepEqual(pruneMessages(base, { strategy }), base));
  test(`${strategy} on an empty history gives an empty one`, () => assert.deepEqual(pruneMessages([], { strategy, maxTurns: 0 }), []));
}

describe("what is protected", () => {
  type Protected = readonly [what: string, messages: readonly Message[], maxTurns: number, sliding: readonly Message[], summary: readonly Message[]];
  const rounds = [calls("1"), results("1"), calls("2"), results("2"), calls("3"), results("3")];
  const withText: Message = user(res("2"), text("Use tabs!"));
  const reminder: Message = user(text("<system-reminder>Be quick.</system-reminder>"), text("<checkpoint:abc123>"));
  const picture: Message = user(block("image", { source: {} }));
  const ROWS: readonly Protected[] = [
    [
      "a response of several messages that has just come, as one",
      [user("old"), assistant("old answer"), q, assistant("First,"), assistant("second.")],
      1,
      [q, assistant("First,"), assistant("second.")],
      [summarized(2), q, assistant("First,"), assistant("second.")],
    ],
    ["the newest words of the user, in front of the window", [q, ...rounds], 2, [q, ...rounds.slice(4)], [q, summarized(4), ...rounds.slice(4)]],
    [
      "the newest words in the middle",
      [user("old"), assistant("old answer"), q, ...rounds],
      2,
      [q, ...rounds.slice(4)],
      [summarized(6), q, ...rounds.slice(4)],
    ],
    [
      "words beside a result, with the round that they belong to",
      [q, calls("1"), results("1"), calls("2"), withText, calls("3"), results("3")],
      1,
      [omitted, calls("2"), withText, calls("3"), results("3")],
      [summarized(3), calls("2"), withText, calls("3"), results("3")],
    ],
    [
      "an image counts as words of the user",
      [q, assistant("a"), picture, ...rounds],
      0,
      [picture, ...rounds.slice(4)],
      [summarized(6), picture, ...rounds.slice(4)],
    ],
    [
      "reminders and checkpoints do not",
      [q, ...rounds.slice(0, 2), reminder, ...rounds.slice(2)],
      0,
      [q, ...rounds.slice(4)],
      [q, summarized(5), ...rounds.slice(4)],
    ],
    [
      "the last message with its round",
      [q, calls("1"), results("1"), done, next, calls("2"), results("2")],
      0,
      [next, calls("2"), results("2")],
      [summarized(4), next, calls("2"), results("2")],
    ],
    ["nothing else, if it is all there is", [q, calls("1"), results("1")], 1, [q, calls("1"), results("1")], [q, calls("1"), results("1")]],
  ];
  for (const [what, messages, maxTurns, sliding, summary] of ROWS) {
    test(`${what} (sliding-window)`, () => assert.deepEqual(pruneMessages(messages, { strategy: "sliding-window", maxTurns }), sliding));
    test(`${what} (summarize)`, () => assert.deepEqual(pruneMessages(messages, { strategy: "summarize", maxTurns }), summary));
  }
});

describe("groups are never split", () => {
  type Grouped = readonly [what: string, messages: readonly Message[], maxTurns: number, keptFrom: number];
  const program = [block("server_tool_use", { id: "s", name: "code_execution", input: {} }), block("code_execution_tool_result", { tool_use_id: "s" })];
  const calledBy = (id: string): Message => assistant(use(id, "grep", {}, { caller: { tool_id: "s" } }));
  const ROWS: readonly Grouped[] = [
    ["a call and its result", [q, assistant("a"), calls("1"), results("1"), next], 2, 2],
    ["parallel calls answered in two messages", [q, assistant("a"), calls("1", "2"), results("1"), results("2"), done, next], 3, 2],
    ["interleaved pairs: the cut moves on until nothing is split", [q, assistant("a"), calls("1"), calls("2"), results("1"), results("2"), done, next], 3, 2],
    ["a system message and what stands before it", [q, assistant("a"), user("b"), system("s"), assistant("c"), next], 3, 2],
    ["a system message and what comes after it", [q, assistant("a"), user("b"), system("s"), assistant("c"), next], 2, 2],
    ["two system messages", [q, assistant("a"), user("b"), system("s"), system("t"), assistant("c"), next], 2, 2],
    ["a system message after a result, with the call", [q, assistant("a"), calls("1"), results("1"), system("s"), done, next], 2, 2],
    [
      "a call and the program that made it, though that has its result already",
      [q, assistant("a"), assistant(...program, use("1", "grep")), results("1"), calledBy("2"), results("2"), done, next],
      3,
      2,
    ],
    [
      "repeated ids: a result belongs to the nearest call before it",
      [q, calls("1"), results("1"), done, user("b"), calls("1"), results("1"), done, next],
      3,
      5,
    ],
  ];
  for (const [what, messages, maxTurns, keptFrom] of ROWS) {
    test(what, () => {
      const kept = messages.slice(keptFrom);
      const head = kept[0]?.role === "user" ? [] : [omitted];
      assert.deepEqual(pruneMessages(messages, { strategy: "sliding-window", maxTurns }), [...head, ...kept]);
      assert.deepEqual(pruneMessages(messages, { strategy: "summarize", maxTurns }), [summarized(keptFrom), ...kept]);
    });
  }
  test("a repeated call of the provider's that still waits, and the rounds after it", () => {
    const waits: Message = assistant(
      block("server_tool_use", { id: "srv", name: "code_execution", input: {} }),
      use("1", "grep", {}, { caller: { type: "code_execution_20250825", tool_id: "srv" } }),
    );
    const log = [q, waits, waits, results("1"), results("1")];
    for (const strategy of ["sliding-window", "summarize", "importance"] as const) assert.deepEqual(pruneMessages(log, { strategy, maxTurns: 0 }), log);
  });
});
