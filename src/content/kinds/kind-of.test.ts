import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resultHints, type AnsweredCall } from "../calls/result-hints.ts";
import { kindOf, type ContentKind } from "./kind-of.ts";

type Case = readonly [kind: ContentKind, name: string, hint: Partial<AnsweredCall>, text: string];

const bash = (command: string): Partial<AnsweredCall> => ({ tool: "bash", input: { command } });
const read = (path: string): Partial<AnsweredCall> => ({ tool: "Read", input: { file_path: path } });

const CASES: readonly Case[] = [
  ["text", "nothing", {}, ""],
  ["text", "prose", {}, "The quick brown fox jumps over the lazy dog.\nIt then goes home to sleep until morning.\n"],
  ["json", "an object", {}, '{"id": 1, "name": "a"}'],
  ["json", "below the head of a harness", bash("curl x"), 'Chunk ID: 1\nWall time: 1 s\nOutput:\n{\n  "id": 1\n}\n'],
  ["json", "one that is cut inside of a string", {}, `{"text": "${"word ".repeat(2000)}`],
  ["json-lines", "one a line", {}, '{"a":1}\n{"a":2}\n{"a":3}\n'],
  ["code", "a JSON file that was read, because edits need its bytes", read("package.json"), '{\n  "id": 1\n}\n'],
  ["code", "the same with a command", bash("cat package.json"), '{\n  "id": 1\n}\n'],
  ["code", "numbered lines", { tool: "open", input: {} }, "     1→import a from 'a';\n     2→\n     3→export const b = 1;\n"],
  ["text", "a Markdown file", read("README.md"), "     1→# Title\n     2→\n     3→Some words.\n"],
  ["code", "what a search for lines around a match prints", bash("grep -A 3 f a.ts"), "\tprivate f(): void {\n\t\tconst a = this.g();\n\t\treturn a;\n\t}\n"],
  ["search", "hits with paths", bash("grep -rn foo src"), "src/a.ts:12:const foo = 1;\nsrc/b.ts:3:foo();\n"],
  ["search", "hits without a hint", {}, "src/a.ts:12:const foo = 1;\nsrc/b.ts:3:foo();\nsrc/b.ts:9:foo();\n"],
  ["search", "hits below their file", { tool: "grep", input: {} }, "Found 2 matches\n/src/a.ts:\n  Line 29: foo\n  Line 31: foo\n"],
  ["listing", "ls -l", bash("ls -la"), "total 8\ndrwxr-xr-x 2 a b 4096 Jan 1 10:00 src\n-rw-r--r-- 1 a b 12 Jan 1 10:00 a.txt\n"],
  ["listing", "paths", { tool: "Glob", input: {} }, "/a/b/c.ts\n/a/b/d.ts\n/a/e.ts\n"],
  ["listing", "a tree", {}, "├── src\n│   └── index.ts\n└── test\n"],
  ["diff", "git", bash("git diff"), "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"],
  [
    "test-output",
    "pytest",
    bash("pytest"),
    "===== test session starts =====\ncollected 2 items\n\ntest_a.py .F   [100%]\n\n==== 1 failed, 1 passed in 0.1s ====\n",
  ],
  ["test-output", "go", bash("cd x && go test ./..."), "--- FAIL: TestA (0.00s)\n    a_test.go:3: no\nFAIL\nFAIL\tx/a\t0.1s\n"],
  ["log", "times", {}, "2026-01-01T10:00:00Z INFO start\n2026-01-01T10:00:01Z ERROR no\n"],
  ["log", "days", {}, "2026-01-01 INFO request 1 done\n2026-01-01 INFO request 2 done\n"],
  ["text", "one long line", {}, "some words, and more; ".repeat(5000)],
  ["log", "what a program says", bash("npm install"), "added 3 packages\n\n1 package is looking for funding\n"],
  ["table", "comma-separated", {}, "id,name,age\n1,Ann,42\n2,Bob,17\n3,Eve,23\n"],
  ["html", "a page", { tool: "fetch", input: {} }, "<!DOCTYPE html>\n<html><head><title>a</title></head>\n<body><p>b</p></body></html>\n"],
  ["base64", "lines of it", {}, `${"iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4/w38".repeat(1)}\n`.repeat(5)],
];

describe("kindOf", () => {
  for (const [kind, name, hint, text] of CASES)
    test(`${kind}: ${name}`, () => assert.equal(kindOf(text, resultHints({ tool: "", input: null, ...hint })), kind));

  test("looks at a sample only", { timeout: 5000 }, () => {
    const text = "some line of text, as there are many\n".repeat(1_500_000);
    const hints = resultHints({ tool: "bash", input: { command: "x" } });
    for (let time = 0; time < 1000; time++) kindOf(text, hints);
  });
});
