import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseWishes, quotedIn, type Wishes } from "./wishes.ts";

const NONE: Wishes = { head: undefined, tail: undefined, files: undefined, stream: undefined, wantsExitCode: false, quoted: undefined, words: undefined };

describe("the grammar", () => {
  const rows: readonly [string, Partial<Wishes>][] = [
    ["", {}],
    ["only the lines", {}],
    ["first 20 lines", { head: 20 }],
    ["The FIRST line", { head: 1 }],
    ["head -n 5", { head: 5 }],
    ["last 10 lines of stdout", { tail: 10, stream: "stdout" }],
    ["first 2 lines and last 3 lines", { head: 2, tail: 3 }],
    ["tail 7", { tail: 7 }],
    ["matching filenames and line numbers only", { files: "lines" }],
    ["file names only", { files: "names" }],
    ["just the paths", { files: "names" }],
    ["exit code", { wantsExitCode: true }],
    ["return code", { wantsExitCode: true }],
    ["stderr", { stream: "stderr", words: /(?<![\p{L}\p{N}])(?:stderr)/giu }],
    ["stdout and stderr", { words: /(?<![\p{L}\p{N}])(?:stderr)/giu }],
    ["keep errors in src/a.ts", { words: /(?<![\p{L}\p{N}])(?:error|src\/a\.ts)/giu }],
    ['"ORD-17" and `a.b`', { quoted: /(?:ORD-17|a\.b)/u }],
    ["the user's and the agent's words", { words: /(?<![\p{L}\p{N}])(?:user|agent|word)/giu }],
    ["the lasting effect of 20 firsts", { words: /(?<![\p{L}\p{N}])(?:lasting|effect|first)/giu }],
  ];
  for (const [instructions, wishes] of rows) {
    test(JSON.stringify(instructions), () => assert.deepEqual(parseWishes(instructions), { ...NONE, ...wishes }));
  }
});

test("what stands in quotes or backticks", () =>
  assert.deepEqual(quotedIn("keep \"a b\", 'c-1' and `d`; don't keep the user's `ee`"), ["a b", "c-1", "d", "ee"]));

test("a pattern is made of words, whatever characters they have", () => {
  for (const odd of ["$&", "a|b", "(((", "[x", "\\", "a{2}", "^", "é́", "漢字漢字", "😀😀", "\ud83d"]) {
    const { quoted } = parseWishes(`keep "${odd}x"`);
    assert.ok(quoted?.test(`before ${odd}x after`), odd);
  }
});
