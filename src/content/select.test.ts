import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { select } from "./select.ts";
import type { Unit } from "./unit.ts";
import { unitsOf } from "./units-of.ts";

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line number ${index + 1} of the output\n`).join("");

/** With room for what is expected, and a few tokens more. */
function textOf(units: readonly Unit[], wanted: RegExp, expected: string, more = 0): string {
  return select(units, (unit) => Number(wanted.test(unit.text)), estimateTokens(expected) + more).text;
}

describe("select", () => {
  test("everything, if it fits", () => {
    const text = numbered(3);
    assert.deepEqual(
      select(unitsOf(text, "log"), () => 1, 100),
      { text, shown: [0, 1, 2], cutUnits: 0 },
    );
  });

  test("the greatest worth, in order, and every gap says how many lines it lacks", () => {
    const units = unitsOf(numbered(100), "log");
    const { text, shown, cutUnits } = select(units, (_, index) => Number(index === 4 || index === 50) * 10, 38);
    assert.equal(text, "[… 4 lines cut]\nline number 5 of the output\n[… 45 lines cut]\nline number 51 of the output\n[… 49 lines cut]");
    assert.deepEqual(shown, [4, 50]);
    assert.equal(cutUnits, 98);
  });

  test("a line comes with its heading", () => {
    const body = Array.from({ length: 60 }, (_, index) => `  statement(${index});\n`).join("");
    const expected = "function f() {\n[… 40 lines cut]\n  statement(40);\n[… 20 lines cut]";
    assert.equal(textOf(unitsOf(`function f() {\n${body}}\n`, "code"), /\(40\)/, expected), expected);
  });

  test("a short line between two that are shown is shown too", () => {
    const units = unitsOf(`${numbered(10)}first one of them\n\nsecond one of them\n${numbered(10)}`, "log");
    const expected = "[… 10 lines cut]\nfirst one of them\n\nsecond one of them\n[… 10 lines cut]";
    assert.equal(textOf(units, /one of/, expected, 3), expected);
  });

  test("records of JSON are cut as records, on a line of their own", () => {
    const records = Array.from({ length: 40 }, (_, id) => ({ id, name: `name of ${id}` }));
    const expected = '{"records":[\n[… 7 records cut]\n{"id":7,"name":"name of 7"},\n[… 12 records cut]\n{"id":20,"name":"name of 20"},\n[… 19 records cut]';
    assert.equal(textOf(unitsOf(JSON.stringify({ records }), "json"), /"id":(?:7|20),/, expected, 4), expected);
  });

  test("a record that is cut as a whole is one, whatever is in it", () => {
    const big = { id: 1, text: "word ".repeat(60), other: "more ".repeat(60) };
    const expected = '[{"first":true},\n[… 1 record cut]\n{"last":true}]';
    assert.equal(textOf(unitsOf(JSON.stringify([{ first: true }, big, { last: true }]), "json"), /first|last/, expected), expected);
  });

  test("at least one unit, even if it does not fit", () => {
    const { shown, cutUnits } = select(unitsOf(numbered(9), "log"), () => 1, 0);
    assert.equal(shown.length, 1);
    assert.equal(cutUnits, 8);
  });

  test("nothing of nothing", () =>
    assert.deepEqual(
      select([], () => 1, 10),
      { text: "", shown: [], cutUnits: 0 },
    ));

  test("ties by order", () => {
    const { shown } = select(unitsOf(numbered(50), "log"), () => 1, 60);
    assert.deepEqual(
      shown,
      Array.from({ length: shown.length }, (_, index) => index),
    );
  });

  test("30,000 lines and a long chain of budgets", { timeout: 20_000 }, () => {
    const units = unitsOf(numbered(30_000), "log");
    for (const maxTokens of [1, 100, 10_000, 500_000]) {
      const { text } = select(units, (unit, index) => (index * 7919) % 1000, maxTokens);
      assert.ok(estimateTokens(text) <= Math.max(maxTokens, 40));
    }
  });
});
