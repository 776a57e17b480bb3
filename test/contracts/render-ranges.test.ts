import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeEdit, PalimpsestError, render, type Block, type Change, type Edit, type Message } from "../../src/index.ts";
import { faults } from "../support/provider-judge.ts";

const block = (type: string, fields: object): Block => ({ type, ...fields });
const text = (content: string): Block => block("text", { text: content });
const use = (id: string): Block => block("tool_use", { id, name: "read", input: {} });
const res = (id: string, content = "found"): Block => block("tool_result", { tool_use_id: id, content });
const user = (...content: Block[]): Message => ({ role: "user", content });
const model = (...content: Block[]): Message => ({ role: "assistant", content });
const asks = (content: string): Message => ({ role: "user", content });
const says = (content: string): Message => ({ role: "assistant", content });
const system = (content: string): Message => ({ role: "system", content });
const omitted = asks("[Earlier conversation omitted]");

const edit = (change: Change, madeAt: number, undoneAt?: number): Edit =>
  makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt, ...(undoneAt === undefined ? {} : { undoneAt }), ...change });

const range = (from: number | [number, number], to: number | [number, number], summary: string, role: "assistant" | "user" = "assistant"): Change => {
  const [a, b] = [[from].flat(), [to].flat()];
  return { kind: "replace-range", from: { position: a[0] ?? 0, block: a[1] ?? 0 }, to: { position: b[0] ?? 0, block: b[1] ?? 0 }, role, summary };
};
const collapse = (call: number, lastResult: number, note: string): Change => ({ kind: "collapse-round", call, lastResult, note });

const log = [asks("0"), says("1"), asks("2"), says("3"), asks("4"), says("5"), asks("6")];
const at = log.length;

type Row = readonly [what: string, log: readonly Message[], edits: readonly Edit[], expected: readonly Message[]];

function check(rows: readonly Row[]): void {
  for (const [what, messages, edits, expected] of rows) test(what, () => assert.deepEqual(render(messages, edits), expected));
}

describe("a range", () => {
  check([
    ["is shown as one message of the assistant", log, [edit(range(1, 4, "S."), at)], [log[0], says("S."), ...log.slice(4)] as Message[]],
    ["or of the user", log, [edit(range(1, 4, "S.", "user"), at)], [log[0], asks("S."), ...log.slice(4)] as Message[]],
    ["is deleted if its summary is empty", log, [edit(range(1, 3, ""), at)], [log[0], ...log.slice(3)] as Message[]],
    ["is deleted if its summary is blank", log, [edit(range(1, 3, " \n"), at)], [log[0], ...log.slice(3)] as Message[]],
    ["at the start gets a user message before an assistant's summary", log, [edit(range(0, 3, "S."), at)], [omitted, says("S."), ...log.slice(3)]],
    ["at the start, deleted: the assistant is not first", log, [edit(range(0, 1, ""), at)], [omitted, ...log.slice(1)]],
    ["at the start, with a summary of the user's, needs no note", log, [edit(range(0, 3, "S.", "user"), at)], [asks("S."), ...log.slice(3)]],
    ["at the end leaves its summary last", log, [edit(range(5, 7, "S."), at)], [...log.slice(0, 5), says("S.")]],
    ["not yet made is not shown", log.slice(0, 5), [edit(range(1, 4, "S."), at)], log.slice(0, 5)],
    ["undone is not shown", log, [edit(range(1, 4, "S."), 5, at)], log],
    ["undone later is still shown", log.slice(0, 6), [edit(range(1, 4, "S."), 5, at)], [log[0], says("S."), ...log.slice(4, 6)] as Message[]],
    ["two that touch", log, [edit(range(3, 5, "T."), at), edit(range(1, 3, "S."), at)], [log[0], says("S."), says("T."), ...log.slice(5)] as Message[]],
  ]);
});

describe("ranges on one stretch", () => {
  const [older, newer] = [edit(range(1, 4, "older"), 4), edit(range(1, 4, "newer"), 6)];
  const shows = (summary: string): Message[] => [log[0], says(summary), ...log.slice(4)] as Message[];
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
      [user(text("0"), text("0b")), says("b"), ...log.slice(4)],
    ],
    ["making the same edit twice is harmless", log, [older, older], shows("older")],
  ]);
});

describe("a range swallows what lies inside it", () => {
  const round = [asks("q"), model(use("1")), user(res("1")), says("done"), asks("next"), says("ok"), asks("more")];
  const outer = edit(range(1, 4, "outer"), 6);
  const shown = [round[0], says("outer"), ...round.slice(4)] as Message[];
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
      [round[0], says("outer"), ...round.slice(3)] as Message[],
    ],
    [
      "undoing it brings them back",
      round,
      [result, inner, { ...outer, undoneAt: 7 }],
      [...round.slice(0, 2), user(res("1", "short")), says("inner"), ...round.slice(4)],
    ],
  ]);

  const CROSSING: readonly (readonly [what: string, first: Edit, second: Edit, ...others: Edit[]])[] = [
    ["two ranges", edit(range(1, 4, "S."), 7), edit(range(2, 6, "T."), 7)],
    ["two ranges with one border inside a message", edit(range(1, [4, 0], "S."), 7), edit(range(3, 5, "T."), 7)],
    ["a range and a collapsed round", edit(collapse(1, 2, "line"), 7), edit(range(2, 4, "T."), 7)],
    ["two ranges inside a third", edit(range(1, 4, "S."), 7), edit(range(3, 5, "T."), 7), edit(range(0, 7, "outer"), 7)],
    ["two ranges behind others inside a third", edit(range(3, 5, "S."), 7), edit(range(4, 6, "T."), 7), edit(range(0, 7, "outer"), 7), edit(range(1, 3, "a"), 7), edit(range(1, 2, "b"), 7)],
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
    const apart = [asks("q"), model(use("1"), use("2")), user(res("1")), user(res("2")), says("done"), asks("next")];
    assert.throws(() => render(apart, [edit(collapse(1, 3, "line"), 6), edit(range(3, 5, "T."), 6)]), { code: "OVERLAPPING_RANGES" });
  });

  test("ranges inside a range may lie in any order and depth", () => {
    const inner = [range(1, 3, "a"), range(1, 2, "b"), range(3, 4, "c"), range(4, 6, "d"), range(5, 6, "e")].map((change) => edit(change, 7));
    const whole = edit(range(0, 6, "outer", "user"), 7);
    const [last] = round.slice(6) as [Message];
    assert.deepEqual(render(round, [...inner, whole]), [asks("outer"), last]);
    assert.deepEqual(render(round, [whole, ...inner.toReversed()]), [asks("outer"), last]);
    const deep = [range(1, 6, "a"), range(1, 4, "b"), range(1, 3, "c"), range(1, 2, "d"), range(4, 5, "e")].map((change) => edit(change, 7));
    assert.deepEqual(render(round, [whole, ...deep]), [asks("outer"), last]);
  });

  test("crossing is no fault once one of them is undone", () => {
    const undone = { ...edit(range(2, 6, "T."), 7), undoneAt: 7 };
    assert.deepEqual(render(round, [outer, undone]), shown);
  });
});

describe("a range beside a collapsed round", () => {
  const rounds = [asks("q"), model(use("1")), user(res("1")), model(text("Now."), use("2")), user(res("2")), says("done"), asks("next")];
  const first = edit(collapse(1, 2, "first"), 7);
  const second = edit(collapse(3, 4, "second"), 7);
  check([
    ["before it", rounds, [second, edit(range(1, 3, "S."), 7)], [asks("q"), says("S."), model(text("Now."), text("second")), ...rounds.slice(5)]],
    ["behind it", rounds, [edit(range(3, 6, "S."), 7), first], [asks("q"), says("first"), says("S."), asks("next")]],
    [
      "over the words before its call",
      rounds,
      [second, edit(range([3, 0], [3, 1], "S."), 7)],
      [...rounds.slice(0, 3), says("S."), says("second"), ...rounds.slice(5)],
    ],
    ["and one round after another, in any order", rounds, [second, first], [asks("q"), says("first"), model(text("Now."), text("second")), ...rounds.slice(5)]],
  ]);
});

describe("a range that takes what has a second half", () => {
  const talk = [asks("q"), model(use("1")), user(res("1"))];
  check([
    ["takes the result of its call, though that is the last message (A2.2)", talk, [edit(range(1, 2, ""), 3)], [asks("q")]],
    ["and keeps it away when the log has grown", [...talk, says("x"), asks("n")], [edit(range(1, 2, ""), 3)], [asks("q"), says("x"), asks("n")]],
    [
      "takes the result before a system message, and the system message with it",
      [...talk, system("s"), says("x"), asks("n")],
      [edit(range(1, 2, ""), 6)],
      [asks("q"), says("x"), asks("n")],
    ],
    ["takes a message without blocks", [asks("q"), model(), asks("n")], [edit(range(1, 2, "S."), 3)], [asks("q"), says("S."), asks("n")]],
  ]);
});

describe("a range whose border lies inside a round", () => {
  const parallel = [asks("q"), model(text("Both."), use("1"), use("2")), user(res("1"), text("Use tabs!")), user(res("2")), says("done"), asks("next")];
  check([
    [
      "begins behind the calls: the results stay, the summary follows the last of them",
      parallel,
      [edit(range(2, 5, "S."), 6)],
      [...parallel.slice(0, 2), user(res("1")), user(res("2")), says("S."), asks("next")],
    ],
    [
      "ends behind the calls: the results go, words beside them stay",
      parallel,
      [edit(range(1, 2, "S."), 6)],
      [asks("q"), says("S."), user(text("Use tabs!")), says("done"), asks("next")],
    ],
    [
      "divides the calls: each result follows its call, the summary the last result",
      parallel,
      [edit(range([1, 2], [2, 0], "S."), 6)],
      [asks("q"), model(text("Both."), use("1")), user(res("1")), says("S."), user(text("Use tabs!")), says("done"), asks("next")],
    ],
    ["covers a result only: it stays", parallel, [edit(range(3, 4, ""), 6)], parallel],
  ]);
});

describe("system messages follow the user message before them", () => {
  const talk = [asks("0"), says("1"), asks("2"), system("s"), says("4"), asks("5"), says("6"), asks("7")];
  check([
    ["they go with it, though they are outside the range", talk, [edit(range(1, 3, "S."), 8)], [asks("0"), says("S."), says("4"), ...talk.slice(5)]],
    ["they stay with it, though they are inside the range", talk, [edit(range(3, 5, "S."), 8)], [...talk.slice(0, 4), says("S."), ...talk.slice(5)]],
    ["the summary comes behind the last of them", [...talk.slice(0, 4), system("t"), ...talk.slice(4)], [edit(range(4, 6, "S."), 9)], [...talk.slice(0, 4), system("t"), says("S."), ...talk.slice(5)]],
    ["the summary comes behind the last message of the log", talk.slice(0, 4), [edit(range(3, 4, "S."), 4)], [...talk.slice(0, 4), says("S.")]],
    ["the summary comes behind them", talk, [edit(range(3, 6, "S."), 8)], [...talk.slice(0, 4), says("S."), ...talk.slice(6)]],
    [
      "the summary of what stood before them comes behind them",
      talk.with(2, user(text("a"), text("b"))),
      [edit(range([2, 1], 3, "S."), 8)],
      [...talk.slice(0, 2), user(text("a")), system("s"), says("S."), ...talk.slice(4)],
    ],
    [
      "the summary of what stood inside the message before them stays inside",
      talk.with(2, user(text("a"), text("b"), text("c"))),
      [edit(range([2, 1], [2, 2], "S."), 8)],
      [...talk.slice(0, 2), user(text("a")), says("S."), user(text("c")), ...talk.slice(3)],
    ],
    [
      "where the assistant's message behind them is gone, a note of the assistant's stands there (A1.10)",
      talk,
      [edit(range(4, 5, ""), 8)],
      [...talk.slice(0, 4), says("[Earlier conversation omitted]"), asks("5"), says("6"), asks("7")],
    ],
  ]); // prettier-ignore
});

test("a system message takes no longer-lived cache marker behind a shorter one (A6)", () => {
  const marked = (ttl: "5m" | "1h", content: string): Block => block("text", { text: content, cache_control: { type: "ephemeral", ttl } });
  const log: Message[] = [asks("0"), { role: "system", content: [marked("1h", "s")] }, says("2"), user(marked("5m", "3")), says("4"), asks("5")];
  assert.deepEqual(faults(log), []);
  assert.deepEqual(faults(render(log, [edit(range(2, 3, ""), 6)])), []);
});

describe("tools that the provider runs", () => {
  const search = block("server_tool_use", { id: "s", name: "web_search", input: {} });
  const hits = block("web_search_tool_result", { tool_use_id: "s", content: [] });
  const late = [asks("q"), model(search, use("1")), user(res("1")), model(hits, text("so")), asks("next")];
  const whole = [asks("q"), model(text("a"), search, hits, text("b")), asks("next")];
  check([
    ["a call that waits beside a provider's call stays with it", late, [edit(range([1, 1], 2, ""), 5)], late],
    ["a provider's result stays with its call", whole, [edit(range([1, 2], [1, 3], ""), 3)], whole],
    ["a provider's result goes with its call", whole, [edit(range([1, 1], [1, 2], ""), 3)], [asks("q"), model(text("a"), text("b")), asks("next")]],
    ["all that belongs to a provider's call goes with it", late, [edit(range([1, 0], [1, 1], ""), 5)], [asks("q"), model(text("so")), asks("next")]],
  ]);

  test("a call goes with a provider's call, however far behind the range it stands", () => {
    const apart = [asks("q"), model(search), model(text("a")), model(text("b")), model(use("1")), user(res("1")), model(hits, text("so")), asks("next")];
    assert.deepEqual(render(apart, [edit(range(1, 2, ""), 8)]), [asks("q"), model(text("a")), model(text("b")), model(text("so")), asks("next")]);
  });

  test("no summary behind a call that waits for the provider", () => {
    assert.throws(() => render(late.slice(0, 3), [edit(range([2, 1], 3, "S."), 3)]), { code: "RANGE_EMPTY" });
    const words = late.with(2, user(res("1"), text("words")));
    assert.throws(() => render(words.slice(0, 3), [edit(range([2, 1], 3, "S."), 3)]), {
      code: "LOOP_OPEN",
      message: "The call s waits for the provider's result: until it comes, only tool results may follow.",
      data: { before: 1 },
    });
  });

  test("no collapsed round behind a call that waits for the provider, in a message of its own", () => {
    const split = [asks("q"), model(search), model(use("1")), user(res("1")), model(hits, text("so")), asks("next")];
    assert.throws(() => render(split, [edit({ kind: "collapse-round", call: 2, lastResult: 3, note: "N." }, 6)]), { code: "LOOP_OPEN", data: { before: 1 } });
  });

  test("before a call that waits for the provider, a summary may stand", () => {
    const log = [asks("q"), says("a"), asks("r"), ...late.slice(1, 3)];
    assert.deepEqual(render(log, [edit(range(1, 2, "S."), 5)]), [asks("q"), says("S."), ...log.slice(2)]);
  });

  test("where a range takes the waiting call, another summary may follow", () => {
    const log = [asks("q"), model(search, use("1")), user(res("1")), model(text("a")), model(use("2")), user(res("2"))];
    const edits = [edit(range(1, 3, "first"), 6), edit(range(3, 4, "second"), 6)];
    assert.deepEqual(render(log, edits), [asks("q"), says("first"), says("second"), model(use("2")), user(res("2"))]);
  });
});

test("a view without messages is refused, with a way out", () => {
  assert.throws(() => render([asks("q")], [edit(range(0, 1, ""), 1)]), {
    code: "EMPTY_THREAD",
    message: "Nothing would be left of the thread. Give a summary, or keep a part of it.",
  });
});

describe("a border between blocks", () => {
  const parallel = [asks("q"), model(text("I look."), use("a"), use("b")), user(res("a"), res("b"), text("Also.")), says("Done."), asks("Thanks.")];
  const [question, calls, , end, thanks] = parallel as [Message, Message, Message, Message, Message];
  const shown = (...edits: Change[]): Message[] => {
    const view = render(parallel, edits.map((change) => edit(change, parallel.length))); // prettier-ignore
    assert.deepEqual(faults(view), []);
    return view;
  };

  test("right behind calls leaves all their results, and takes what else is there", () =>
    assert.deepEqual(shown(range(2, 3, "")), [question, calls, user(res("a"), res("b")), end, thanks]));
  test("inside of one message takes the blocks between, and their results", () =>
    assert.deepEqual(shown(range([1, 1], [1, 2], "")), [question, model(text("I look."), use("b")), user(res("b"), text("Also.")), end, thanks]));
  test("from the start of a message takes its first blocks", () =>
    assert.deepEqual(shown(range(1, [1, 2], "")), [question, model(use("b")), user(res("b"), text("Also.")), end, thanks]));
  test("in two messages takes what lies between them, and what belongs to it", () =>
    assert.deepEqual(shown(range([1, 1], [2, 2], "")), [question, model(text("I look.")), user(text("Also.")), end, thanks]));
  test("behind the last block of a message is the start of the next", () => assert.deepEqual(shown(range([1, 3], [2, 3], "")), shown(range(2, 3, ""))));
  test("shows its summary where it begins", () =>
    assert.deepEqual(shown(range([2, 2], 3, "S.")), [question, calls, user(res("a"), res("b")), says("S."), end, thanks]));
  test("takes the results of all calls between them", () => {
    const rounds = [asks("q"), model(text("a"), text("b")), says("c"), model(use("1")), user(res("1"), text("d"), text("e")), asks("n")];
    assert.deepEqual(render(rounds, [edit(range([1, 1], 4, ""), 6)]), [asks("q"), model(text("a")), user(text("d"), text("e")), asks("n")]);
    assert.deepEqual(render(rounds, [edit(range([1, 1], [4, 2], ""), 6)]), [asks("q"), model(text("a")), user(text("e")), asks("n")]);
  });
  test("of one of several ranges in a message", () =>
    assert.deepEqual(shown(range([1, 0], [1, 1], ""), range([1, 1], [1, 2], "")), [question, model(use("b")), user(res("b"), text("Also.")), end, thanks]));
});
