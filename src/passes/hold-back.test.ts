import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, results, think, use, user } from "../../test/support/build.ts";
import { indexLog } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { DEFAULT_TARGET, type Target } from "../messages/target.ts";
import { frozenStretch, isFrozen, newestResponse, newestRound, responseAround } from "./hold-back.ts";

const thought = think("s", "");
const q = user("q");
const said = assistant("a");

describe("what is held back", () => {
  const frozen = (log: readonly Message[], target: Partial<Target> = {}): unknown =>
    frozenStretch(log, { index: indexLog(log), target: { ...DEFAULT_TARGET, thinking: "manual", ...target } });
  // The last thinking of the loop is at 5, in a response of two messages.
  const open = [q, said, q, assistant(thought, use("a")), results("a"), assistant(thought, use("b")), said, results("b")];

  test("in manual mode all before the last thinking of an open loop, or the loop up to it where thinking is not bound", () => {
    assert.deepEqual(frozen(open), { from: 0, to: 6 });
    assert.deepEqual(frozen(open, { bindsThinking: false }), { from: 3, to: 6 });
    assert.deepEqual(frozen(open, { dropBlock: true }), { from: 3, to: 6 });
  });
  test("nothing in other modes, without a loop, and without thinking in it", () => {
    assert.equal(frozen(open, { thinking: "adaptive" }), undefined);
    assert.equal(frozen([...open, said]), undefined);
    assert.equal(frozen([q, assistant(use("a")), results("a")]), undefined);
    assert.equal(frozen([q, assistant(thought, use("a")), results("a"), said, q, assistant(use("b")), results("b")]), undefined);
  });
  test("a position is, from the first to the last", () => {
    assert.deepEqual(
      [2, 3, 4, 6, 7].map((position) => isFrozen({ from: 3, to: 6 }, position)),
      [false, true, true, true, false],
    );
    assert.equal(isFrozen(undefined, 0), false);
  });
  test("the newest round begins with the response that its results answer", () => {
    const newest = (log: readonly Message[]): number => newestRound(log, { index: indexLog(log), target: DEFAULT_TARGET });
    assert.deepEqual([newest(open), newest([...open, said]), newest([q]), newest([])], [5, 9, 1, 0]);
    // A log may begin with it if the rest was cut off elsewhere.
    assert.equal(newest([assistant(use("a")), results("a")]), 0);
  });
  test("a response is all neighbouring messages of the assistant", () => {
    assert.deepEqual(newestResponse([said, said, q]), { from: 0, to: 1 });
    assert.deepEqual(newestResponse([q, said, said]), { from: 1, to: 2 });
    assert.equal(newestResponse([q]), undefined);
    assert.deepEqual(newestResponse([said, said, q, said, q], 3), { from: 0, to: 1 });
    assert.equal(newestResponse([q, said], 1), undefined);
    assert.deepEqual(
      [0, 1, 2, 3].map((position) => responseAround([said, said, q, said], position)),
      [{ from: 0, to: 1 }, { from: 0, to: 1 }, { from: 2, to: 2 }, { from: 3, to: 3 }], // prettier-ignore
    );
  });
});
