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
import { assistant, res, text, think, use, user } from "../support/build.ts";
import { faults } from "../support/provider-judge.ts";

const thought = think("s", "");
const long = (id: string): Block => res(id, "x".repeat(900));
const mark = (letter: string): Block => text(`<checkpoint:${letter.repeat(6)}>`);

const target = { thinking: "manual" } as const;
const q = user(text("q"), mark("a"));

/** Open loops: question, and rounds of which some begin with thinking; the last result is not answered yet. */
const LOOPS: Readonly<Record<string, readonly Message[]>> = {
  "thinking in every turn": [
    q,
    assistant(thought, use("1")),
    user(long("1"), mark("b")),
    assistant(thought, use("2")),
    user(long("2"), mark("c")),
    assistant(thought, use("3")),
    user(long("3")),
  ],
  "thinking in the first turn only": [
    q,
    assistant(thought, use("1")),
    user(long("1"), mark("b")),
    assistant(use("2")),
    user(long("2"), mark("c")),
    assistant(use("3")),
    user(long("3")),
  ],
  "words beside a result after the last thinking": [
    q,
    assistant(thought, use("1")),
    user(long("1"), mark("b")),
    assistant(use("2")),
    user(long("2"), mark("c"), text("words")),
    assistant(use("3")),
    user(long("3")),
  ],
  "words beside the first result": [
    q,
    assistant(thought, use("1")),
    user(long("1"), mark("b"), text("words")),
    assistant(use("2")),
    user(long("2"), mark("c")),
    assistant(use("3")),
    user(long("3")),
  ],
  "thinking in the middle": [
    q,
    assistant(thought, use("1")),
    user(long("1"), mark("b")),
    assistant(thought, use("2")),
    user(long("2"), mark("c")),
    assistant(use("3")),
    user(long("3")),
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

test("manual mode: a stretch without which words would begin the turn that results continue is refused, with what can be done", () => {
  const messages = LOOPS["words beside a result after the last thinking"] ?? [];
  assert.throws(() => compactThread(messages, [{ from: "bbbbbb", to: "cccccc", summary: "S." }], { target }), {
    code: "LOOP_OPEN",
    message: "The open tool loop would lose the thinking that it has to start with. Compact when the turn is over.",
    data: { before: 7 },
  });
});

describe("manual mode, pruning keeps or drops a tool loop as a whole", () => {
  const unbound = { thinking: "manual", bindsThinking: false } as const;
  /** Two loops that are over: each response in one message, and the first one's in two. */
  const loops: Readonly<Record<string, { readonly log: readonly Message[]; readonly first: readonly number[] }>> = {
    "each response in one message": {
      log: [
        q,
        assistant(thought, use("1")),
        user(long("1")),
        assistant(thought, text("a")),
        user(text("n")),
        assistant(thought, use("2")),
        user(long("2")),
        assistant(text("b")),
        q,
      ],
      first: [1, 2, 3],
    },
    "a response in two messages": {
      log: [q, assistant(thought), assistant(use("1")), user(long("1")), assistant(text("a")), user(text("n")), assistant(thought, text("b")), q],
      first: [1, 2, 3, 4],
    },
    "an answer in two messages": {
      log: [q, assistant(thought, text("a")), assistant(text("b")), user(text("n")), assistant(thought, text("c")), q],
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

describe("manual mode, compactThread in an open loop", () => {
  const log: readonly Message[] = [
    user(text("q"), mark("a")),
    assistant(thought, text("x")),
    user(text("r"), mark("b")),
    assistant(thought, use("1")),
    user(long("1"), mark("c")),
    assistant(use("2")),
    user(long("2"), mark("d")),
    assistant(use("3")),
    user(long("3")),
  ];
  const run = (bindsThinking: boolean, to: string, from?: string): Message[] => {
    const stretch = { ...(from === undefined ? {} : { from: from.repeat(6) }), to: to.repeat(6), summary: "S." };
    return compactThread(log, [stretch], { target: { thinking: "manual", bindsThinking } });
  };
  const ROWS: readonly (readonly [what: string, bindsThinking: boolean, to: string, from?: string])[] = [
    ["takes nothing before its thinking where that is bound", true, "a"],
    ["takes nothing of the answer before it where that is bound", true, "b", "a"],
    ["takes no thinking of its own", false, "c", "b"],
    ["takes nothing across its start", false, "c", "a"],
    ["takes no words that part it from the answer before it: its turn would begin with that", false, "b", "a"],
    ["nor with a summary", false, "b"],
  ];
  for (const [what, bindsThinking, to, from] of ROWS) {
    test(what, () => {
      const stretch = `from ${from === undefined ? "the start" : `checkpoint ${from.repeat(6)}`} to checkpoint ${to.repeat(6)}`;
      assert.throws(() => run(bindsThinking, to, from), {
        code: "LOOP_OPEN",
        message: `The stretch ${stretch} lies before thinking that the open tool loop needs (position 3). Compact when the turn is over.`,
        data: { before: 3 },
      });
    });
  }
  test("takes what comes after its thinking", () => {
    for (const bindsThinking of [true, false]) {
      const view = run(bindsThinking, "d", "c");
      assert.deepEqual(view.slice(3), [log[3], log[4], assistant("S."), ...log.slice(7)]);
      assert.deepEqual(faults(view, target), []);
    }
  });
  test("takes what lies before it where nothing is bound", () => {
    const view = run(false, "a");
    assert.deepEqual(view.slice(-7), log.slice(2));
    assert.deepEqual(faults(view, target), []);
  });
});
