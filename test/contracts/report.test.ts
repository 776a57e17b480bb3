import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeEdit, report, type Change, type Edit, type Message } from "../../src/index.ts";
import { assistant, res, text, think, use, user } from "../support/build.ts";

const edit = (change: Change, madeAt: number): Edit => makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt, ...change });
const at = (position: number, number = 0): { position: number; block: number } => ({ position, block: number });

/** A text of this many tokens: three digits are one. */
const sized = (tokens: number): string => "123".repeat(tokens);

const log = [user(sized(10)), assistant(text(sized(10)), use("a")), user(res("a", sized(100))), assistant(text("done")), user("next")];

const result = edit({ kind: "replace-result", at: at(2), callId: "a", form: "stub", content: sized(10) }, 5);
const collapse = edit({ kind: "collapse-round", call: 1, lastResult: 2, note: "line" }, 5);
const range = edit({ kind: "replace-range", from: at(1), to: at(3), role: "assistant", summary: sized(5) }, 5);
const strip = edit({ kind: "strip-blocks", at: [at(3)] }, 5);
const first = edit({ kind: "replace-block", at: at(0), text: "q" }, 5);

type State = readonly [state: string, edit?: Edit];
type Row = readonly [what: string, edits: readonly Edit[], firstChanged: number | null, states: readonly State[]];

const shown: State = ["shown"];
const ROWS: readonly Row[] = [
  ["no edit", [], null, [shown, shown, shown, shown, shown]],
  ["a replaced result", [result], 2, [shown, shown, ["replaced", result], shown, shown]],
  ["a collapsed round: the call is replaced, the result swallowed", [collapse], 1, [shown, ["replaced", collapse], ["swallowed", collapse], shown, shown]],
  ["a range", [range], 1, [shown, ["swallowed", range], ["swallowed", range], shown, shown]],
  ["a range and what it swallows", [result, range], 1, [shown, ["swallowed", range], ["swallowed", range], shown, shown]],
  ["a message left without blocks", [strip], 3, [shown, shown, shown, ["dropped", strip], shown]],
  ["a replaced block", [first], 0, [["replaced", first], shown, shown, shown, shown]],
  ["several edits", [strip, result], 2, [shown, shown, ["replaced", result], ["dropped", strip], shown]],
  ["an edit that is undone", [{ ...result, undoneAt: 5 }], null, [shown, shown, shown, shown, shown]],
  ["an edit that is not made yet", [{ ...result, madeAt: 6 }], null, [shown, shown, shown, shown, shown]],
];

describe("report: where every message went", () => {
  for (const [what, edits, firstChanged, states] of ROWS) {
    test(what, () => {
      const found = report(log, edits);
      const positions = states.map(([state, by], position) => (by === undefined ? { position, state } : { position, state, editId: by.id }));
      assert.deepEqual(found.positions, positions);
      assert.equal(found.firstChanged, firstChanged);
    });
  }

  test("hidden thinking counts as replaced, and names the edit that hides it", () => {
    const thinking = think("s", "");
    const found = report(log.with(3, assistant(thinking, text("done"))), [result]);
    assert.deepEqual(found.positions[3], { position: 3, state: "replaced", editId: result.id });
  });

  test("a system message goes with the message that it follows, though no edit is about it", () => {
    const talk: Message[] = [user("q"), assistant(text("a")), user("b"), { role: "system", content: "s" }, assistant(text("c")), user("next")];
    const gone = edit({ kind: "replace-range", from: at(2), to: at(3), role: "user", summary: "" }, talk.length);
    assert.deepEqual(report(talk, [gone]).positions.slice(2, 4), [
      { position: 2, state: "swallowed", editId: gone.id },
      { position: 3, state: "swallowed" },
    ]);
  });

  test("thinking that is not left at the end of a turn counts as replaced, in each of its messages", () => {
    const thinking = think("s", "");
    const talk = [user("q"), assistant(text("a"), thinking), assistant(thinking), assistant(text("b")), user("next")];
    const gone = edit({ kind: "replace-range", from: at(3), to: at(4), role: "user", summary: "" }, talk.length);
    const states = report(talk, [gone], { bindsThinking: false }).positions.map(({ state }) => state);
    assert.deepEqual(states, ["shown", "replaced", "swallowed", "swallowed", "shown"]);
  });

  test("an empty log", () => {
    assert.deepEqual(report([], []), { positions: [], firstChanged: null, tokensBefore: 0, tokensAfter: 0 });
  });
});

describe("report: tokens", () => {
  test("an edit saves what it takes out", () => {
    const before = report(log, []);
    assert.equal(before.tokensBefore, before.tokensAfter);
    const after = report(log, [result]);
    assert.equal(after.tokensBefore, before.tokensBefore);
    assert.equal(after.tokensBefore - after.tokensAfter, 100 - 10);
  });

  test("a summary costs what it holds", () => {
    const { tokensBefore, tokensAfter } = report(log, [range]);
    const alone = report(log.slice(1, 3), []).tokensBefore;
    assert.equal(tokensBefore - tokensAfter, alone - 5);
  });
});
