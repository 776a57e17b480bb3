import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeEdit, render, type Block, type Change, type Edit, type Message, type Place } from "../../src/index.ts";
import { assistant, block, res, text, think, use, user } from "../support/build.ts";

const reads = (id: string, input: object = { path: "long" }): Block => use(id, "read", input);
const marker = { cache_control: { type: "ephemeral" } };

const edit = (change: Change, madeAt: number, undoneAt?: number): Edit =>
  makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt, ...(undoneAt === undefined ? {} : { undoneAt }), ...change });
const place = (position: number, number = 0): Place => ({ position, block: number });
const result = (position: number, number: number, callId: string, content: string | Block[]): Change => ({
  kind: "replace-result",
  at: place(position, number),
  callId,
  form: "custom",
  content,
});
const input = (position: number, number: number, value: Record<string, unknown>): Change => ({
  kind: "replace-input",
  at: place(position, number),
  input: value,
});
const replace = (position: number, number: number, shown: string): Change => ({ kind: "replace-block", at: place(position, number), text: shown });
const strip = (...at: Place[]): Change => ({ kind: "strip-blocks", at });
const collapse = (call: number, lastResult: number, note: string): Change => ({ kind: "collapse-round", call, lastResult, note });

const log = [
  user("q"),
  assistant(text("Both."), reads("1"), reads("2")),
  user(res("1"), res("2"), text("Use tabs!")),
  assistant(text("a"), text("b")),
  user("next"),
];
const at = log.length;

type Row = readonly [what: string, log: readonly Message[], edits: readonly Edit[], changed: Readonly<Record<number, Message | null>>];

/** Every position that is not in `changed` must be shown as the same object; null: not shown. */
function check(rows: readonly Row[]): void {
  for (const [what, messages, edits, changed] of rows) {
    test(what, () => {
      const view = render(messages, edits);
      const expected = messages.flatMap((message, position) => (changed[position] === null ? [] : [changed[position] ?? message]));
      assert.deepEqual(view, expected);
      messages.forEach((message, position) => assert.equal(view.includes(message), changed[position] === undefined, `position ${position}`));
    });
  }
}

describe("replace-result", () => {
  check([
    ["shows other content", log, [edit(result(2, 1, "2", "short"), at)], { 2: user(res("1"), res("2", "short"), text("Use tabs!")) }],
    [
      "keeps every other field",
      [user("q"), assistant(reads("1")), user(res("1", "long", { is_error: true, ...marker })), user("n")],
      [edit(result(2, 0, "1", "short"), 4)],
      { 2: user(res("1", "short", { is_error: true, ...marker })) },
    ],
    [
      "may show blocks",
      log,
      [edit(result(2, 0, "1", [text("a"), block("image", {})]), at)],
      { 2: user(res("1", [text("a"), block("image", {})]), res("2"), text("Use tabs!")) },
    ],
    ["never adds a cache marker", log, [edit(result(2, 0, "1", [text("a", marker)]), at)], { 2: user(res("1", [text("a")]), res("2"), text("Use tabs!")) }],
    ["empty is shown as [empty]", log, [edit(result(2, 0, "1", ""), at)], { 2: user(res("1", "[empty]"), res("2"), text("Use tabs!")) }],
    ["blank is shown as [empty]", log, [edit(result(2, 0, "1", " \n"), at)], { 2: user(res("1", "[empty]"), res("2"), text("Use tabs!")) }],
    ["no blocks are shown as [empty]", log, [edit(result(2, 0, "1", []), at)], { 2: user(res("1", "[empty]"), res("2"), text("Use tabs!")) }],
    [
      "an empty text block is shown as [empty]",
      log,
      [edit(result(2, 0, "1", [text(""), block("image", {})]), at)],
      { 2: user(res("1", [text("[empty]"), block("image", {})]), res("2"), text("Use tabs!")) },
    ],
    [
      "two results of one message",
      log,
      [edit(result(2, 0, "1", "x"), at), edit(result(2, 1, "2", "y"), at)],
      { 2: user(res("1", "x"), res("2", "y"), text("Use tabs!")) },
    ],
    [
      "the latest shows",
      log,
      [edit(result(2, 0, "1", "new"), at), edit(result(2, 0, "1", "old"), 4)],
      { 2: user(res("1", "new"), res("2"), text("Use tabs!")) },
    ],
    [
      "on a tie the later in the list",
      log,
      [edit(result(2, 0, "1", "x"), at), edit(result(2, 0, "1", "y"), at)],
      { 2: user(res("1", "y"), res("2"), text("Use tabs!")) },
    ],
    [
      "undoing it restores the one before",
      log,
      [edit(result(2, 0, "1", "old"), 4), edit(result(2, 0, "1", "new"), 4, at)],
      { 2: user(res("1", "old"), res("2"), text("Use tabs!")) },
    ],
    ["undone: the log itself", log, [edit(result(2, 0, "1", "old"), 4, at)], {}],
    ["not made yet: the log itself", log, [edit(result(2, 0, "1", "old"), at + 1)], {}],
  ]);
});

describe("replace-input", () => {
  check([
    ["shows another input", log, [edit(input(1, 1, { path: "…" }), at)], { 1: assistant(text("Both."), reads("1", { path: "…" }), reads("2")) }],
    ["may be empty: an object is never blank", log, [edit(input(1, 1, {}), at)], { 1: assistant(text("Both."), reads("1", {}), reads("2")) }],
  ]);
});

describe("strip-blocks", () => {
  check([
    ["takes blocks out", log, [edit(strip(place(3, 1), place(2, 2)), at)], { 2: user(res("1"), res("2")), 3: assistant(text("a")) }],
    ["a message left without blocks is not shown", log, [edit(strip(place(3, 0), place(3, 1)), at)], { 3: null }],
    ["also if two edits leave it without", log, [edit(strip(place(3, 0)), 4), edit(strip(place(3, 1)), at)], { 3: null }],
    ["a message that is a string is not shown", log.toSpliced(3, 1, assistant("x")), [edit(strip(place(3)), at)], { 3: null }],
    ["the last message is kept", log, [edit(strip(place(4)), at)], {}],
    ["and stays, when the log has grown", [...log, assistant("ok"), user("more")], [edit(strip(place(4)), at)], {}],
    [
      "the message before a system message is kept",
      [user("q"), assistant("x"), user("y"), { role: "system", content: "s" }, assistant("z"), user("n")],
      [edit(strip(place(2)), 6)],
      {},
    ],
  ]);
});

describe("replace-block", () => {
  check([
    ["shows a text", log, [edit(replace(3, 0, "short"), at)], { 3: assistant(text("short"), text("b")) }],
    [
      "in place of an image",
      [user(block("image", { source: {}, ...marker }), text("q"))],
      [edit(replace(0, 0, "[image]"), 1)],
      { 0: user(text("[image]", marker), text("q")) },
    ],
    ["in a message that is a string", log, [edit(replace(0, 0, "short"), at)], { 0: user("short") }],
    ["empty is shown as [empty]", log, [edit(replace(3, 0, ""), at)], { 3: assistant(text("[empty]"), text("b")) }],
    ["blank is shown as [empty]", log, [edit(replace(0, 0, " "), at)], { 0: user("[empty]") }],
    [
      "a call takes its result along, its neighbours stay",
      log,
      [edit(replace(1, 1, "I read it."), at)],
      { 1: assistant(text("Both."), text("I read it."), reads("2")), 2: user(res("2"), text("Use tabs!")) },
    ],
    [
      "a call whose result is alone takes the message along",
      [user("q"), assistant(reads("1")), user(res("1")), assistant("x"), user("n")],
      [edit(replace(1, 0, "I read it."), 5)],
      { 1: assistant(text("I read it.")), 2: null },
    ],
    [
      "a call whose result is the last message takes it along: a result without its call is refused (A2.2)",
      [user("q"), assistant(reads("1")), user(res("1"))],
      [edit(replace(1, 0, "I read it."), 3)],
      { 1: assistant(text("I read it.")), 2: null },
    ],
    [
      "it stays away when the log has grown",
      [user("q"), assistant(reads("1")), user(res("1")), assistant("x"), user("n")],
      [edit(replace(1, 0, "I read it."), 3)],
      { 1: assistant(text("I read it.")), 2: null },
    ],
    [
      "a system message behind the result goes with it",
      [user("q"), assistant(reads("1")), user(res("1")), { role: "system", content: "s" }, assistant("x"), user("n")],
      [edit(replace(1, 0, "I read it."), 6)],
      { 1: assistant(text("I read it.")), 2: null, 3: null },
    ],
    [
      "a call with a repeated id takes its own result",
      [user("q"), assistant(reads("1")), user(res("1")), assistant(reads("1")), user(res("1")), user("n")],
      [edit(replace(3, 0, "again"), 6)],
      { 3: assistant(text("again")), 4: null },
    ],
    [
      "a later edit of the call brings its result back",
      log,
      [edit(replace(1, 1, "I read it."), 4), edit(input(1, 1, {}), at)],
      { 1: assistant(text("Both."), reads("1", {}), reads("2")) },
    ],
  ]);
});

describe("collapse-round", () => {
  const thinking = think("s", "");
  const round = [user("q"), assistant(thinking, text("Look:"), reads("1")), user(res("1"), text("Use tabs!")), assistant("x"), user("n")];
  check([
    [
      "the note follows the text, thinking goes, words beside the result stay",
      round,
      [edit(collapse(1, 2, "line"), 5)],
      { 1: assistant(text("Look:"), text("line")), 2: user(text("Use tabs!")) },
    ],
    [
      "alone it is a string",
      [user("q"), assistant(reads("1")), user(res("1")), assistant("x"), user("n")],
      [edit(collapse(1, 2, "line"), 5)],
      { 1: assistant("line"), 2: null },
    ],
    [
      "results in two messages",
      [user("q"), assistant(reads("1"), reads("2")), user(res("2")), user(res("1")), assistant("x"), user("n")],
      [edit(collapse(1, 3, "line"), 6)],
      { 1: assistant("line"), 2: null, 3: null },
    ],
    [
      "results in two messages, in the order of their calls",
      [user("q"), assistant(reads("1"), reads("2")), user(res("1")), user(res("2")), assistant("x"), user("n")],
      [edit(collapse(1, 3, "line"), 6)],
      { 1: assistant("line"), 2: null, 3: null },
    ],
    [
      "a call that was never answered goes with the others",
      [user("q"), assistant(reads("1"), reads("2")), user(res("1")), assistant("x"), user("n")],
      [edit(collapse(1, 2, "line"), 5), edit(replace(3, 0, "y"), 5)],
      { 1: assistant("line"), 2: null, 3: assistant("y") },
    ],
    ["an empty note is shown as [empty]", round, [edit(collapse(1, 2, ""), 5)], { 1: assistant(text("Look:"), text("[empty]")), 2: user(text("Use tabs!")) }],
    [
      "swallows an edit of its result, in any order",
      round,
      [edit(result(2, 0, "1", "short"), 5), edit(collapse(1, 2, "line"), 5)],
      { 1: assistant(text("Look:"), text("line")), 2: user(text("Use tabs!")) },
    ],
    [
      "the latest shows",
      round,
      [edit(collapse(1, 2, "new"), 5), edit(collapse(1, 2, "old"), 4)],
      { 1: assistant(text("Look:"), text("new")), 2: user(text("Use tabs!")) },
    ],
    ["undone: the log itself", round, [edit(collapse(1, 2, "line"), 4, 5)], {}],
  ]);
});

test("without edits the view is the log, message for message", () => {
  const view = render(log, []);
  assert.equal(view.length, log.length);
  view.forEach((message, position) => assert.equal(message, log[position]));
});

test("unknown blocks and fields pass through", () => {
  const odd = { role: "assistant", content: [block("block_of_next_year", { x: [1] }), text("a"), text("b")], usage: { output_tokens: 3 } } as Message;
  assert.deepEqual(render([user("q"), odd, user("n")], [edit(replace(1, 2, "c"), 3)])[1], {
    ...odd,
    content: [block("block_of_next_year", { x: [1] }), text("a"), text("c")],
  });
});
