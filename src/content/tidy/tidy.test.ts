import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ContentKind } from "../kinds/kind-of.ts";
import { tidy } from "./tidy.ts";

type Case = readonly [name: string, kind: ContentKind, before: string, after: string];

const LINE = "a rather long line of output that says nothing new";
const SPACES = " ".repeat(500);

const CASES: readonly Case[] = [
  ["colours", "log", "\u001b[31mred\u001b[0m and \u001b[1;4mbold\u001b[m\n", "red and bold\n"],
  ["a window title", "log", "\u001b]0;npm test, a title\u0007ok\n", "ok\n"],
  ["the target of a link stays", "log", "\u001b]8;;https://a.b/c\u0007here\u001b]8;;\u0007\n", "<https://a.b/c>here\n"],
  ["an escape that opens another when it is removed", "log", "\u001b\u001b[31m[32mtext\n", "[32mtext\n"],
  ["a progress bar keeps its last state", "log", "get  1 %\rget 50 %\rget 100 %, done\nok\n", "get 100 %, done\nok\n"],
  ["a spinner", "log", "⠋ linking\r⠙ linking\r⠹ linking\nok\n", "⠹ linking\nok\n"],
  ["other words after a carriage return are to be read", "log", "first words\rother words\nok\n", "first words\rother words\nok\n"],
  ["an old file with carriage returns only", "text", "value 17\rvalue 23\rvalue 42", "value 17\rvalue 23\rvalue 42"],
  ["a repeated line", "log", `${LINE}\n`.repeat(42), `${LINE}\n[… 41 more times]\n`],
  ["a repeated line with CRLF", "log", `${LINE}\r\n`.repeat(9), `${LINE}\r\n[… 8 more times]\r\n`],
  ["stating it would be longer", "log", "ok\nok\nok\n", "ok\nok\nok\n"],
  ["the last line has no line break", "log", `${LINE}\n${LINE}\n${LINE}`, `${LINE}\n${LINE}\n${LINE}`],
  ["said three times, and once more without a line break", "log", `${LINE}\n`.repeat(3) + LINE, `${LINE}\n[… 2 more times]\n${LINE}`],
  ["white space at the end", "log", `  a  b${SPACES}\nc${SPACES}\t${SPACES}\r\n${SPACES}d`, `  a  b\nc\r\n${SPACES}d`],
  ["a line break of Markdown", "text", "one  \ntwo\n", "one  \ntwo\n"],
  ["blank lines", "log", `a\n${"\n \n".repeat(40)}b\n`, "a\n\nb\n"],
  ["JSON", "json", '{\n  "a": [\n    1.0,\n    1e5\n  ],\n  "b  b": " \\u0041 "\n}\n', '{"a":[1.0,1e5],"b  b":" \\u0041 "}\n'],
  ["big numbers, duplicate keys, order", "json", '{ "b" : 12345678901234567890, "a" : -0.0 , "b" : 1 }', '{"b":12345678901234567890,"a":-0.0,"b":1}'],
  [
    "JSON below the head of a harness",
    "json",
    'Wall time: 1 s\nOutput:\n{\n  "a": 1,\n  "b": [ ]\n}\ndone\n',
    'Wall time: 1 s\nOutput:\n{"a":1,"b":[]}\ndone\n',
  ],
  ["several JSON documents", "json-lines", '{\n "a": 1\n}\n{\n "a": 2\n}\n', '{"a":1}\n{"a":2}\n'],
  ["no JSON: a comment", "json", '{\n  // "a": 1,\n  "b": 2\n}\n', '{\n  // "a": 1,\n  "b": 2\n}\n'],
  ["no JSON: it is cut", "json", '{\n  "a": 1,\n  "b": [\n', '{\n  "a": 1,\n  "b": [\n'],
  ["line numbers", "code", "     9→a\n    10→\n    11→\t  b\n", "9→a\n10→\n11→\t  b\n"],
  ["line numbers with a tab", "text", "Here it is:\n     1\tone\n     2\ttwo\n", "Here it is:\n1\tone\n2\ttwo\n"],
  ["numbers that do not go on are the text's own", "code", "     9→a\n    12→b\n", "     9→a\n    12→b\n"],
  ["indentation, blank lines and line ends of code", "code", `\tif (a) {  \n\n\n\n${"    }\n".repeat(30)}`, `\tif (a) {  \n\n\n\n${"    }\n".repeat(30)}`],
  ["a diff keeps its spaces", "diff", "@@ -1 +1 @@\n \n-a  \n+a\n \n \n", "@@ -1 +1 @@\n \n-a  \n+a\n \n \n"],
  ["HTML", "html", "<!-- c -->\n\n\n\n<p>a</p>   \n", "<!-- c -->\n\n\n\n<p>a</p>   \n"],
];

describe("tidy", () => {
  for (const [name, kind, before, after] of CASES) test(`${kind}: ${name}`, () => assert.equal(tidy(before, kind), after));

  const LONG: readonly (readonly [name: string, text: string])[] = [
    ["one line", "x".repeat(1_000_000)],
    ["carriage returns", "10%\r".repeat(100_000)],
    ["carriage returns in lines", `${"word ".repeat(1000)}\n`.repeat(200) + "a\rb\n".repeat(100_000)],
    ["open commands to a terminal", "\u001b]8;;".repeat(60_000)],
    ["open brackets", "[\n".repeat(100_000)],
    ["deep JSON", "[".repeat(100_000) + "]".repeat(100_000)],
    ["open strings", '{"\n'.repeat(60_000)],
    ["spaces", `${" ".repeat(100_000)}x\n`.repeat(20)],
    ["short lines", "a\nb\n".repeat(50_000)],
  ];
  for (const [name, text] of LONG)
    test(`takes linear time: ${name}`, { timeout: 20_000 }, () => {
      for (const kind of ["log", "text", "json", "code", "diff"] as const) tidy(text, kind);
    });
});
