import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeEdit, render, type Block, type Change, type Edit, type Message, type RenderTarget } from "../../src/index.ts";
import { assistant, results, text, think, use, user } from "../support/build.ts";

const edit = (change: Change, madeAt: number, undoneAt?: number): Edit =>
  makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt, ...(undoneAt === undefined ? {} : { undoneAt }), ...change });
const shorten = (position: number, callId: string): Change => ({ kind: "replace-result", at: { position, block: 0 }, callId, form: "stub", content: "short" });
const range = (from: number, to: number, summary = "S."): Change => ({
  kind: "replace-range",
  from: { position: from, block: 0 },
  to: { position: to, block: 0 },
  role: "assistant",
  summary,
});
const collapse = (call: number, lastResult: number): Change => ({ kind: "collapse-round", call, lastResult, note: "line" });
const strip = (position: number, number: number): Change => ({ kind: "strip-blocks", at: [{ position, block: number }] });

const stripAll = (...at: readonly (readonly [number, number])[]): Change => ({
  kind: "strip-blocks",
  at: at.map(([position, number]) => ({ position, block: number })),
});

const signatureOf = (part: Block): string[] => (part.type === "thinking" ? [String((part as { signature?: unknown }).signature)] : []);

/** The signatures of the thinking that is shown: the position of its message in the log. */
function shown(log: readonly Message[], edits: readonly Edit[], target?: RenderTarget): string[] {
  return render(log, edits, target).flatMap((message) => (typeof message.content === "string" ? [] : message.content.flatMap((part) => signatureOf(part))));
}

type Row = readonly [what: string, length: number, edits: readonly Edit[], expected: readonly string[], target?: RenderTarget];

/** Question, round, answer; question, round, answer; question, and so on. Every answer and every call has thinking. */
const talk: readonly Message[] = [
  user("q"),
  assistant(think("1"), use("a")),
  results("a"),
  assistant(think("3"), text("done")),
  user("r"),
  assistant(think("5"), use("b")),
  results("b"),
  assistant(think("7"), text("done")),
  user("s"),
  assistant(think("9"), text("done")),
  user("t"),
];

function check(log: readonly Message[], rows: readonly Row[]): void {
  for (const [what, length, edits, expected, target] of rows) test(what, () => assert.deepEqual(shown(log.slice(0, length), edits, target), expected));
}

describe("thinking is shown only under the prefix that it was produced under", () => {
  check(talk, [
    ["no edit hides none", 11, [], ["1", "3", "5", "7", "9"]],
    ["an edit at ingest costs none", 11, [edit(shorten(2, "a"), 3)], ["1", "3", "5", "7", "9"]],
    ["a batch hides what comes after its place and was there before", 9, [edit(shorten(2, "a"), 9)], ["1"]],
    ["thinking before the place stays", 9, [edit(shorten(6, "b"), 9)], ["1", "3", "5"]],
    ["thinking produced after the batch stays", 11, [edit(shorten(2, "a"), 9)], ["1", "9"]],
    ["of two edits each hides its own", 11, [edit(shorten(2, "a"), 5), edit(shorten(6, "b"), 9)], ["1", "5", "9"]],
    ["the earlier place does not excuse the later time", 11, [edit(shorten(6, "b"), 11), edit(shorten(2, "a"), 3)], ["1", "3", "5"]],
    ["a range hides what comes after it", 11, [edit(range(1, 4), 9)], ["9"]],
    ["a range that was there from the start costs none after it", 11, [edit(range(1, 4), 5)], ["5", "7", "9"]],
    ["an edit inside a range is not compared", 11, [edit(range(1, 4), 5), edit(shorten(2, "a"), 9)], ["5", "7", "9"]],
    ["nor are stripped blocks inside it", 11, [edit(range(1, 4), 5), edit(strip(3, 1), 9)], ["5", "7", "9"]],
    ["a result beside a range is compared", 11, [edit(range(1, 4), 5), edit(shorten(6, "b"), 11)], ["5"]],
    ["a collapsed round beside a range is compared", 11, [edit(range(1, 4), 5), edit(collapse(5, 6), 11)], []],
    ["stripped blocks beside a range are compared", 11, [edit(range(1, 2), 3), edit(strip(3, 1), 9)], ["9"]],
    ["an edit that lies only partly inside a range is compared", 11, [edit(range(0, 2), 3), edit(stripAll([1, 0], [3, 1]), 11)], []],
    ["a deleted range counts as well", 11, [edit(range(3, 5, ""), 9)], ["1", "9"]],
  ]);
});

describe("undo and thinking", () => {
  const undone = edit(shorten(2, "a"), 5, 9);
  check(talk, [
    ["while it is in force, what came before it is hidden", 8, [undone], ["1", "5", "7"]],
    ["undoing it brings back what it hid, and hides what was produced under it", 11, [undone], ["1", "3", "9"]],
    ["undone at the length at which it was made: nothing happened", 11, [edit(shorten(2, "a"), 9, 9)], ["1", "3", "5", "7", "9"]],
    ["what was produced under the newer of two ranges goes with it", 11, [edit(range(1, 4), 5), edit(range(1, 4, "newer"), 7, 9)], ["5", "9"]],
    ["while the newer range is in force, what was produced under the older one is hidden", 8, [edit(range(1, 4), 5), edit(range(1, 4, "newer"), 7, 9)], ["7"]],
    ["a range that was only ever inside another is not compared", 11, [edit(range(1, 4), 5), edit(range(3, 4, "inner"), 7, 9)], ["5", "7", "9"]],
    ["nor a collapsed round", 11, [edit(range(1, 4), 5), edit({ kind: "collapse-round", call: 1, lastResult: 2, note: "line" }, 7, 9)], ["5", "7", "9"]],
    ["undone in the future: still in force", 9, [edit(shorten(2, "a"), 9, 11)], ["1"]],
  ]);
});

describe("seenFrom: before it the model read the log itself", () => {
  check(talk, [
    ["an edit counts from there, not from when it was made", 11, [edit(shorten(2, "a"), 3)], ["1", "7", "9"], { seenFrom: 7 }],
    ["at the end: all edits are new", 11, [edit(shorten(2, "a"), 3)], ["1"], { seenFrom: 11 }],
    ["an edit that was made later counts from when it was made", 11, [edit(shorten(2, "a"), 9)], ["1", "9"], { seenFrom: 7 }],
    ["an edit that was undone before was never seen", 11, [edit(shorten(2, "a"), 3, 5)], ["1", "3", "5", "7", "9"], { seenFrom: 7 }],
  ]);
});

describe("targets that do not mind", () => {
  const batch = [edit(shorten(2, "a"), 9)];
  check(talk, [
    ["one that does not bind", 9, batch, ["1", "3", "5", "7"], { bindsThinking: false }],
    ["one that drops by itself", 9, batch, ["1", "3", "5", "7"], { dropBlock: true }],
    ["manual mode binds like any other", 9, batch, ["1"], { thinking: "manual" }],
  ]);
});

describe("an open loop shows all of its thinking or none", () => {
  const loop: readonly Message[] = [
    user("q"),
    assistant(think("1"), text("first")),
    user("r"),
    assistant(think("3"), use("a")),
    results("a"),
    assistant(think("5"), use("b")),
    results("b"),
    assistant(think("7"), use("c")),
    results("c"),
    assistant(think("9"), text("done")),
    user("s"),
  ];
  check(loop, [
    ["a result that comes in shortened costs none", 7, [edit(shorten(6, "b"), 7)], ["1", "3", "5"]],
    ["a batch inside it hides all of its earlier thinking", 7, [edit(shorten(4, "a"), 7)], ["1"]],
    ["what the loop produces later stays", 9, [edit(shorten(4, "a"), 7)], ["1", "7"]],
    ["also when it is over", 11, [edit(shorten(4, "a"), 7)], ["1", "7", "9"]],
    ["once it is over, an edit hides only what comes after it", 11, [edit(shorten(4, "a"), 11)], ["1", "3"]],
    ["thinking before the loop is not touched", 9, [edit(shorten(4, "a"), 9)], ["1"]],
    ["taking some of its thinking takes all, also where it is not bound", 7, [edit(strip(3, 0), 7)], ["1"], { bindsThinking: false }],
    ["shortening a result takes none where it is not bound", 7, [edit(shorten(4, "a"), 7)], ["1", "3", "5"], { bindsThinking: false }],
  ]);
});

describe("an open loop whose thinking would be left at the end of a turn", () => {
  // The summary of the user's ends the assistant's turn: thinking in a message of its own before it cannot stay (A4.5), so none of the loop's can (A4.1).
  const loop = [user("q"), assistant(think("1"), use("a")), results("a"), assistant(think("3")), assistant(use("b")), assistant(use("c")), results("b", "c")];
  const summary = edit({ ...range(4, 5), role: "user" } as Change, 6);
  check(loop, [["shows none of it", 7, [summary], []]]);
});

describe("thinking leaves no bad message behind", () => {
  test("a message of hidden thinking only is not shown", () => {
    const log = [user("q"), assistant(use("a")), results("a"), assistant(think("3")), assistant(text("done")), user("n")];
    assert.deepEqual(
      render(log, [edit(shorten(2, "a"), 6)]).map((message) => message.role),
      ["user", "assistant", "user", "assistant", "user"],
    );
  });

  test("where the rest of a turn is taken out, its thinking is not left at the end (A4.5)", () => {
    const log = [user("q"), assistant(think("1"), text("x")), user("n")];
    const view = render(log, [edit({ kind: "replace-range", from: { position: 1, block: 1 }, to: { position: 2, block: 0 }, role: "user", summary: "" }, 3)]);
    assert.deepEqual(view, [user("q"), user("n")]);
  });

  test("untouched messages are still the same objects", () => {
    const view = render(talk, [edit(shorten(6, "b"), 11)]);
    for (const position of [0, 1, 2, 3, 4, 5, 8, 10]) assert.equal(view[position], talk[position], `position ${position}`);
    assert.deepEqual(view[9], assistant(text("done")));
  });
});
