import assert from "node:assert/strict";
import { test } from "node:test";
import { relinkRecords } from "./relink-records.ts";

const record = (id: string, parent: string | null): object => ({ id, parent });
const chain = [record("a", null), record("b", "a"), record("c", "b"), record("d", "c")];
const [a = {}, b = {}, c = {}, d = {}] = chain;
const fresh = record("new", "b");

const CASES: readonly (readonly [what: string, before: readonly object[], after: readonly object[], parents: readonly (string | null)[]])[] = [
  ["nothing is gone", chain, chain, [null, "a", "b", "c"]],
  ["the middle is gone", chain, [a, d], [null, "a"]],
  ["the start is gone", chain, [c, d], [null, "c"]],
  ["a new record stands in the gap", chain, [a, record("new", "a"), d], [null, "a", "new"]],
  ["a new record stands in the gap, after one that is gone", chain, [a, fresh, d], [null, "a", "new"]],
  ["a new record opens the file", chain, [record("new", "a"), c, d], [null, "new", "c"]],
  ["two new records follow each other", chain, [a, record("n1", "a"), record("n2", "n1"), d], [null, "a", "n1", "n2"]],
  ["a new record comes last", chain, [...chain, record("new", "d")], [null, "a", "b", "c", "d"]],
  ["a new id comes twice", chain, [a, fresh, record("new2", "new"), fresh, d], [null, "a", "new", "new2", "new2"]],
  ["a branch", [...chain, record("e", "b")], [a, b, d, record("e", "b")], [null, "a", "b", "b"]],
  ["parents in a ring", [record("x", "y"), record("y", "x"), record("z", "y")], [record("z", "y")], ["y"]],
  ["a parent in another file", [record("x", "elsewhere")], [record("x", "elsewhere")], ["elsewhere"]],
];

for (const [what, before, after, parents] of CASES) {
  test(`every record names one that is there: ${what}`, () => {
    const linked = relinkRecords(before, after, "id", "parent") as { parent: string | null }[];
    assert.deepEqual(
      linked.map(({ parent }) => parent),
      parents,
    );
    linked.forEach((link, number) => {
      if ((after[number] as { parent: string | null }).parent === link.parent) assert.equal(link, after[number], "untouched records are the same objects");
    });
  });
}

test("records without a parent are left alone", () => {
  const plain = [{ id: "a" }, { other: 1 }];
  assert.deepEqual(relinkRecords(plain, plain, "id", "parent"), plain);
});
