import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeEdit, PalimpsestError, render, type Block, type Change, type Edit, type Message } from "../../src/index.ts";
import { assistant, block, res, text, use, user } from "../support/build.ts";
import { faults } from "../support/provider-judge.ts";

const system = (content: string): Message => ({ role: "system", content });
const omitted = user("[Earlier conversation omitted]");

const edit = (change: Change, madeAt: number, undoneAt?: number): Edit =>
  makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt, ...(undoneAt === undefined ? {} : { undoneAt }), ...change });

const range = (from: number | [number, number], to: number | [number, number], summary: string, role: "assistant" | "user" = "assistant"): Change => {
  const [a, b] = [[from].flat(), [to].flat()];
  return { kind: "replace-range", from: { position: a[0] ?? 0, block: a[1] ?? 0 }, to: { position: b[0] ?? 0, block: b[1] ?? 0 }, role, summary };
};
const collapse = (call: number, lastResult: number, note: string): Change => ({ kind: "collapse-round", call, lastResult, note });

const log = [user("0"), assistant("1"), user("2"), assistant("3"), user("4"), assistant("5"), user("6")];
const at = log.length;

type Row = readonly [what: string, log: readonly Message[], edits: readonly Edit[], expected: readonly Message[]];

function check(rows: readonly Row[]): void {
  for (const [what, messages, edits, expected] of rows) test(what, () => assert.deepEqual(render(messages, edits), expected));
}

describe("a range", () => {
  check([
    ["is shown as one message of the assistant", log, [edit(range(1, 4, "S."), at)], [log[0], assistant("S."), ...log.slice(4)] as Message[]],
    ["or of the user", log, [edit(range(1, 4, "S.", "user"), at)], [log[0], user("S."), ...log.slice(4)] as Message[]],
    ["is deleted if its summary is empty", log, [edit(range(1, 3, ""), at)], [log[0], ...log.slice(3)] as Message[]],
    ["is deleted if its summary is blank", log, [edit(range(1, 3, " \n"), at)], [log[0], ...log.slice(3)] as Message[]],
    ["at the start gets a user message before an assistant's summary", log, [edit(range(0, 3, "S."), at)], [omitted, assistant("S."), ...log.slice(3)]],
    ["at the start, deleted: the assistant is not first", log, [edit(range(0, 1, ""), at)], [omitted, ...log.slice(1)]],
    ["at the start, with a summary of the user's, needs no note", log, [edit(range(0, 3, "S.", "user"), at)], [user("S."), ...log.slice(3)]],
    ["at the end leaves its summary last", log, [edit(range(5, 7, "S."), at)], [...log.slice(0, 5), assistant("S.")]],
    ["not yet made is not shown", log.slice(0, 5), [edit(range(1, 4, "S."), at)], log.slice(0, 5)],
    ["undone is not shown", log, [edit(range(1, 4, "S."), 5, at)], log],
    ["undone later is still shown", log.slice(0, 6), [edit(range(1, 4, "S."), 5, at)], [log[0], assistant("S."), ...log.slice(4, 6)] as Message[]],
    [
      "two that touch",
      log,
      [edit(range(3, 5, "T."), at), edit(range(1, 3, "S."), at)],
      [log[0], assistant("S."), assistant("T."), ...log.slice(5)] as Message[],
    ],
  ]);
});

describe("ranges on one stretch", () => {
  const [older, newer] = [edit(range(1, 4, "older"), 4), edit(range(1, 4, "newer"), 6)];
  const shows = (summary: string): Message[] => [log[0], assistant(summary), ...log.slice(4)] as Message[];
  check([
    ["the latest shows", log, [older, newer], shows("newer")],
    ["whatever the order of the list", log, [newer, older], shows("newer")],
    ["on a tie the later in the list", log, [edit(range(1, 4, "first"), 5), edit(range(1, 4, "second"), 5)], shows("second")],
    ["undoing it restores the one before", log, [older, { ...newer, undoneAt: at }], shows("older")],
    [
      "undoing both restores the log",
      log,
      [
        { ...older, undoneAt: at },
        { ...newer, undoneAt: at },
      ],
      log,
    ],
    [
      "two names of one border are one border",
      [user(text("0"), text("0b")), ...log.slice(1)],
      [edit(range([0, 2], 4, "a"), 4), edit(range(1, [3, 1], "b"), 5)],
      [user(text("0"), text("0b")), assistant("b"), ...log.slice(4)],
    ],
    ["making the same edit twice is harmless", log, [older, older], shows("older")],
  ]);
});

describe("a range swallows what lies inside it", () => {
  const round = [user("q"), assistant(use("1")), user(res("1")), assistant("done"), user("next"), assistant("ok"), user("more")];
  const outer = edit(range(1, 4, "outer"), 6);
  const shown = [round[0], assistant("outer"), ...round.slice(4)] as Message[];
  const result = edit({ kind: "replace-result", at: { position: 2, block: 0 }, callId: "1", form: "stub", content: "short" }, 5);
  const inner = edit(range(3, 4, "inner"), 5);
  const collapsed = edit(collapse(1, 2, "line"), 5);
  check([
    ["an edit of a result", round, [result, outer], shown],
    ["a smaller range", round, [inner, outer], shown],
    ["a smaller range that was made later", round, [{ ...inner, madeAt: 7 }, outer], shown],
    ["a collapsed round", round, [collapsed, outer], shown],
    [
      "a collapsed round on exactly its stretch",
      round,
      [collapsed, edit(range([1, 0], 3, "outer"), 4)],
      [round[0], assistant("outer"), ...round.slice(3)] as Message[],
    ],
    [
      "undoing it brings them back",
      round,
      [result, inner, { ...outer, undoneAt: 7 }],
      [...round.slice(0, 2), user(res("1", "short")), assistant("inner"), ...round.slice(4)],
    ],
  ]);

  const CROSSING: readonly (readonly [what: string, first: Edit, second: Edit, ...others: Edit[]])[] = [
    ["two ranges", edit(range(1, 4, "S."), 7), edit(range(2, 6, "T."), 7)],
    ["two ranges with one border inside a message", edit(range(1, [4, 0], "S."), 7), edit(range(3, 5, "T."), 7)],
    ["a range and a collapsed round", edit(collapse(1, 2, "line"), 7), edit(range(2, 4, "T."), 7)],
    ["two ranges inside a third", edit(range(1, 4, "S."), 7), edit(range(3, 5, "T."), 7), edit(range(0, 7, "outer"), 7)],
    ["two ranges after others inside a third", edit(range(3, 5, "S."), 7), edit(range(4, 6, "T."), 7), edit(range(0, 7, "outer"), 7), edit(range(1, 3, "a"), 7), edit(range(1, 2, "b"), 7)],
  ]; // prettier-ignore
  for (const [what, first, second, ...others] of CROSSING) {
    test(`${what} that cross are refused, and both are named`, () => {
      for (const edits of [
        [first, second, ...others],
        [...others, second, first],
      ]) {
        assert.throws(
          () => render(round, edits),
          (error: unknown) => {
            assert.ok(error instanceof PalimpsestError);
            assert.equal(error.code, "OVERLAPPING_RANGES");
            assert.deepEqual(error.data, { first: first.id, second: second.id });
            return true;
          },
        );
      }
    });
  }

  test("a collapsed round whose results lie in two messages reaches to the last of them", () => {
    const apart = [user("q"), assistant(use("1"), use("2")), user(res("1")), user(res("2")), assistant("done"), user("next")];
    assert.throws(() => render(apart, [edit(collapse(1, 3, "line"), 6), edit(range(3, 5, "T."), 6)]), { code: "OVERLAPPING_RANGES" });
  });

  test("ranges inside a range may lie in any order and depth", () => {
    const inner = [range(1, 3, "a"), range(1, 2, "b"), range(3, 4, "c"), range(4, 6, "d"), range(5, 6, "e")].map((change) => edit(change, 7));
    const whole = edit(range(0, 6, "outer", "user"), 7);
    const [last] = round.slice(6) as [Message];
    assert.deepEqual(render(round, [...inner, whole]), [user("outer"), last]);
    assert.deepEqual(render(round, [whole, ...inner.toReversed()]), [user("outer"), last]);
    const deep = [range(1, 6, "a"), range(1, 4, "b"), range(1, 3, "c"), range(1, 2, "d"), range(4, 5, "e")].map((change) => edit(change, 7));
    assert.deepEqual(render(round, [whole, ...deep]), [user("outer"), last]);
  });

  test("crossing is no fault once one of them is undone", () => {
    const undone = { ...edit(range(2, 6, "T."), 7), undoneAt: 7 };
    assert.deepEqual(render(round, [outer, undone]), shown);
  });
});

describe("a range beside a collapsed round", () => {
  const rounds = [user("q"), assistant(use("1")), user(res("1")), assistant(text("Now."), use("2")), user(res("2")), assistant("done"), user("next")];
  const first = edit(collapse(1, 2, "first"), 7);
  const second = edit(collapse(3, 4, "second"), 7);
  check([
    ["before it", rounds, [second, edit(range(1, 3, "S."), 7)], [user("q"), assistant("S."), assistant(text("Now."), text("second")), ...rounds.slice(5)]],
    ["after it", rounds, [edit(range(3, 6, "S."), 7), first], [user("q"), assistant("first"), assistant("S."), user("next")]],
    [
      "over the words before its call",
      rounds,
      [second, edit(range([3, 0], [3, 1], "S."), 7)],
      [...rounds.slice(0, 3), assistant("S."), assistant("second"), ...rounds.slice(5)],
    ],
    [
      "and one round after another, in any order",
      rounds,
      [second, first],
      [user("q"), assistant("first"), assistant(text("Now."), text("second")), ...rounds.slice(5)],
    ],
  ]);
});

describe("a range that takes what has a second half", () => {
  const talk = [user("q"), assistant(use("1")), user(res("1"))];
  check([
    ["takes the result of its call, though that is the last message (A2.2)", talk, [edit(range(1, 2, ""), 3)], [user("q")]],
    ["and keeps it away when the log has grown", [...talk, assistant("x"), user("n")], [edit(range(1, 2, ""), 3)], [user("q"), assistant("x"), user("n")]],
    [
      "takes the result before a system message, and the system message with it",
      [...talk, system("s"), assistant("x"), user("n")],
      [edit(range(1, 2, ""), 6)],
      [user("q"), assistant("x"), user("n")],
    ],
    ["takes a message without blocks", [user("q"), assistant(), user("n")], [edit(range(1, 2, "S."), 3)], [user("q"), assistant("S."), user("n")]],
  ]);
});

describe("a range whose border lies inside a round", () => {
  const parallel = [
    user("q"),
    assistant(text("Both."), use("1"), use("2")),
    user(res("1"), text("Use tabs!")),
    user(res("2")),
    assistant("done"),
    user("next"),
  ];
  check([
    [
      "begins behind the calls: the results stay, the summary follows the last of them",
      parallel,
      [edit(range(2, 5, "S."), 6)],
      [...parallel.slice(0, 2), user(res("1")), user(res("2")), assistant("S."), user("next")],
    ],
    [
      "ends behind the calls: the results go, words beside them stay",
      parallel,
      [edit(range(1, 2, "S."), 6)],
      [user("q"), assistant("S."), user(text("Use tabs!")), assistant("done"), user("next")],
    ],
    [
      "divides the calls: each result follows its call, the summary the last result",
      parallel,
      [edit(range([1, 2], [2, 0], "S."), 6)],
      [user("q"), assistant(text("Both."), use("1")), user(res("1")), assistant("S."), user(text("Use tabs!")), assistant("done"), user("next")],
    ],
    ["covers a result only: it stays", parallel, [edit(range(3, 4, ""), 6)], parallel],
  ]);
});

describe("system messages follow the user message before them", () => {
  const talk = [user("0"), assistant("1"), user("2"), system("s"), assistant("4"), user("5"), assistant("6"), user("7")];
  check([
    ["they go with it, though they are outside the range", talk, [edit(range(1, 3, "S."), 8)], [user("0"), assistant("S."), assistant("4"), ...talk.slice(5)]],
    ["they stay with it, though they are inside the range", talk, [edit(range(3, 5, "S."), 8)], [...talk.slice(0, 4), assistant("S."), ...talk.slice(5)]],
    ["the summary comes after the last of them", [...talk.slice(0, 4), system("t"), ...talk.slice(4)], [edit(range(4, 6, "S."), 9)], [...talk.slice(0, 4), system("t"), assistant("S."), ...talk.slice(5)]],
    ["the summary comes after the last message of the log", talk.slice(0, 4), [edit(range(3, 4, "S."), 4)], [...talk.slice(0, 4), assistant("S.")]],
    ["the summary comes after them", talk, [edit(range(3, 6, "S."), 8)], [...talk.slice(0, 4), assistant("S."), ...talk.slice(6)]],
    [
      "the summary of what stood before them comes behind them",
      talk.with(2, user(text("a"), text("b"))),
      [edit(range([2, 1], 3, "S."), 8)],
      [...talk.slice(0, 2), user(text("a")), system("s"), assistant("S."), ...talk.slice(4)],
    ],
    [
      "the summary of what stood inside the message before them stays inside",
      talk.with(2, user(text("a"), text("b"), text("c"))),
      [edit(range([2, 1], [2, 2], "S."), 8)],
      [...talk.slice(0, 2), user(text("a")), assistant("S."), user(text("c")), ...talk.slice(3)],
    ],
    [
      "where the assistant's message behind them is gone, a note of the assistant's stands there (A1.10)",
      talk,
      [edit(range(4, 5, ""), 8)],
      [...talk.slice(0, 4), assistant("[Earlier conversation omitted]"), user("5"), assistant("6"), user("7")],
    ],
  ]); // prettier-ignore
});

test("a system message takes no longer-lived cache marker after a shorter one (A6)", () => {
  const marked = (ttl: "5m" | "1h", content: string): Block => text(content, { cache_control: { type: "ephemeral", ttl } });
  const log: Message[] = [user("0"), { role: "system", content: [marked("1h", "s")] }, assistant("2"), user(marked("5m", "3")), assistant("4"), user("5")];
  assert.deepEqual(faults(log), []);
  assert.deepEqual(faults(render(log, [edit(range(2, 3, ""), 6)])), []);
});

describe("tools that the provider runs", () => {
  const search = block("server_tool_use", { id: "s", name: "web_search", input: {} });
  const hits = block("web_search_tool_result", { tool_use_id: "s", content: [] });
  const late = [user("q"), assistant(search, use("1")), user(res("1")), assistant(hits, text("so")), user("next")];
  const whole = [user("q"), assistant(text("a"), search, hits, text("b")), user("next")];
  check([
    ["a call that waits beside a provider's call stays with it", late, [edit(range([1, 1], 2, ""), 5)], late],
    ["a provider's result stays with its call", whole, [edit(range([1, 2], [1, 3], ""), 3)], whole],
    ["a provider's result goes with its call", whole, [edit(range([1, 1], [1, 2], ""), 3)], [user("q"), assistant(text("a"), text("b")), user("next")]],
    ["all that belongs to a provider's call goes with it", late, [edit(range([1, 0], [1, 1], ""), 5)], [user("q"), assistant(text("so")), user("next")]],
  ]);

  test("a call goes with a provider's call, at any distance after the range", () => {
    const apart = [
      user("q"),
      assistant(search),
      assistant(text("a")),
      assistant(text("b")),
      assistant(use("1")),
      user(res("1")),
      assistant(hits, text("so")),
      user("next"),
    ];
    assert.deepEqual(render(apart, [edit(range(1, 2, ""), 8)]), [user("q"), assistant(text("a")), assistant(text("b")), assistant(text("so")), user("next")]);
  });

  test("no summary after a call that waits for the provider", () => {
    assert.throws(() => render(late.slice(0, 3), [edit(range([2, 1], 3, "S."), 3)]), { code: "RANGE_EMPTY" });
    const words = late.with(2, user(res("1"), text("words")));
    assert.throws(() => render(words.slice(0, 3), [edit(range([2, 1], 3, "S."), 3)]), {
      code: "LOOP_OPEN",
      message: "The call s waits for the provider's result: until it comes, only tool results may follow.",
      data: { before: 1 },
    });
  });

  test("no collapsed round after a call that waits for the provider, in a message of its own", () => {
    const split = [user("q"), assistant(search), assistant(use("1")), user(res("1")), assistant(hits, text("so")), user("next")];
    assert.throws(() => render(split, [edit({ kind: "collapse-round", call: 2, lastResult: 3, note: "N." }, 6)]), { code: "LOOP_OPEN", data: { before: 1 } });
  });

  test("before a call that waits for the provider, a summary may stand", () => {
    const log = [user("q"), assistant("a"), user("r"), ...late.slice(1, 3)];
    assert.deepEqual(render(log, [edit(range(1, 2, "S."), 5)]), [user("q"), assistant("S."), ...log.slice(2)]);
  });

  test("where a range takes the waiting call, another summary may follow", () => {
    const log = [user("q"), assistant(search, use("1")), user(res("1")), assistant(text("a")), assistant(use("2")), user(res("2"))];
    const edits = [edit(range(1, 3, "first"), 6), edit(range(3, 4, "second"), 6)];
    assert.deepEqual(render(log, edits), [user("q"), assistant("first"), assistant("second"), assistant(use("2")), user(res("2"))]);
  });
});

test("a view without messages is refused, with a way out", () => {
  assert.throws(() => render([user("q")], [edit(range(0, 1, ""), 1)]), {
    code: "EMPTY_THREAD",
    message: "Nothing would be left of the thread. Give a summary, or keep a part of it.",
  });
});

describe("a border between blocks", () => {
  const parallel = [user("q"), assistant(text("I look."), use("a"), use("b")), user(res("a"), res("b"), text("Also.")), assistant("Done."), user("Thanks.")];
  const [question, calls, , end, thanks] = parallel as [Message, Message, Message, Message, Message];
  const shown = (...edits: Change[]): Message[] => {
    const view = render(parallel, edits.map((change) => edit(change, parallel.length))); // prettier-ignore
    assert.deepEqual(faults(view), []);
    return view;
  };

  test("right after calls leaves all their results, and takes what else is there", () =>
    assert.deepEqual(shown(range(2, 3, "")), [question, calls, user(res("a"), res("b")), end, thanks]));
  test("inside of one message takes the blocks between, and their results", () =>
    assert.deepEqual(shown(range([1, 1], [1, 2], "")), [question, assistant(text("I look."), use("b")), user(res("b"), text("Also.")), end, thanks]));
  test("from the start of a message takes its first blocks", () =>
    assert.deepEqual(shown(range(1, [1, 2], "")), [question, assistant(use("b")), user(res("b"), text("Also.")), end, thanks]));
  test("in two messages takes what lies between them, and what belongs to it", () =>
    assert.deepEqual(shown(range([1, 1], [2, 2], "")), [question, assistant(text("I look.")), user(text("Also.")), end, thanks]));
  test("after the last block of a message is the start of the next", () => assert.deepEqual(shown(range([1, 3], [2, 3], "")), shown(range(2, 3, ""))));
  test("shows its summary where it begins", () =>
    assert.deepEqual(shown(range([2, 2], 3, "S.")), [question, calls, user(res("a"), res("b")), assistant("S."), end, thanks]));
  test("takes the results of all calls between them", () => {
    const rounds = [user("q"), assistant(text("a"), text("b")), assistant("c"), assistant(use("1")), user(res("1"), text("d"), text("e")), user("n")];
    assert.deepEqual(render(rounds, [edit(range([1, 1], 4, ""), 6)]), [user("q"), assistant(text("a")), user(text("d"), text("e")), user("n")]);
    assert.deepEqual(render(rounds, [edit(range([1, 1], [4, 2], ""), 6)]), [user("q"), assistant(text("a")), user(text("e")), user("n")]);
  });
  test("of one of several ranges in a message", () =>
    assert.deepEqual(shown(range([1, 0], [1, 1], ""), range([1, 1], [1, 2], "")), [question, assistant(use("b")), user(res("b"), text("Also.")), end, thanks]));
});
