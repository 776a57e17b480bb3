/** In manual mode the turn that the newest results continue has to start with thinking (A4.2): no function may take that away. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  checkMessages,
  collapseToolChains,
  compactOldToolResults,
  compactThread,
  PalimpsestError,
  pruneMessages,
  type Block,
  type Message,
} from "../../src/index.ts";
import { faults } from "../support/provider-judge.ts";

const block = (type: string, fields: object): Block => ({ type, ...fields });
const text = (content: string): Block => block("text", { text: content });
const think = block("thinking", { thinking: "", signature: "s" });
const use = (id: string): Block => block("tool_use", { id, name: "read", input: {} });
const res = (id: string): Block => block("tool_result", { tool_use_id: id, content: "x".repeat(900) });
const user = (...content: Block[]): Message => ({ role: "user", content });
const model = (...content: Block[]): Message => ({ role: "assistant", content });
const mark = (letter: string): Block => text(`<checkpoint:${letter.repeat(6)}>`);

const target = { thinking: "manual" } as const;
const q = user(text("q"), mark("a"));

/** Open loops: question, and rounds of which some begin with thinking; the last result is not answered yet. */
const LOOPS: Readonly<Record<string, readonly Message[]>> = {
  "thinking in every turn": [
    q,
    model(think, use("1")),
    user(res("1"), mark("b")),
    model(think, use("2")),
    user(res("2"), mark("c")),
    model(think, use("3")),
    user(res("3")),
  ],
  "thinking in the first turn only": [
    q,
    model(think, use("1")),
    user(res("1"), mark("b")),
    model(use("2")),
    user(res("2"), mark("c")),
    model(use("3")),
    user(res("3")),
  ],
  "words beside a result behind the last thinking": [
    q,
    model(think, use("1")),
    user(res("1"), mark("b")),
    model(use("2")),
    user(res("2"), mark("c"), text("words")),
    model(use("3")),
    user(res("3")),
  ],
  "words beside the first result": [
    q,
    model(think, use("1")),
    user(res("1"), mark("b"), text("words")),
    model(use("2")),
    user(res("2"), mark("c")),
    model(use("3")),
    user(res("3")),
  ],
  "thinking in the middle": [
    q,
    model(think, use("1")),
    user(res("1"), mark("b")),
    model(think, use("2")),
    user(res("2"), mark("c")),
    model(use("3")),
    user(res("3")),
  ],
};

const RUNS: Readonly<Record<string, (messages: readonly Message[], maxTurns: number) => readonly Message[]>> = {
  collapseToolChains: (messages, after) => collapseToolChains(messages, { collapseAfterTurns: after }, target),
  "sliding-window": (messages, maxTurns) => pruneMessages(messages, { strategy: "sliding-window", maxTurns }, target),
  summarize: (messages, maxTurns) => pruneMessages(messages, { strategy: "summarize", maxTurns }, target),
  importance: (messages, maxTurns) => pruneMessages(messages, { strategy: "importance", maxTurns }, target),
  compactOldToolResults: (messages) => compactOldToolResults(messages, { inputTokens: 50_000, onCompact: () => undefined }, target).messages,
  "compactThread a..b": (messages) => compacted(messages, "aaaaaa", "bbbbbb"),
  "compactThread b..c": (messages) => compacted(messages, "bbbbbb", "cccccc"),
};

function compacted(messages: readonly Message[], from: string, to: string): readonly Message[] {
  try {
    return compactThread(messages, [{ from, to, summary: "S." }], { target });
  } catch (error) {
    if (PalimpsestError.isInstance(error) && error.code === "LOOP_OPEN") return messages;
    throw error;
  }
}

for (const [loop, messages] of Object.entries(LOOPS)) {
  describe(`manual mode, an open loop with ${loop}`, () => {
    test("is valid", () => {
      assert.deepEqual(faults(messages, target), []);
      assert.deepEqual(checkMessages(messages, target), []);
    });
    for (const [name, run] of Object.entries(RUNS)) {
      test(`${name} keeps it valid`, () => {
        for (const limit of [0, 1, 2, 3, 4, 5, 6]) {
          const view = run(messages, limit);
          assert.deepEqual(faults(view, target), [], `limit ${limit}`);
          assert.deepEqual(checkMessages(view, target), [], `limit ${limit}`);
        }
      });
    }
  });
}

describe("manual mode, pruning keeps or drops a tool loop as a whole", () => {
  const unbound = { thinking: "manual", bindsThinking: false } as const;
  /** Two loops that are over: each response in one message, and the first one's in two. */
  const loops: Readonly<Record<string, { readonly log: readonly Message[]; readonly first: readonly number[] }>> = {
    "each response in one message": {
      log: [q, model(think, use("1")), user(res("1")), model(think, text("a")), user(text("n")), model(think, use("2")), user(res("2")), model(text("b")), q],
      first: [1, 2, 3],
    },
    "a response in two messages": {
      log: [q, model(think), model(use("1")), user(res("1")), model(text("a")), user(text("n")), model(think, text("b")), q],
      first: [1, 2, 3, 4],
    },
    "an answer in two messages": {
      log: [q, model(think, text("a")), model(text("b")), user(text("n")), model(think, text("c")), q],
      first: [1, 2],
    },
  };
  for (const [name, { log, first }] of Object.entries(loops)) {
    for (const strategy of ["sliding-window", "importance"] as const) {
      test(`${name}: ${strategy}`, () => {
        const seen = new Set<number>();
        for (let maxTurns = 0; maxTurns <= log.length; maxTurns++) {
          const view = pruneMessages(log, { strategy, maxTurns }, unbound);
          const shown = first.filter((position) => view.includes(log[position] as Message)).length;
          assert.ok(shown === 0 || shown === first.length, `${shown} of ${first.length} at ${maxTurns}`);
          seen.add(shown);
          assert.deepEqual(faults(view, unbound), []);
        }
        assert.deepEqual(seen, new Set([0, first.length]));
      });
    }
  }
});
