import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { LineSigns, shareOfNumbered, withoutNumber, type Sign } from "./line-signs.ts";
import { behindLineNumber } from "../text/line-bounds.ts";

/** Lines that bear a sign, one for each form that it has. */
const BORNE: Readonly<Record<Sign, readonly string[]>> = {
  diff: ["diff --git a/x b/x", "--- a/x", "+++ b/x", "*** Begin Patch", "*** Update File: x"],
  hunk: ["@@ -1,2 +1,3 @@"],
  test: [
    "--- FAIL: TestX",
    "=== RUN   TestX",
    "FAIL x/y",
    "ok  \tx/y\t0.1s",
    "  ✓ works",
    "● Suite",
    "not ok 1",
    "E   assert 1",
    "test a::b ... ok",
    "Tests: 3 passed",
    "Ran 3 tests in 1s",
    "collected 3 items",
    "# pass 12",
    "==== 3 passed in 1s ====",
    "x.py::test_a PASSED",
    "  3 passing",
    "x.py ..... [ 50%]",
  ],
  hit: ["src/a.ts:12: x", "12:x", "12-x", "  Line 3: x", "a/b: x", "src/a.ts-12-x", "é/a.ts:3:x"],
  entry: ["-rw-r--r-- 1 a b", "total 12", "├── src", "│   └── a.ts", "|-- x", "src/a.ts", "./a/b/", " M src/a.ts", "?? x", "/usr/lib"],
  log: [
    "2024-01-02 03:04:05 x",
    "[12:00:00] x",
    "INFO x",
    "warning: x",
    "npm err! x",
    "[main] x",
    "Traceback (most",
    "    at f (a.js:3:4)",
    '  File "a.py", line 3',
  ],
  code: ["  return x;", "import a", "a => b", "// x", "  /* x", " * x", "  foo(", "@decorated(x)"],
  prose: ["# Title", "- item", " * item", "1. item", "some words that make a sentence here"],
  tag: ["<!DOCTYPE html>", "  <div class='x'>", "</p>"],
  data: ["QUJD".repeat(20), `${"QUJD".repeat(16)}==`],
};

describe("LineSigns", () => {
  for (const [sign, lines] of Object.entries(BORNE) as [Sign, readonly string[]][])
    for (const line of lines) test(`${sign}: ${line.slice(0, 30)}`, () => assert.equal(new LineSigns([line]).shareOf(sign), 1));

  test("the share of all lines", () => {
    const signs = new LineSigns(["@@ -1 +1 @@", "x", "y", "@@ -2 +2 @@"]);
    assert.equal(signs.shareOf("hunk"), 0.5);
    assert.equal(signs.shareOf("tag"), 0);
    assert.equal(new LineSigns([]).shareOf("hunk"), 0);
  });

  test("whether more than a share of them bear it, wherever they lie", () => {
    const hunk = "@@ -1 +1 @@";
    for (const lines of [[], ["x"], [hunk], [hunk, "x", "y"], ["x", "y", hunk], ["x", hunk, hunk, "y"], [hunk, hunk, "x", hunk]]) {
      const signs = new LineSigns(lines);
      for (const share of [0, 0.2, 1 / 3, 0.5, 0.75, 1]) assert.equal(signs.isAbove(share, "hunk"), signs.shareOf("hunk") > share);
    }
  });
});

describe("numbers of lines", () => {
  const lines = ["", "12", "12→", "12→x", "  12\tx", "12:x", "12: x", "12:  x", "12:", "12 x", "a12:x", "\t12:x", ": x", "007:x", "12→→x", "12-x", "１２:x"];

  for (const line of lines) {
    test(`are known in a line by itself as in a text: ${JSON.stringify(line)}`, () => {
      assert.equal(withoutNumber(line), line.slice(behindLineNumber(line, 0, line.length)));
    });
  }
  test("count where each is a little above the one before", () => {
    assert.equal(shareOfNumbered(["1→a", "2→b", "5→c"]), 1);
    assert.equal(shareOfNumbered(["1→a", "2→b", "7→c"]), 0.5);
    assert.equal(shareOfNumbered(["3: a", "x", "4: b"]), 0);
    assert.equal(shareOfNumbered(["1→a"]), 0);
    assert.equal(shareOfNumbered([]), 0);
  });
});
