import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, block, res, text, think, use, user } from "../../test/support/build.ts";
import { PalimpsestError, type ErrorCode } from "../errors/palimpsest-error.ts";
import { blocksOf, type Message } from "../messages/message.ts";
import { makeEdit, type Edit, type EditDraft } from "./edit.ts";
import { render } from "./render.ts";
import { report } from "./report.ts";

const log: readonly Message[] = [
  user("q"),
  assistant(think("s", ""), text("a"), use("a", "x")),
  user(res("a"), text("b")),
  { role: "system", content: [text("s"), text("t")] },
  assistant(block("server_tool_use", { id: "s", name: "web_search" }), block("web_search_tool_result", { tool_use_id: "s" }), block("fallback")),
  user(block("image", { source: {} })),
  assistant(block("server_tool_use", { id: "t", name: "code" }), use("b", "x", {}, { caller: { tool_id: "t" } })),
  user(res("b", "no", { is_error: true })),
];
const madeAt = log.length;

/** Any value passed as an edit. */
const given = (fields: object): Edit => ({ id: "e", pass: "test", reason: "because", madeAt, tokensBefore: 0, tokensAfter: 0, ...fields }) as unknown as Edit;
const place = (position: number, number = 0): object => ({ position, block: number });
const result = (at: object, more: object = {}): Edit => given({ kind: "replace-result", at, callId: "a", form: "stub", content: "short", ...more });
const range = (from: object, to: object, more: object = {}): Edit => given({ kind: "replace-range", from, to, role: "user", summary: "S.", ...more });
const strip = (...at: object[]): Edit => given({ kind: "strip-blocks", at });
const replace = (at: object, shown: unknown = "short"): Edit => given({ kind: "replace-block", at, text: shown });
const collapse = (call: unknown, lastResult: unknown, note: unknown = "line"): Edit => given({ kind: "collapse-round", call, lastResult, note });

const NEITHER = "a block that is neither a call nor a result";
const REPLACEABLE = "a text, image, document or tool_use block";
const PLACE = "a place { position, block }";

type Row = readonly [what: string, edit: unknown, path: string, expected: string, found: unknown];

const ROWS: readonly Row[] = [
  ["null", null, "edits.0", "an edit", "null"],
  ["an unknown kind", given({ kind: "redact" }), "edits.0.kind", "a kind of edit", '"redact"'],
  ["no kind", given({}), "edits.0.kind", "a kind of edit", "undefined"],
  ["madeAt below 0", { ...result(place(2)), madeAt: -1 }, "edits.0.madeAt", "a length of the log", "-1"],
  ["madeAt that is no whole number", { ...result(place(2)), madeAt: 1.5 }, "edits.0.madeAt", "a length of the log", "1.5"],
  ["undoneAt that is no number", { ...result(place(2)), undoneAt: "now" }, "edits.0.undoneAt", "a length of the log", '"now"'],
  ["a place that is none", result([2, 0]), "edits.0.at", PLACE, "an array of 2"],
  ["a place below 0", result(place(2, -1)), "edits.0.at", PLACE, "an object with the keys position, block"],
  ["a position after the log", result(place(8)), "edits.0.at.position", "a position of the log, 0 to 7", "8"],
  ["a position below 0", result(place(-1)), "edits.0.at.position", "a position of the log, 0 to 7", "-1"],
  ["a block after the message", result(place(2, 2)), "edits.0.at", "a block of the message, 0 to 1", "position 2, block 2"],
  ["a result in an assistant message", result(place(1, 2)), "edits.0.at", "a block of a message of the user", "position 1, block 2"],
  ["a result where text is", result(place(2, 1)), "edits.0.at", "the place of a tool_result block", "position 2, block 1"],
  ["another call's result", result(place(2), { callId: "b" }), "edits.0.callId", '"a"', '"b"'],
  ["content that is a number", result(place(2), { content: 7 }), "edits.0.content", "a string or an array of blocks", "7"],
  ["content with a bad block", result(place(2), { content: [text("x"), {}] }), "edits.0.content.1", "a block with a type", "an object with the keys (none)"],
  [
    "a call as content of a result",
    result(place(2), { content: [block("tool_use", { id: "z", name: "x" })] }),
    "edits.0.content.0.type",
    "a block that a result may hold",
    '"tool_use"',
  ],
  [
    "an image as content of an error",
    result(place(7), { callId: "b", content: [block("image")] }),
    "edits.0.content.0.type",
    '"text", as in every error',
    '"image"',
  ],
  [
    "an input where text is",
    given({ kind: "replace-input", at: place(1, 1), input: {} }),
    "edits.0.at",
    "the place of a tool_use block",
    "position 1, block 1",
  ],
  ["an input after the log", given({ kind: "replace-input", at: place(8), input: {} }), "edits.0.at.position", "a position of the log, 0 to 7", "8"],
  ["an input that is a list", given({ kind: "replace-input", at: place(1, 2), input: [] }), "edits.0.input", "an object", "an array of 0"],
  ["no places to strip", strip(), "edits.0.at", "a list of places", "an array of 0"],
  [
    "one place in place of a list",
    given({ kind: "strip-blocks", at: place(2, 1) }),
    "edits.0.at",
    "a list of places",
    "an object with the keys position, block",
  ],
  ["stripping a call", strip(place(2, 1), place(1, 2)), "edits.0.at.1", NEITHER, "position 1, block 2"],
  ["stripping a result", strip(place(2)), "edits.0.at.0", NEITHER, "position 2, block 0"],
  ["stripping a server call", strip(place(4)), "edits.0.at.0", NEITHER, "position 4, block 0"],
  ["stripping a server result", strip(place(4, 1)), "edits.0.at.0", NEITHER, "position 4, block 1"],
  ["stripping a system message", strip(place(3)), "edits.0.at.0", "a user or assistant message: system messages are never edited", "position 3, block 0"],
  [
    "stripping what has to stay in its place",
    strip(place(4, 2)),
    "edits.0.at.0",
    "anything but a fallback block, which has to stay in its place",
    "position 4, block 2",
  ],
  ["replacing thinking", replace(place(1)), "edits.0.at", REPLACEABLE, "position 1, block 0"],
  ["replacing a result", replace(place(2)), "edits.0.at", REPLACEABLE, "position 2, block 0"],
  ["replacing a server call", replace(place(4)), "edits.0.at", REPLACEABLE, "position 4, block 0"],
  [
    "text in place of a call that the provider made",
    replace(place(6, 1)),
    "edits.0.at",
    "a call that no tool of the provider made or waits for",
    "position 6, block 1",
  ],
  ["replacing a system message", replace(place(3)), "edits.0.at", "a user or assistant message: system messages are never edited", "position 3, block 0"],
  ["a text that is none", replace(place(1, 1), 7), "edits.0.text", "a string", "7"],
  ["a second block of a string", replace(place(0, 1)), "edits.0.at", "a block of the message, 0 to 0", "position 0, block 1"],
  ["a round that begins with the user", collapse(0, 2), "edits.0.call", "the position of an assistant message with a tool_use", "0"],
  ["a round without a call", collapse(4, 5), "edits.0.call", "the position of an assistant message with a tool_use", "4"],
  ["a round with a server tool", collapse(6, 7), "edits.0.call", "a turn without tools that the provider runs", "6"],
  ["a round that ends before it begins", collapse(1, 0), "edits.0.lastResult", "a position after 1", "0"],
  ["a round that ends after the log", collapse(1, 9), "edits.0.lastResult", "a position of the log, 0 to 7", "9"],
  ["a note that is none", collapse(1, 2, null), "edits.0.note", "a string", "null"],
  ["a summary that is none", range(place(1), place(2), { summary: 7 }), "edits.0.summary", "a string", "7"],
  ["a role that is none", range(place(1), place(2), { role: "system" }), "edits.0.role", '"assistant" or "user"', '"system"'],
  ["a range that begins after the log", range(place(9), place(9)), "edits.0.from.position", "a position of the log, 0 to 7", "9"],
  ["a range that ends after the log", range(place(1), place(8, 1)), "edits.0.to.position", "a position of the log, 0 to 7", "8"],
  ["a border after the blocks", range(place(1), place(2, 3)), "edits.0.to", "at most block 2", "position 2, block 3"],
  [
    "a range that divides a system message",
    range(place(1), place(3, 1)),
    "edits.0.to",
    "a border that does not divide a system message",
    "position 3, block 1",
  ],
];

function refused(edits: readonly unknown[], code: ErrorCode, data: object, message: string, given = log): void {
  for (const show of [render, report]) {
    assert.throws(
      () => show(given, edits as Edit[]),
      (error: unknown) => {
        assert.ok(error instanceof PalimpsestError, String(error));
        assert.equal(error.code, code);
        assert.deepEqual(error.data, data);
        assert.equal(error.message, message);
        return true;
      },
    );
  }
}

describe("an edit that does not fit the log is refused", () => {
  const unfit = (edits: readonly unknown[], [path, expected, found]: readonly [path: string, expected: string, found: unknown], given = log): void =>
    refused(edits, "INVALID_INPUT", { path, expected, found }, `${path}: expected ${expected}, found ${String(found)}`, given);

  for (const [what, edit, path, expected, found] of ROWS) test(what, () => unfit([edit], [path, expected, found]));
  for (const type of ["tool_result", "thinking", "redacted_thinking"])
    test(`${type} as content of a result`, () => {
      const inner = block(type, { tool_use_id: "z", thinking: "", signature: "s", data: "d" });
      unfit([result(place(2), { content: [inner] })], ["edits.0.content.0.type", "a block that a result may hold", `"${type}"`]);
    });
  for (const type of ["mcp_tool_listing", "compaction"])
    test(`stripping ${type}, which has to stay in its place`, () => {
      const fixed: readonly Message[] = [user("q"), assistant(text("a"), block(type))];
      const stripped = { ...strip(place(1, 1)), madeAt: fixed.length };
      unfit([stripped], ["edits.0.at.0", `anything but a ${type} block, which has to stay in its place`, "position 1, block 1"], fixed);
    });
  for (const [what, calls] of [
    ["a call that a tool of the provider's made", [use("a", "x", {}, { caller: { tool_id: "t" } })]],
    ["a call beside a tool of the provider's", [use("a", "x"), block("server_tool_use", { id: "s", name: "web_search" })]],
  ] as const)
    test(`a round with ${what}`, () => {
      const mixed: readonly Message[] = [user("q"), { role: "assistant", content: calls }, user(res("a"))];
      unfit([{ ...collapse(1, 2), madeAt: mixed.length }], ["edits.0.call", "a turn without tools that the provider runs", "1"], mixed);
    });

  test("a round whose position is text of the assistant's", () => {
    const spoken: readonly Message[] = [user("q"), assistant("a"), user("b")];
    unfit([{ ...collapse(1, 2), madeAt: 3 }], ["edits.0.call", "the position of an assistant message with a tool_use", "1"], spoken);
  });
  test("a round whose call stands in a message of the user's", () => {
    const odd: readonly Message[] = [user(use("a", "x")), ...log.slice(2, 3)];
    unfit([{ ...collapse(0, 1), madeAt: 2 }], ["edits.0.call", "the position of an assistant message with a tool_use", "0"], odd);
  });
  test("a round that begins after the log", () => unfit([collapse(9, 10)], ["edits.0.call", "a position of the log, 0 to 7", "9"]));
  test("a round that ends where it begins", () => unfit([collapse(1, 1)], ["edits.0.lastResult", "a position after 1", "1"]));
  test("a place without a position, or without a block", () => {
    unfit([result({ block: 0 })], ["edits.0.at", PLACE, "an object with the keys block"]);
    unfit([result({ position: 2 })], ["edits.0.at", PLACE, "an object with the keys position"]);
    unfit([result(null as never)], ["edits.0.at", PLACE, "null"]);
  });
  test("the path names the edit", () => unfit([result(place(2)), strip(place(2))], ["edits.1.at.0", NEITHER, "position 2, block 0"]));
  test("a range without anything in it", () =>
    refused([range(place(1), place(1))], "RANGE_EMPTY", { from: place(1), to: place(1), path: "edits.0" }, "edits.0: there is nothing between from and to"));
  test("a range between two names of one border", () =>
    refused(
      [range(place(1, 3), place(2))],
      "RANGE_EMPTY",
      { from: place(1, 3), to: place(2), path: "edits.0" },
      "edits.0: there is nothing between from and to",
    ));
  test("a reversed range", () =>
    refused([range(place(2), place(1))], "RANGE_REVERSED", { from: place(2), to: place(1), path: "edits.0" }, "edits.0: from lies after to"));
  test("a round whose last result lies elsewhere", () => unfit([collapse(1, 5)], ["e.lastResult", "the position of the round's last result, 2", "5"]));
  test("a round without a result", () => {
    const waiting: readonly Message[] = [...log.slice(0, 2), user("b")];
    const round = { ...collapse(1, 2), madeAt: 3 };
    unfit([round], ["e.lastResult", "the position of the round's last result, which has none", "2"], waiting);
    const { id: _, ...proposal } = round;
    unfit([proposal], ["test collapse-round.lastResult", "the position of the round's last result, which has none", "2"], waiting);
  });

  test("an edit that is undone has to fit, too", () => unfit([{ ...strip(place(2)), undoneAt: madeAt }], ["edits.0.at.0", NEITHER, "position 2, block 0"]));
  test("a log of no messages is a length, too", () =>
    assert.deepEqual(render(log, [{ ...result(place(2)), madeAt: 0 }]), render(log, [result(place(2))], { bindsThinking: false })));
  test("a border after a system message does not divide it", () =>
    assert.deepEqual(render(log, [range(place(1), place(3, 2))]), render(log, [range(place(1), place(4))])));
  test("an edit that is not made yet need not fit: its place may not be there", () =>
    assert.equal(render(log, [{ ...result(place(20)), madeAt: 21 }]).length, log.length));

  test("a call that waits with one of the provider's, or that code made, is never text; others in the log may be", () => {
    const mine: readonly Message[] = [
      user("q"),
      assistant("Yes.", use("a")),
      user(res("a")),
      assistant(use("b"), block("server_tool_use", { id: "s", name: "web_search" }), use("c")),
      user(res("b"), res("c")),
      assistant(block("web_search_tool_result", { tool_use_id: "s", content: [] }), text("Found.")),
      user("r"),
      assistant("No.", use("d", "x", {}, { caller: { tool_id: "not in the log" } })),
      user(res("d")),
    ];
    const asText = (position: number, number: number): Edit => ({ ...replace(place(position, number)), madeAt: mine.length });
    const expected = "a call that no tool of the provider made or waits for";
    unfit([asText(3, 2)], ["edits.0.at", expected, "position 3, block 2"], mine);
    unfit([asText(7, 1)], ["edits.0.at", expected, "position 7, block 1"], mine);
    assert.deepEqual(render(mine, [asText(1, 1)])[1], assistant("Yes.", text("short")));
    assert.deepEqual(render(mine, [asText(3, 0)])[3], assistant(text("short"), ...blocksOf(mine[3] as Message).slice(1)));
  });

  test("crossing ranges are refused, and both are named", () => {
    const [first, second] = [
      { from: { position: 0, block: 0 }, to: { position: 3, block: 0 } },
      { from: { position: 2, block: 0 }, to: { position: 5, block: 0 } },
    ].map((borders) =>
      makeEdit({
        pass: "t",
        reason: "r",
        madeAt,
        tokensBefore: 0,
        tokensAfter: 0,
        kind: "replace-range",
        role: "user",
        summary: "S.",
        ...borders,
      } satisfies EditDraft),
    );
    const names = { first: first?.id, second: second?.id };
    refused([first, second], "OVERLAPPING_RANGES", names, `${names.first} (0.0 to 3.0) and ${names.second} (2.0 to 5.0) cross: ranges nest or are disjoint.`);
  });
});
