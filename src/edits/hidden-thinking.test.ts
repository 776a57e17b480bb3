import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, text, think, use, user } from "../../test/support/build.ts";
import { indexLog } from "../messages/index-log.ts";
import type { Block, Message } from "../messages/message.ts";
import { DEFAULT_TARGET, type Target } from "../messages/target.ts";
import type { Proposal } from "./edit.ts";
import { hiddenThinking } from "./hidden-thinking.ts";

const thought: Block = think("s", "Hm.");
const so: Block = text("So.");
const q = user("q");

/** A turn of three calls with thinking before each, its end, and another question and answer. */
const LOG: readonly Message[] = [
  q,
  assistant(thought, use("a")),
  user(res("a")),
  assistant(thought, so, use("b")),
  user(res("b")),
  assistant(thought, use("c")),
  user(res("c")),
  assistant(thought, so),
  q,
  assistant(thought, so),
];

const cut = (position: number, id: string, madeAt: number, more: object = {}): Proposal => ({
  kind: "replace-result",
  at: { position, block: 0 },
  callId: id,
  form: "stub",
  content: "short",
  pass: "t",
  reason: "r",
  madeAt,
  ...more,
});
const strip = (madeAt: number, ...at: readonly (readonly [position: number, block: number])[]): Proposal => ({
  kind: "strip-blocks",
  at: at.map(([position, block]) => ({ position, block })),
  pass: "t",
  reason: "r",
  madeAt,
});

/** The positions of the thinking that is hidden. */
function hidden(
  edits: readonly Proposal[],
  { log = LOG, ...target }: { readonly log?: readonly Message[]; readonly seenFrom?: number } & Partial<Target> = {},
): number[] {
  const index = indexLog(log);
  const editAt = hiddenThinking(log, index, edits, { ...DEFAULT_TARGET, seenFrom: 0, ...target });
  return index.thinking.filter((at) => editAt(at) !== undefined).map(({ position }) => position);
}

describe("thinking that an edit hides", () => {
  test("comes after the edit and was produced before it", () => assert.deepEqual(hidden([cut(2, "a", 8)]), [3, 5, 7]));
  test("is all that was produced before our views were seen", () => assert.deepEqual(hidden([cut(2, "a", 2)], { seenFrom: 9 }), [3, 5, 7]));
  test("is none where the edit was there from the start", () => assert.deepEqual(hidden([cut(2, "a", 3)]), []));
  test("is none where nothing is bound", () => assert.deepEqual(hidden([cut(2, "a", 8)], { bindsThinking: false }), []));
  test("is that of the whole open turn, if the edit lies in it", () => assert.deepEqual(hidden([cut(4, "b", 7)]), [1, 3, 5]));
  test("is none of the open turn, if no thinking follows the edit yet", () => assert.deepEqual(hidden([cut(6, "c", 7)]), []));
});

describe("when an edit was made", () => {
  const words: Proposal = { kind: "replace-block", at: { position: 0, block: 0 }, text: "q?", pass: "t", reason: "r", madeAt: 1 };

  test("counts from the start of the log on", () => {
    assert.deepEqual(hidden([words], { seenFrom: 10 }), [1, 3, 5, 7, 9]);
    assert.deepEqual(hidden([words]), []);
    assert.deepEqual(hidden([cut(2, "a", 0)]), []);
  });
  test("before anything was thought, it hides nothing", () => {
    const log: readonly Message[] = [q, assistant(use("a")), user(res("a")), assistant(thought, use("b")), user(res("b"))];
    assert.deepEqual(hidden([cut(2, "a", 3)], { log }), []);
  });
  test("right after calls that wait for their results, their turn is open", () => {
    const log: readonly Message[] = [q, assistant(thought, use("a")), user(res("a")), assistant(thought, use("b"))];
    assert.deepEqual(hidden([strip(4, [1, 0])], { log, bindsThinking: false }), [1, 3]);
  });
});

describe("a range that begins right after thinking takes it along, because it may not be left last", () => {
  const range = (from: readonly [number, number], to: number, madeAt: number): Proposal => ({
    kind: "replace-range",
    from: { position: from[0], block: from[1] },
    to: { position: to, block: 0 },
    role: "user",
    summary: "S.",
    pass: "t",
    reason: "r",
    madeAt,
  });
  test("in the same message", () => {
    assert.deepEqual(hidden([range([3, 1], 5, 10)]), [3, 5, 7, 9]);
    assert.deepEqual(hidden([range([3, 2], 5, 10)]), [5, 7, 9]);
  });
  test("in the message before", () => {
    const log: readonly Message[] = [q, assistant(so, thought, thought), assistant(so), q];
    assert.deepEqual(hidden([range([2, 0], 3, 4)], { log }), [1, 1]);
    assert.deepEqual(hidden([range([3, 0], 4, 4)], { log }), []);
  });
});

describe("several edits", () => {
  test("each hide their own, also where one of them was made in a turn that was open then", () => {
    const [late, inTurn] = [cut(4, "b", 10), cut(4, "b", 7)];
    assert.deepEqual(hidden([late]), [5, 7, 9]);
    assert.deepEqual(hidden([inTurn]), [1, 3, 5]);
    assert.deepEqual(hidden([late, inTurn]), [1, 3, 5, 7, 9]);
    assert.deepEqual(hidden([inTurn, late]), [1, 3, 5, 7, 9]);
    assert.deepEqual(hidden([strip(10, [1, 0]), cut(2, "a", 7)]), [1, 3, 5, 7, 9]);
  });
  test("do not shorten what another hides", () => {
    assert.deepEqual(hidden([cut(4, "b", 8), cut(2, "a", 10)]), [3, 5, 7, 9]);
    assert.deepEqual(hidden([cut(2, "a", 10), cut(4, "b", 8)]), [3, 5, 7, 9]);
  });
  test("of one time: the first in the log is named", () => {
    const [early, late] = [cut(2, "a", 8), cut(6, "c", 8)];
    const editAt = hiddenThinking(LOG, indexLog(LOG), [late, early], { ...DEFAULT_TARGET, seenFrom: 0 });
    assert.equal(editAt({ position: 7, block: 0 }), early);
  });
  test("hide what the first of them in the log does, in whatever order they come", () => {
    const [early, late] = [cut(2, "a", 8), cut(6, "c", 8)];
    assert.deepEqual(hidden([late]), [7]);
    assert.deepEqual(hidden([early, late]), [3, 5, 7]);
    assert.deepEqual(hidden([late, early]), [3, 5, 7]);
  });
  test("hide what the last of them in time does", () => {
    assert.deepEqual(hidden([cut(2, "a", 8), cut(2, "a", 10)]), [3, 5, 7, 9]);
    assert.deepEqual(hidden([cut(2, "a", 10), cut(2, "a", 8)]), [3, 5, 7, 9]);
  });
  test("are told apart by their blocks, too", () => {
    const log: readonly Message[] = [q, assistant(so, thought, so), q];
    assert.deepEqual(hidden([strip(3, [1, 2])], { log }), []);
    assert.deepEqual(hidden([strip(3, [1, 2]), strip(3, [1, 0])], { log }), [1]);
    assert.deepEqual(hidden([strip(3, [1, 0]), strip(3, [1, 2])], { log }), [1]);
  });
});

describe("rounds that are collapsed at one time", () => {
  const collapse = (call: number, madeAt: number, more: object = {}): Proposal => ({
    kind: "collapse-round",
    call,
    lastResult: call + 1,
    note: "line",
    pass: "t",
    reason: "r",
    madeAt,
    ...more,
  });
  const first = collapse(1, 8);
  const second = collapse(3, 8);
  const SAME = [3, 5, 7];

  test("hide what the first of them does", () => assert.deepEqual(hidden([first, second, collapse(5, 8)]), hidden([first])));
  test("hide it in any order", () => assert.deepEqual(hidden([second, collapse(5, 8), first]), hidden([first])));
  test("hide no less beside one of a later time", () => {
    assert.deepEqual(hidden([first, second, collapse(5, 10)]), [...SAME, 9]);
    assert.deepEqual(hidden([first, second, cut(6, "c", 10)]), [...SAME, 9]);
  });
  test("hide no less beside one that was undone since", () => assert.deepEqual(hidden([first, second, collapse(5, 8, { undoneAt: 10 })]), [...SAME, 9]));
});

describe("an edit that was undone", () => {
  test("hides what was produced while it was in force", () => assert.deepEqual(hidden([cut(2, "a", 4, { undoneAt: 8 })]), [5, 7]));
  test("hides the turn that is open when it is undone", () => assert.deepEqual(hidden([cut(2, "a", 4, { undoneAt: 7 })]), [1, 3, 5]));
  test("hides nothing that the model never saw it under", () => {
    assert.deepEqual(hidden([cut(2, "a", 8, { undoneAt: 8 })]), []);
    assert.deepEqual(hidden([cut(2, "a", 4, { undoneAt: 8 })], { seenFrom: 8 }), []);
  });
  test("at the end of the log is undone", () => assert.deepEqual(hidden([cut(2, "a", 4, { undoneAt: 10 })]), [5, 7, 9]));
  test("takes no thinking of an open turn any more", () =>
    assert.deepEqual(hidden([{ ...strip(5, [3, 0]), undoneAt: 7 }], { log: LOG.slice(0, 7), bindsThinking: false }), []));
  test("is in force until then", () => assert.deepEqual(hidden([cut(2, "a", 8, { undoneAt: 20 })]), [3, 5, 7]));
});

describe("a response of several messages is one", () => {
  const log: readonly Message[] = [q, assistant(thought, use("a")), user(res("a")), assistant(thought, so), assistant(thought, so), q];

  test("so an edit made between them shows from the next request on", () => assert.deepEqual(hidden([cut(2, "a", 4)], { log }), [3, 4]));
  test("and so does an undo", () => assert.deepEqual(hidden([cut(2, "a", 3, { undoneAt: 4 })], { log }), [3, 4]));
});

describe("an edit that takes thinking of an open turn takes all of it", () => {
  const open = LOG.slice(0, 7);

  test("also where nothing is bound", () => {
    assert.deepEqual(hidden([strip(7, [3, 0])], { log: open, bindsThinking: false }), [1, 3, 5]);
    assert.deepEqual(hidden([strip(7, [3, 1], [3, 0])], { log: open, bindsThinking: false }), [1, 3, 5]);
    assert.deepEqual(hidden([strip(7, [3, 1])], { log: open, bindsThinking: false }), []);
  });
  test("as a collapsed round does, and a range over one", () => {
    const round = { kind: "collapse-round", call: 3, lastResult: 4, note: "line", pass: "t", reason: "r", madeAt: 7 } as Proposal;
    assert.deepEqual(hidden([round], { log: open, bindsThinking: false }), [1, 3, 5]);
    const range = (from: number, to: number): Proposal => ({
      kind: "replace-range",
      from: { position: from, block: 0 },
      to: { position: to, block: 0 },
      role: "user",
      summary: "S.",
      pass: "t",
      reason: "r",
      madeAt: 7,
    });
    assert.deepEqual(hidden([range(3, 5)], { log: open, bindsThinking: false }), [1, 3, 5]);
    assert.deepEqual(hidden([range(4, 5)], { log: open, bindsThinking: false }), []);
  });
  test("but other blocks take none, though thinking elsewhere has their number", () => {
    const later: readonly Message[] = [q, assistant(thought, use("a")), user(res("a")), assistant(so, use("b")), user(res("b"))];
    assert.deepEqual(hidden([strip(5, [3, 0])], { log: later, bindsThinking: false }), []);
    const earlier: readonly Message[] = [q, assistant(so, use("a")), user(res("a")), assistant(thought, use("b")), user(res("b"))];
    assert.deepEqual(hidden([strip(5, [1, 0])], { log: earlier, bindsThinking: false }), []);
  });
  test("but not a round before it", () => {
    const next: readonly Message[] = [...LOG, q, assistant(thought, use("d")), user(res("d"))];
    const round = { kind: "collapse-round", call: 1, lastResult: 2, note: "line", pass: "t", reason: "r", madeAt: next.length } as Proposal;
    assert.deepEqual(hidden([round], { log: next, bindsThinking: false }), []);
  });
  test("but not one before it", () => {
    const next: readonly Message[] = [...LOG, q, assistant(thought, use("d")), user(res("d"))];
    assert.deepEqual(hidden([strip(next.length, [9, 0])], { log: next, bindsThinking: false }), []);
  });
});
