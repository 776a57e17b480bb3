import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resultHints } from "../calls/result-hints.ts";
import { hasDiff } from "./has-diff.ts";

const has = (text: string, command = "", tool = "bash"): boolean => hasDiff(text, () => resultHints({ tool, input: { command } }));

const UNIFIED = "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ f()\n a\n-b\n+c\n";
const coloured = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : `\u001b[1m${line}\u001b[m`))
    .join("\n");
const prose = "A long message that says why, and says it again and again.\n".repeat(200);
const numbered = (text: string): string =>
  text
    .split("\n")
    .map((line, number) => `${String(number + 1).padStart(6)}→${line}`)
    .join("\n");

const DIFFS: Readonly<Record<string, string>> = {
  "git diff --color=always": coloured(UNIFIED),
  "git show, below a long message": `commit 1\nAuthor: a\n\n${prose}\n${UNIFIED}`,
  "git status && git diff": `On branch main\nChanges not staged for commit:\n\tmodified:   x\n\n${UNIFIED}`,
  "git diff --stat -p": ` x | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n${UNIFIED}`,
  "svn diff":
    "Index: x\n===================================================================\n--- x\t(revision 1)\n+++ x\t(working copy)\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n",
  "a file with one in it, with numbered lines": numbered(`Notes\n\n${UNIFIED}`),
  "a merge": "diff --cc x\n@@@ -1,2 -1,2 +1,3 @@@\n  a\n- b\n -c\n++d\n",
  "diff a b": "2,3c2,3\n< b\n< c\n---\n> d\n> e\n",
  "diff a b, one line added": "8a9\n> new\n",
  "diff --color=always a b": "\u001b[36m2c2\u001b[0m\n\u001b[31m< b\u001b[0m\n---\n\u001b[32m> c\u001b[0m\n",
  "diff -c a b": "*** a\t2026\n--- b\t2026\n***************\n*** 1,3 ****\n  a\n! b\n--- 1,3 ----\n  a\n! c\n",
  "a patch as agents write it": "*** Begin Patch\n*** Update File: x\n@@ f()\n-b\n+c\n*** End Patch\n",
  "lines that end in CRLF": UNIFIED.replaceAll("\n", "\r\n"),
};

describe("a stretch that is a diff is found wherever it stands:", () => {
  for (const [name, text] of Object.entries(DIFFS)) {
    test(name, () => assert.ok(has(text)));
    test(`${name}, after a long log`, () => assert.ok(has(`${"12:00:01 INFO all is well\n".repeat(5_000)}${text}${prose}`)));
  }
});

describe("what the command says is used:", () => {
  const tail = "-old line\n+new line\n context\n".repeat(50);
  for (const command of ["git diff", "git -C /repo diff HEAD~1", "cd a && git --no-pager show | tail -200", "svn diff", "diff -u a b", "hg diff"])
    test(`${command}, whose beginning was cut off`, () => assert.deepEqual([has(tail, command), has(tail, "cat notes")], [true, false]));
  test("a tool of that name", () => assert.ok(has(tail, "", "git_diff")));
  test("git log -p --graph", () => assert.ok(has("* commit 1\n| @@ -1 +1 @@\n| -a\n| +b\n| ".padEnd(400, "x"), "git log -p --graph")));
  test("a file that is named like one", () => assert.ok(hasDiff("only words", () => resultHints({ tool: "Read", input: { file_path: "a.patch" } }))));
});

describe("what is no diff:", () => {
  const OTHERS: Readonly<Record<string, readonly [text: string, command?: string]>> = {
    "a list": ["- one\n- two\n+ three\n".repeat(40)],
    "a log of commits": ["commit 1\nAuthor: a\n\n    - fixed it\n".repeat(40), "git log"],
    "what changed, in numbers": [" x | 2 +-\n y | 4 ++--\n 2 files changed\n", "git diff --stat"],
    "words about one": ['The header looks like "@@ -1,2 +1,2 @@" and\n@@ -1 is not one.\n'],
    HTML: ["<div>\n< p>\n".repeat(100)],
    "quoted words": ["1c1 is a command.\n> quoted\n> words\n".repeat(40)],
    stars: ["***************\n*** note ***\n"],
  };
  for (const [name, [text, command]] of Object.entries(OTHERS)) test(name, () => assert.ok(!has(text, command)));
});
