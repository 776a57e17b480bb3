import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createDocumentFrequency } from "../../bench/quality/measure/document-frequency.ts";
import { findNeeds, type Need } from "../../bench/quality/measure/find-needs.ts";
import type { Recording } from "../../bench/quality/measure/recording.ts";
import type { Message } from "../../src/index.ts";
import { assistant, calls, res, text, use, user } from "../support/build.ts";
import { idle, recordingOf } from "./synthetic.ts";

const NEVER = { isCommon: () => false };

/** What the last call of the log needs. */
function lastNeed(log: readonly Message[], value: string, fields: Partial<Recording> = {}): Need | undefined {
  return findNeeds(recordingOf(log, fields), NEVER)
    .at(-1)
    ?.needs.find((need) => need.value === value);
}

const uses = (value: string): Message => assistant(use("last", "read", { id: value }));

describe("provenance: where a value was first seen", () => {
  test("the user", () => assert.equal(lastNeed([user("take order_4711"), ...idle(3, "i"), uses("order_4711")], "order_4711")?.origin, "prompt"));
  test("the system", () => assert.equal(lastNeed([user("go"), ...idle(1, "i"), uses("order_4711")], "order_4711", { system: "order_4711" })?.origin, "prompt"));
  test("the agent itself", () =>
    assert.equal(lastNeed([user("go"), assistant(text("I take order_4711")), user("ok"), uses("order_4711")], "order_4711")?.origin, "self"));
  test("a tool", () => {
    const log = [user("go"), calls("a"), user(res("a", "found order_4711")), assistant(text("order_4711 it is")), user("yes"), uses("order_4711")];
    const need = lastNeed(log, "order_4711");
    assert.deepEqual([need?.origin, need?.atRisk, need?.fresh], ["tool", false, false], "the agent has said it since");
  });
  test("never seen: no need", () => assert.equal(lastNeed([user("go"), uses("order_4711")], "order_4711"), undefined));
  test("case and identifier boundaries count", () => {
    assert.equal(lastNeed([user("Order_4711 and order_47112 and xorder_4711"), uses("order_4711")], "order_4711"), undefined);
  });
  test("an escaped line break is no part of the word after it", () => {
    assert.equal(lastNeed([user("go"), calls("a"), user(res("a", '{"text":"one\\norder_4711"}')), uses("order_4711")], "order_4711")?.origin, "tool");
  });
});

describe("at risk", () => {
  const readThenIdle = (rounds: number): Message[] => [user("go"), calls("a"), user(res("a", "found order_4711")), ...idle(rounds, "i"), uses("order_4711")];
  const rows: readonly (readonly [rounds: number, atRisk: boolean])[] = [[0, false], [1, false], [2, true], [9, true]]; // prettier-ignore
  for (const [rounds, atRisk] of rows) {
    test(`${rounds} decisions between: ${atRisk ? "at risk" : "fresh"}`, () => {
      const need = lastNeed(readThenIdle(rounds), "order_4711");
      assert.deepEqual([need?.atRisk, need?.fresh, need?.decisionsBack], [atRisk, !atRisk, rounds + 1]);
    });
  }
  test("read again: fresh", () => {
    const log = readThenIdle(5).slice(0, -1);
    assert.equal(lastNeed([...log, calls("b"), user(res("b", "still order_4711")), uses("order_4711")], "order_4711")?.fresh, true);
  });
});

describe("distinctive", () => {
  test("in more than half of the earlier messages: no need", () => {
    const log = [user("order_4711"), assistant(text("order_4711")), user("order_4711"), uses("order_4711")];
    assert.equal(lastNeed(log, "order_4711"), undefined);
  });
  test("in more than 2 % of the other tasks' documents: common", () => {
    const holders = 3;
    const frequencyIn = (documents: number, expected: readonly string[] = []): ReturnType<typeof createDocumentFrequency> =>
      createDocumentFrequency(
        Array.from({ length: documents }, (_, number) => ({ task: `${number}`, texts: [number < holders ? "read_all the/path" : "no"] })),
        expected,
      );
    for (const value of ["read_all", "the/path"]) {
      assert.equal(frequencyIn(100).isCommon(value, "another"), true, "3 of 100");
      assert.equal(frequencyIn(100, [value]).isCommon(value, "another"), true, "3 of 100, known beforehand");
      assert.equal(frequencyIn(150, [value]).isCommon(value, "another"), false, "3 of 150, known beforehand");
      assert.equal(frequencyIn(150).isCommon(value, "another"), false, "3 of 150");
      assert.equal(frequencyIn(101).isCommon(value, "0"), false, "2 of the 100 others");
    }
    assert.equal(frequencyIn(100).isCommon("read", "another"), false, "a part of a word is not the word");
  });
});
