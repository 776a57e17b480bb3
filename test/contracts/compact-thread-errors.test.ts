import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compactThread, PalimpsestError, type Block, type CompactThreadOptions, type ErrorCode, type Message, type Replacement } from "../../src/index.ts";
import { assistant, res, text, think, use, user } from "../support/build.ts";
import { deepFreeze } from "../support/transcripts.ts";

const mark = (letter: string): Block => text(`<checkpoint:${letter.repeat(6)}>`);
const thinks = (id: string): Message => assistant(think(id, ""), use(id));

const [a, b, c, d] = ["aaaaaa", "bbbbbb", "cccccc", "dddddd"];
const thread = deepFreeze([
  user(text("q"), mark("a")),
  assistant("1"),
  user(text("r"), mark("b")),
  assistant("2"),
  user(text("s"), mark("c")),
  assistant("3"),
  user(text("t"), mark("d")),
]);
const all = [a, b, c, d];

type Row = readonly [
  what: string,
  code: ErrorCode,
  replacements: readonly Replacement[],
  data: object,
  messages?: readonly Message[],
  options?: CompactThreadOptions,
];

const twice = [...thread, assistant("4"), user(mark("b"))];
const summary = "S.";
const assistantMark: readonly Message[] = [user(text("q"), mark("a")), assistant(mark("b")), user(text("r"))];
const openLoop = [user(text("q"), mark("a")), thinks("1"), user(res("1"), mark("b")), thinks("2"), user(res("2"), mark("c"))];

const ROWS: readonly Row[] = [
  ["an unknown `to`", "CHECKPOINT_UNKNOWN", [{ from: a, to: "zzzzzz", summary }], { id: "zzzzzz", checkpoints: all }],
  ["an unknown `from`", "CHECKPOINT_UNKNOWN", [{ from: "zzzzzz", summary }], { id: "zzzzzz", checkpoints: all }],
  ["the mark in place of the id", "CHECKPOINT_UNKNOWN", [{ from: "<checkpoint:aaaaaa>", summary }], { id: "<checkpoint:aaaaaa>", checkpoints: all }],
  ["an id that is a member of every object", "CHECKPOINT_UNKNOWN", [{ from: "toString", summary }], { id: "toString", checkpoints: all }],
  ["a look-alike of the assistant", "CHECKPOINT_UNKNOWN", [{ to: b, summary }], { id: b, checkpoints: [a] }, assistantMark],
  ["a thread without checkpoints", "CHECKPOINT_UNKNOWN", [{ to: b, summary }], { id: b, checkpoints: [] }, [user(text("q")), assistant("x")]],
  ["an id that occurs twice", "CHECKPOINT_AMBIGUOUS", [{ from: b, to: c, summary }], { id: b, positions: [2, 8], checkpoints: [a, c, d] }, twice],
  ["a reversed range", "RANGE_REVERSED", [{ from: c, to: a, summary }], { from: c, to: a, id: c, checkpoints: all }],
  ["from and to are equal", "RANGE_EMPTY", [{ from: b, to: b, summary }], { from: b, to: b, id: b, checkpoints: all }],
  ["nothing after the last checkpoint", "RANGE_EMPTY", [{ from: d, summary }], { from: d, to: undefined, id: d, checkpoints: all }],
  [
    "crossing replacements",
    "OVERLAPPING_RANGES",
    [
      { from: a, to: c, summary },
      { from: b, to: d, summary: "T." },
    ],
    { first: { from: a, to: c, summary }, second: { from: b, to: d, summary: "T." } },
  ],
  [
    "nested replacements",
    "OVERLAPPING_RANGES",
    [
      { from: b, to: c, summary: "T." },
      { from: a, to: d, summary },
    ],
    { first: { from: a, to: d, summary }, second: { from: b, to: c, summary: "T." } },
  ],
  [
    "the same replacement twice",
    "OVERLAPPING_RANGES",
    [
      { from: a, to: b, summary },
      { from: a, to: b, summary },
    ],
    { first: { from: a, to: b, summary }, second: { from: a, to: b, summary } },
  ],
  [
    "a nested one with an open end",
    "OVERLAPPING_RANGES",
    [{ summary }, { from: a, to: b, summary }],
    { first: { summary }, second: { from: a, to: b, summary } },
  ],
  ["no replacements", "INVALID_INPUT", [], { path: "replacements", expected: "at least one replacement { from?, to?, summary }", found: "an array of 0" }],
  ["everything deleted", "EMPTY_THREAD", [{ summary: "" }], {}],
  ["everything deleted with a blank", "EMPTY_THREAD", [{ summary: " \n" }], {}],
  [
    "everything deleted in two pieces",
    "EMPTY_THREAD",
    [
      { to: b, summary: "" },
      { from: b, summary: "" },
    ],
    {},
  ],
  [
    "in manual mode, before the thinking of an open loop",
    "LOOP_OPEN",
    [{ from: a, to: b, summary }],
    { before: 3 },
    openLoop,
    { target: { thinking: "manual" } },
  ],
  ["in manual mode, up to the end of an open loop", "LOOP_OPEN", [{ from: a, summary }], { before: 3 }, openLoop, { target: { thinking: "manual" } }],
];

describe("compactThread throws", () => {
  for (const [what, code, replacements, data, messages = thread, options] of ROWS) {
    test(`${code}: ${what}`, () => {
      deepFreeze(messages);
      deepFreeze(replacements);
      const before = JSON.stringify(messages);
      assert.throws(
        () => compactThread(messages, replacements, options),
        (error: unknown) => {
          assert.ok(error instanceof PalimpsestError);
          assert.equal(error.code, code);
          assert.deepEqual(error.data, data);
          return true;
        },
      );
      assert.equal(JSON.stringify(messages), before);
    });
  }

  test("one bad replacement among good ones changes nothing", () => {
    assert.throws(
      () =>
        compactThread(thread, [
          { from: a, to: b, summary },
          { from: c, to: "zzzzzz", summary },
        ]),
      { code: "CHECKPOINT_UNKNOWN" },
    );
  });

  test("its message says what can be done", () => {
    assert.throws(() => compactThread(thread, [{ from: "zzzzzz", summary }]), {
      message: 'There is no checkpoint "zzzzzz". Use one of: aaaaaa, bbbbbb, cccccc, dddddd.',
    });
    assert.throws(() => compactThread(thread, [{ from: c, to: a, summary }]), { message: "Checkpoint cccccc lies after checkpoint aaaaaa: swap them." });
  });
});

describe("compactThread does not throw", () => {
  test("in adaptive mode, in an open loop", () => {
    assert.deepEqual(compactThread(openLoop, [{ from: a, to: b, summary }]), [
      user(text("q"), mark("a")),
      assistant(summary),
      assistant(use("2")),
      user(res("2"), mark("c")),
    ]);
  });

  test("in manual mode, once the turn is over", () => {
    const over = [...openLoop, assistant("done"), user(text("next"))];
    assert.deepEqual(compactThread(over, [{ from: a, to: c, summary }], { target: { thinking: "manual" } }), [
      user(text("q"), mark("a")),
      assistant(summary),
      assistant("done"),
      user(text("next")),
    ]);
  });

  test("for an ambiguous id that is not asked for", () => {
    assert.deepEqual(compactThread(twice, [{ from: a, to: c, summary }]).slice(0, 2), [user(text("q"), mark("a")), assistant(summary)]);
  });

  test("for orphans that are in the thread already", () => {
    const orphans = [user(text("q"), mark("a")), user(res("none")), assistant("x"), user(mark("b")), assistant("y")];
    assert.deepEqual(compactThread(orphans, [{ from: a, to: b, summary }]), [user(text("q"), mark("a")), assistant(summary), assistant("y")]);
  });
});
