import assert from "node:assert/strict";
import { test } from "node:test";
import { cut, formatTable, wrap } from "./table.ts";

test("columns are as wide as their widest cell, numbers stand right", () => {
  const lines = formatTable(
    [{ title: "name" }, { title: "n", align: "right" }],
    [
      ["render", "7"],
      ["a", "1,200"],
    ],
    80,
  );
  assert.deepEqual(lines, ["name        n", "render      7", "a       1,200"]);
});

test("only columns that give are narrowed, the widest first, and the table fits", () => {
  const columns = [{ title: "fixed" }, { title: "cut", give: "cut" }, { title: "wrap", give: "wrap" }] as const;
  const lines = formatTable(columns, [["0123456789", "c".repeat(40), "word ".repeat(10).trim()]], 60);
  assert.ok(
    lines.every((line) => line.length <= 60),
    lines.join("\n"),
  );
  assert.match(lines[1] ?? "", /^0123456789 {2}c+… {2}word/);
  assert.equal(lines.join(" ").match(/word/g)?.length, 10, "wrapping loses no word");
});

test("a screen too narrow for any table still gets whole cells of the smallest width", () => {
  const [, row = ""] = formatTable([{ title: "path", give: "cut" }], [["x".repeat(50)]], 3);
  assert.equal(row, `${"x".repeat(11)}…`);
});

test("cutting never splits a surrogate pair", () => {
  assert.equal(cut("a😀b😀", 3), "a😀…");
  assert.equal(cut("a😀b", 3), "a😀b");
});

for (const [text, width, expected] of [
  ["", 10, [""]],
  ["one two three", 7, ["one two", "three"]],
  ["one two three", 100, ["one two three"]],
  ["abcdefghij k", 4, ["abcd", "efgh", "ij k"]],
  ["a abcdefgh", 4, ["a", "abcd", "efgh"]],
] as const) {
  test(`wrap ${JSON.stringify(text)} at ${width}`, () => {
    assert.deepEqual(wrap(text, width), expected);
  });
}
