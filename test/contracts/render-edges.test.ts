/** Where an edit leaves something at an edge that a provider would refuse there, or a text that must keep its form. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeEdit, render, type Change, type Edit, type Message, type RenderTarget } from "../../src/index.ts";
import { assistant, block, res, results, text, think, use, user } from "../support/build.ts";

const q = user("q");
const n = user("n");
const system: Message = { role: "system", content: "be brief" };

const edit = (change: Change, madeAt: number, undoneAt?: number): Edit =>
  makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt, ...(undoneAt === undefined ? {} : { undoneAt }), ...change });
const range = (from: readonly [number, number], to: readonly [number, number], summary = "", role: "user" | "assistant" = "assistant"): Change => ({
  kind: "replace-range",
  from: { position: from[0], block: from[1] },
  to: { position: to[0], block: to[1] },
  role,
  summary,
});
const strip = (...at: readonly (readonly [number, number])[]): Change => ({
  kind: "strip-blocks",
  at: at.map(([position, number]) => ({ position, block: number })),
});
const shorten = (position: number, callId: string): Change => ({ kind: "replace-result", at: { position, block: 0 }, callId, form: "stub", content: "short" });
const collapse = (call: number): Change => ({ kind: "collapse-round", call, lastResult: call + 1, note: "[read]" });

const FREE: RenderTarget = { bindsThinking: false };

type Row = readonly [what: string, log: readonly Message[], edits: readonly Edit[], view: readonly Message[], target?: RenderTarget];

function check(rows: readonly Row[]): void {
  for (const [what, log, edits, view, target] of rows) test(what, () => assert.deepEqual(render(log, edits, target), view));
}

describe("thinking is never left at the end of a turn (A4.5), nor after something else at its start (A4.4)", () => {
  const split = [q, assistant(think("1")), assistant(text("a")), n];
  const mixed = [q, assistant(think("1"), text("x"), think("2")), assistant(text("a")), n];
  const interleaved = [q, assistant(think("1"), text("x"), think("2"), use("a")), results("a"), assistant(text("done")), n];
  check([
    ["a message of thinking alone goes with what it led to", split, [edit(range([2, 0], [3, 0]), 4)], [q, n], FREE],
    ["and so does the thinking before it", [q, assistant(text("x"), think("1")), assistant(think("2")), assistant(text("a")), n], [edit(range([3, 0], [4, 0]), 5)], [q, assistant(text("x")), n], FREE],
    ["what ends the log already is left alone", [q, assistant(text("x"), think("1"))], [edit({ kind: "replace-block", at: { position: 0, block: 0 }, text: "short" }, 2)], [user("short"), assistant(text("x"), think("1"))], FREE],
    ["the thinking at the end of a message goes, the rest stays", mixed, [edit(range([2, 0], [3, 0]), 4)], [q, assistant(think("1"), text("x")), n], FREE],
    ["also where the range begins inside the message", mixed, [edit(range([1, 1], [3, 0]), 4)], [q, n], FREE],
    [
      "what stands there in the log already is left alone",
      [q, assistant(think("1")), n],
      [edit(range([2, 0], [3, 0], "S."), 3)],
      [q, assistant(think("1")), assistant("S.")],
      FREE,
    ],
    [
      "a message that loses its first thinking loses all",
      interleaved,
      [edit(strip([1, 0]), 5)],
      [q, assistant(text("x"), use("a")), ...interleaved.slice(2)],
      FREE,
    ],
    [
      "one that keeps its first keeps the others",
      interleaved,
      [edit(strip([1, 1]), 5)],
      [q, assistant(think("1"), think("2"), use("a")), ...interleaved.slice(2)],
      FREE,
    ],
  ]); // prettier-ignore
});

describe("what is stripped", () => {
  const reminder = block("system_reminder", { text: "r" });
  const log = [q, assistant(text("a")), user(reminder), assistant(text("b")), n];
  const answered = [q, assistant(use("a")), results("a"), assistant(think("3"), text("t"))];
  check([
    ["the last message stays, though nothing of it would be shown", log.slice(0, 3), [edit(strip([2, 0]), 3)], log.slice(0, 3)],
    ["and is shown from then on", log, [edit(strip([2, 0]), 3)], log],
    ["one that was not the last goes", log, [edit(strip([2, 0]), 4)], [q, assistant(text("a")), assistant(text("b")), n]],
    ["one that a system message follows stays (A1.10)", [q, assistant(text("a")), user(reminder), system, assistant(text("b")), n], [edit(strip([2, 0]), 6)], [q, assistant(text("a")), user(reminder), system, assistant(text("b")), n]],
    ["of several edits the newest counts", log, [edit(strip([2, 0]), 3), edit(strip([2, 0]), 5)], [q, assistant(text("a")), assistant(text("b")), n]],
    ["a message that is kept still loses thinking that is bound to another prefix", answered, [edit(shorten(2, "a"), 4), edit(strip([3, 1]), 4)], [q, assistant(use("a")), user(res("a", "short")), assistant(text("t"))]],
    ["the last message is shown once, though a summary stands right before it", [q, assistant(use("a")), results("a"), user(reminder)], [edit(strip([3, 0]), 4), edit(range([2, 0], [3, 0], "S."), 4)], [q, assistant(use("a")), results("a"), assistant("S."), user(reminder)]],
    [
      "a message that is kept loses all thinking of its own that cannot be shown, and no other's",
      [...answered, n, assistant(think("5"), text("x"), think("6"), text("y"))],
      [edit(shorten(2, "a"), 6), edit(strip([5, 1], [5, 3]), 6)],
      [q, assistant(use("a")), user(res("a", "short")), assistant(text("t")), n, assistant(text("x"), text("y"))],
    ],
    ["two blocks of one message", [q, assistant(text("a"), text("b"), text("c")), n], [edit(strip([1, 0], [1, 2]), 3)], [q, assistant(text("b")), n]],
  ]); // prettier-ignore
});

describe("the form of what is shown", () => {
  check([
    ["a string stays a string", [q, assistant("long"), n], [edit({ kind: "replace-block", at: { position: 1, block: 0 }, text: "short" }, 3)], [q, assistant("short"), n]],
    ["blocks stay blocks", [q, assistant(text("long")), n], [edit({ kind: "replace-block", at: { position: 1, block: 0 }, text: "short" }, 3)], [q, assistant(text("short")), n]],
    ["a stripped string is no message", [q, assistant("long"), n], [edit(strip([1, 0]), 3)], [q, n]],
  ]); // prettier-ignore

  const parts = [user(text("a"), text("b"), text("c"), text("d")), assistant(text("x")), n];
  const first = edit(range([0, 0], [0, 1], "S1", "user"), 3);
  const second = edit(range([0, 2], [0, 3], "S2", "user"), 3);
  const expected: Message[] = [user("S1"), user(text("b")), user("S2"), user(text("d")), assistant(text("x")), n];
  check([
    ["two summaries in one message stand where their ranges were", parts, [first, second], expected],
    ["in whichever order they were made", parts, [second, first], expected],
  ]);
});

describe("system messages", () => {
  const log = [q, assistant(text("a")), user(text("u")), system, assistant(text("m")), n];
  check([
    ["go with the user message before them", log, [edit(range([2, 0], [3, 0]), 6)], [q, assistant(text("a")), assistant(text("m")), n]],
    ["stay with it", log, [edit(range([1, 0], [2, 0]), 6)], [q, user(text("u")), system, assistant(text("m")), n]],
    ["each with its own", [...log.slice(0, 5), user(text("v")), system, assistant(text("o")), n], [edit(range([5, 0], [6, 0]), 9)], [...log.slice(0, 5), assistant(text("o")), n]],
    ["go with it where its summary stands in its place", log, [edit(range([2, 0], [3, 0], "S."), 6)], [q, assistant(text("a")), assistant("S."), assistant(text("m")), n]],
    ["stay with what is left of it", log.with(2, user(text("u"), text("v"))), [edit(range([2, 0], [2, 1], "S."), 6)], [q, assistant(text("a")), assistant("S."), user(text("v")), ...log.slice(3)]],
    ["that the user follows in the log already get no answer put in", [...log.slice(0, 4), n, assistant(text("o")), n], [edit(range([5, 0], [6, 0]), 7)], [...log.slice(0, 4), n, n]],
    ["at the start they stay, unless they are in the range themselves", [system, q, assistant(text("a")), n], [edit(range([1, 0], [3, 0]), 4)], [system, n]],
    ["and go if they are", [system, q, assistant(text("a")), n], [edit(range([0, 0], [3, 0]), 4)], [n]],
  ]); // prettier-ignore
});

describe("a log that begins with the assistant", () => {
  const omitted = user("[Earlier conversation omitted]");
  const log = [assistant(text("a")), assistant(text("b")), q, assistant(text("c")), n];
  check([
    ["is left as it begins", log, [edit(range([3, 0], [4, 0]), 5)], [...log.slice(0, 3), n]],
    ["also after a system message", [system, ...log], [edit(range([4, 0], [5, 0]), 6)], [system, ...log.slice(0, 3), n]],
    ["gets a message of the user's where its beginning is gone", log, [edit(range([0, 0], [1, 0]), 5)], [omitted, ...log.slice(1)]],
    ["and where a summary of the assistant's is all there is", [system], [edit(range([0, 0], [1, 0], "S."), 1)], [omitted, assistant("S.")]],
  ]); // prettier-ignore
});

describe("collapsed rounds and thinking", () => {
  const talk = [
    q,
    assistant(think("1"), text("a")),
    n,
    assistant(text("Look."), use("a")),
    results("a"),
    assistant(think("5"), use("b")),
    results("b"),
    assistant(think("7"), text("d")),
    n,
  ];
  check([
    ["thinking of other messages is none of theirs", talk, [edit(collapse(3), 9)], [...talk.slice(0, 3), assistant(text("Look."), text("[read]")), ...talk.slice(5)], FREE],
    [
      "each takes its own",
      talk.with(3, assistant(think("3"), text("Look."), use("a"))),
      [edit(collapse(3), 9), edit(collapse(5), 9)],
      [...talk.slice(0, 3), assistant(text("Look."), text("[read]")), assistant("[read]"), ...talk.slice(7)],
      FREE,
    ],
  ]); // prettier-ignore
});

describe("an open loop shows all of its thinking or none (A4.1), whether the target binds or not", () => {
  const loop = [q, assistant(think("1"), text("x"), use("a")), results("a"), assistant(think("3"), use("b")), results("b")];
  const signatures = (edits: readonly Edit[], log: readonly Message[] = loop): string[] =>
    render(log, edits, FREE).flatMap(({ content }) =>
      typeof content === "string" ? [] : content.flatMap((part) => (part.type === "thinking" ? [(part as unknown as { signature: string }).signature] : [])),
    );
  const rows: readonly (readonly [string, readonly Edit[], readonly string[], (readonly Message[])?])[] = [
    ["thinking stripped from it takes the rest along", [edit(strip([1, 0]), 5)], []],
    ["another block stripped from it takes none", [edit(strip([1, 1]), 5)], ["1", "3"]],
    ["a collapsed round with thinking takes the rest along", [edit(collapse(1), 5)], []],
    ["a collapsed round without thinking takes none", [edit(collapse(1), 5)], ["3"], [q, assistant(use("a")), results("a"), assistant(think("3"), use("b")), results("b")]],
    ["a range with thinking takes the rest along", [edit(range([1, 0], [3, 0], "S."), 5)], []],
    ["a range without thinking takes none", [edit(range([1, 0], [3, 0], "S."), 5)], ["3"], [q, assistant(use("a")), results("a"), assistant(think("3"), use("b")), results("b")]],
    ["a shortened result takes none", [edit(shorten(2, "a"), 5)], ["1", "3"]],
    ["an edit before the loop takes none", [edit(range([0, 0], [2, 0], "S.", "user"), 7)], ["3", "5"], [n, assistant(text("b")), q, assistant(think("3"), use("a")), results("a"), assistant(think("5"), use("b")), results("b")]],
    ["made when the loop was over, it takes only its own", [edit(strip([1, 0]), 7)], ["3"], [...loop, assistant(text("done")), n]],
  ]; // prettier-ignore
  for (const [what, edits, expected, log] of rows) test(what, () => assert.deepEqual(signatures(edits, log), expected));
});

describe("an edit that was undone", () => {
  const talk = [
    q,
    assistant(think("1"), use("a")),
    results("a"),
    assistant(think("3"), text("d")),
    n,
    assistant(think("5"), text("d")),
    n,
    assistant(think("7"), text("d")),
    n,
  ];
  const signatures = (edits: readonly Edit[], target?: RenderTarget): string[] =>
    render(talk, edits, target).flatMap(({ content }) =>
      typeof content === "string" ? [] : content.flatMap((part) => (part.type === "thinking" ? [(part as unknown as { signature: string }).signature] : [])),
    );
  test("hides what was produced while it was in force", () => {
    assert.deepEqual(signatures([edit(shorten(2, "a"), 3, 7)]), ["1", "7"]);
    assert.deepEqual(signatures([edit(shorten(2, "a"), 5, 7)]), ["1", "3", "7"]);
  });
  test("hides nothing if the model never saw it", () => {
    assert.deepEqual(signatures([edit(shorten(2, "a"), 3, 5)], { seenFrom: 9 }), ["1", "3", "5", "7"]);
    assert.deepEqual(signatures([edit(shorten(2, "a"), 5, 5)]), ["1", "3", "5", "7"]);
  });
  test("is not undone yet while the log is shorter", () => {
    assert.deepEqual(signatures([edit(shorten(2, "a"), 5, 20)]), ["1", "5", "7"]);
  });
});
