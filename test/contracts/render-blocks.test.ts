import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { makeEdit, render, type Block, type Change, type Edit, type Message, type Place } from "../../src/index.ts";

const block = (type: string, fields: object): Block => ({ type, ...fields });
const text = (content: string, more: object = {}): Block => block("text", { text: content, ...more });
const use = (id: string, input: object = { path: "long" }): Block => block("tool_use", { id, name: "read", input });
const res = (id: string, content: unknown = "found", more: object = {}): Block => block("tool_result", { tool_use_id: id, content, ...more });
const user = (...content: Block[]): Message => ({ role: "user", content });
const model = (...content: Block[]): Message => ({ role: "assistant", content });
const asks = (content: string): Message => ({ role: "user", content });
const says = (content: string): Message => ({ role: "assistant", content });
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

const log = [asks("q"), model(text("Both."), use("1"), use("2")), user(res("1"), res("2"), text("Use tabs!")), model(text("a"), text("b")), asks("next")];
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
      [asks("q"), model(use("1")), user(res("1", "long", { is_error: true, ...marker })), asks("n")],
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
    ["shows another input", log, [edit(input(1, 1, { path: "…" }), at)], { 1: model(text("Both."), use("1", { path: "…" }), use("2")) }],
    ["may be empty: an object is never blank", log, [edit(input(1, 1, {}), at)], { 1: model(text("Both."), use("1", {}), use("2")) }],
  ]);
});

describe("strip-blocks", () => {
  check([
    ["takes blocks out", log, [edit(strip(place(3, 1), place(2, 2)), at)], { 2: user(res("1"), res("2")), 3: model(text("a")) }],
    ["a message left without blocks is not shown", log, [edit(strip(place(3, 0), place(3, 1)), at)], { 3: null }],
    ["also if two edits leave it without", log, [edit(strip(place(3, 0)), 4), edit(strip(place(3, 1)), at)], { 3: null }],
    ["a message that is a string is not shown", log.toSpliced(3, 1, says("x")), [edit(strip(place(3)), at)], { 3: null }],
    ["the last message is kept", log, [edit(strip(place(4)), at)], {}],
    ["and stays, when the log has grown", [...log, says("ok"), asks("more")], [edit(strip(place(4)), at)], {}],
    [
      "the message before a system message is kept",
      [asks("q"), says("x"), asks("y"), { role: "system", content: "s" }, says("z"), asks("n")],
      [edit(strip(place(2)), 6)],
      {},
    ],
  ]);
});

describe("replace-block", () => {
  check([
    ["shows a text", log, [edit(replace(3, 0, "short"), at)], { 3: model(text("short"), text("b")) }],
    [
      "in place of an image",
      [user(block("image", { source: {}, ...marker }), text("q"))],
      [edit(replace(0, 0, "[image]"), 1)],
      { 0: user(text("[image]", marker), text("q")) },
    ],
    ["in a message that is a string", log, [edit(replace(0, 0, "short"), at)], { 0: asks("short") }],
    ["empty is shown as [empty]", log, [edit(replace(3, 0, ""), at)], { 3: model(text("[empty]"), text("b")) }],
    ["blank is shown as [empty]", log, [edit(replace(0, 0, " "), at)], { 0: asks("[empty]") }],
    [
      "a call takes its result along, its neighbours stay",
      log,
      [edit(replace(1, 1, "I read it."), at)],
      { 1: model(text("Both."), text("I read it."), use("2")), 2: user(res("2"), text("Use tabs!")) },
    ],
    [
      "a call whose result is alone takes the message along",
      [asks("q"), model(use("1")), user(res("1")), says("x"), asks("n")],
      [edit(replace(1, 0, "I read it."), 5)],
      { 1: model(text("I read it.")), 2: null },
    ],
    [
      "a call whose result is the last message takes it along: a result without its call is refused (A2.2)",
      [asks("q"), model(use("1")), user(res("1"))],
      [edit(replace(1, 0, "I read it."), 3)],
      { 1: model(text("I read it.")), 2: null },
    ],
    [
      "it stays away when the log has grown",
      [asks("q"), model(use("1")), user(res("1")), says("x"), asks("n")],
      [edit(replace(1, 0, "I read it."), 3)],
      { 1: model(text("I read it.")), 2: null },
    ],
    [
      "a system message behind the result goes with it",
      [asks("q"), model(use("1")), user(res("1")), { role: "system", content: "s" }, says("x"), asks("n")],
      [edit(replace(1, 0, "I read it."), 6)],
      { 1: model(text("I read it.")), 2: null, 3: null },
    ],
    [
      "a call with a repeated id takes its own result",
      [asks("q"), model(use("1")), user(res("1")), model(use("1")), user(res("1")), asks("n")],
      [edit(replace(3, 0, "again"), 6)],
      { 3: model(text("again")), 4: null },
    ],
    [
      "a later edit of the call brings its result back",
      log,
      [edit(replace(1, 1, "I read it."), 4), edit(input(1, 1, {}), at)],
      { 1: model(text("Both."), use("1", {}), use("2")) },
    ],
  ]);
});

describe("collapse-round", () => {
  const thinking = block("thinking", { thinking: "", signature: "s" });
  const round = [asks("q"), model(thinking, text("Look:"), use("1")), user(res("1"), text("Use tabs!")), says("x"), asks("n")];
  check([
    [
      "the note follows the text, thinking goes, words beside the result stay",
      round,
      [edit(collapse(1, 2, "line"), 5)],
      { 1: model(text("Look:"), text("line")), 2: user(text("Use tabs!")) },
    ],
    [
      "alone it is a string",
      [asks("q"), model(use("1")), user(res("1")), says("x"), asks("n")],
      [edit(collapse(1, 2, "line"), 5)],
      { 1: says("line"), 2: null },
    ],
    [
      "results in two messages",
      [asks("q"), model(use("1"), use("2")), user(res("2")), user(res("1")), says("x"), asks("n")],
      [edit(collapse(1, 3, "line"), 6)],
      { 1: says("line"), 2: null, 3: null },
    ],
    [
      "results in two messages, in the order of their calls",
      [asks("q"), model(use("1"), use("2")), user(res("1")), user(res("2")), says("x"), asks("n")],
      [edit(collapse(1, 3, "line"), 6)],
      { 1: says("line"), 2: null, 3: null },
    ],
    [
      "a call that was never answered goes with the others",
      [asks("q"), model(use("1"), use("2")), user(res("1")), says("x"), asks("n")],
      [edit(collapse(1, 2, "line"), 5), edit(replace(3, 0, "y"), 5)],
      { 1: says("line"), 2: null, 3: says("y") },
    ],
    ["an empty note is shown as [empty]", round, [edit(collapse(1, 2, ""), 5)], { 1: model(text("Look:"), text("[empty]")), 2: user(text("Use tabs!")) }],
    [
      "swallows an edit of its result, in any order",
      round,
      [edit(result(2, 0, "1", "short"), 5), edit(collapse(1, 2, "line"), 5)],
      { 1: model(text("Look:"), text("line")), 2: user(text("Use tabs!")) },
    ],
    [
      "the latest shows",
      round,
      [edit(collapse(1, 2, "new"), 5), edit(collapse(1, 2, "old"), 4)],
      { 1: model(text("Look:"), text("new")), 2: user(text("Use tabs!")) },
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
  assert.deepEqual(render([asks("q"), odd, asks("n")], [edit(replace(1, 2, "c"), 3)])[1], {
    ...odd,
    content: [block("block_of_next_year", { x: [1] }), text("a"), text("c")],
  });
});
