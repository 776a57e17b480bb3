import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ContentKind } from "./content-kind.ts";
import { unitsOf } from "./units-of.ts";

/** The lines with the number of the line, from 0, that each is shown with. */
type Case = readonly [kind: ContentKind, name: string, lines: readonly (readonly [line: string, heading: number])[]];

const HEADINGS: readonly Case[] = [
  [
    "code",
    "enclosing definitions",
    [
      ["class A {", -1],
      ["  f() {", 0],
      ["    g();", 1],
      ["  }", 1],
      ["", -1],
      ["  h() {", 0],
      ["    i();", 5],
      ["}", 0],
      ["x();", -1],
    ],
  ],
  [
    "code",
    "numbered lines",
    [
      ["1→def f():", -1],
      ["2→    return g_h", 0],
      ["3→y = 1", -1],
    ],
  ],
  [
    "text",
    "sections",
    [
      ["# A", -1],
      ["a", 0],
      ["## B", 0],
      ["b", 2],
      ["# C", -1],
      ["c", 4],
    ],
  ],
  [
    "search",
    "hits with paths",
    [
      ["a/b.ts-1-x", 1],
      ["a/b.ts:2:y", -1],
      ["a/b.ts-3-z", 1],
      ["--", -1],
      ["a/c.ts:9:y", -1],
    ],
  ],
  [
    "search",
    "hits below their file",
    [
      ["/a/b.ts:", -1],
      ["  Line 2: y", 0],
      ["  Line 3: y", 0],
      ["", -1],
      ["/a/c.ts:", -1],
      ["  Line 9: y", 4],
    ],
  ],
  [
    "listing",
    "folders",
    [
      ["src:", -1],
      ["a.ts", 0],
      ["", -1],
      ["test:", -1],
      ["b.ts", 3],
    ],
  ],
  [
    "listing",
    "a tree",
    [
      ["├── src", -1],
      ["│   ├── a", 0],
      ["│   │   └── b.ts", 1],
      ["└── test", -1],
    ],
  ],
  [
    "table",
    "header",
    [
      ["id,name", -1],
      ["1,Ann", 0],
      ["2,Bob", 0],
    ],
  ],
  [
    "diff",
    "hunks and files",
    [
      ["diff --git a/x b/x", -1],
      ["+++ b/x", 0],
      ["@@ -1 +1 @@", 0],
      ["-a", 2],
      ["+b", 2],
      ["diff --git a/y b/y", -1],
    ],
  ],
  [
    "test-output",
    "failures",
    [
      ["ok 1 a", -1],
      ["--- FAIL: TestA (0.1s)", -1],
      ["    a_test.go:3: expected 1", 1],
      ["--- PASS: TestB (0.1s)", -1],
    ],
  ],
  [
    "log",
    "what explains a fault",
    [
      ["starting", -1],
      ["TypeError: a is not a function", -1],
      ["    at f (a.js:3:1)", 1],
      ["going on", -1],
    ],
  ],
];

/** The first line of each has to weigh more than the second. */
const HEAVIER: readonly (readonly [kind: ContentKind, heavier: string, lighter: string])[] = [
  ["code", "function computeTotal(items) {", "  const total = items.length;"],
  ["code", "  const total = itemCount;", "}"],
  ["test-output", "--- FAIL: TestParse (0.1s)", "--- PASS: TestParse (0.1s)"],
  ["test-output", "Tests: 1 failed, 12 passed", "some words of output"],
  ["log", "ERROR could not open data_file", "INFO opened data_file"],
  ["listing", "src/index.ts", "node_modules/index.ts"],
  ["search", "src/a.ts:3:export function parseIt() {", "src/a.ts:3:import { parseIt } from"],
  ["text", "# A heading", "A line of words"],
  ["text", "see src/lib/parse.ts and parseIt", "see what is there and do it"],
  ["table", "Total,12,34", "Other,12,34"],
];

describe("unitsOf", () => {
  for (const [kind, name, lines] of HEADINGS)
    test(`${kind}: ${name}`, () => {
      const units = unitsOf(`${lines.map(([line]) => line).join("\n")}\n`, kind);
      assert.deepEqual(
        units.map((unit) => [unit.text.trimEnd(), unit.heading]),
        lines.map(([line, heading]) => [line, heading]),
      );
    });

  for (const [kind, heavier, lighter] of HEAVIER)
    test(`${kind}: ${heavier} weighs more than ${lighter}`, () => {
      const weights = [heavier, lighter].map((line) => unitsOf(`id,a,b\n\n${line}\n`, kind)[2]?.weight ?? NaN);
      assert.ok((weights[0] ?? 0) > (weights[1] ?? 0), weights.join(" "));
    });

  test("json: records of a long array with their path, fields of an object, values together", () => {
    const records = Array.from({ length: 4 }, (_, id) => ({ id, name: "a".repeat(120) }));
    const units = unitsOf(JSON.stringify({ total: 4, data: { records }, numbers: Array.from({ length: 90 }, (_, n) => n) }), "json");
    assert.deepEqual(
      units.slice(0, 8).map((unit) => [unit.text.slice(0, 11), unit.noun, unit.heading]),
      [
        ["{", "record", -1],
        ['"total":4,', "field", 0],
        ['"data":{', "field", 0],
        ['"records":[', "field", 2],
        ['{"id":0,"na', "record", 3],
        ['{"id":1,"na', "record", 3],
        ['{"id":2,"na', "record", 3],
        ['{"id":3,"na', "record", 3],
      ],
    );
    const values = units.filter((unit) => unit.noun === "value");
    assert.equal(
      values.reduce((sum, unit) => sum + unit.count, 0),
      90,
    );
  });

  test("html: the text of a page with the targets of its links, without what nobody sees", () => {
    const page = `<!doctype html><html><head><title>A page</title><style>p{}</style><script>var a = "<p>";</script></head>
<body><nav><a href="/home">Home</a></nav><h2>Part &amp; more</h2><!-- hidden --><p>Some  <b>bold</b>
text, <a href='https://a.b/c?d=1&amp;e=2'>a link</a>.</p><ul><li>one<li>two</ul><table><tr><td>1</td><td>2</td></tr></table><pre>x
  y</pre></body></html>`;
    assert.deepEqual(
      unitsOf(page, "html").map((unit) => unit.text.trimEnd()),
      ["# A page", "[Home](/home)", "## Part & more", "Some bold text, [a link](https://a.b/c?d=1&e=2).", "- one", "- two", "1 | 2", "x", "  y"],
    );
  });

  const LONG: readonly (readonly [name: string, text: string])[] = [
    ["one line", "x".repeat(1_000_000)],
    ["one line of pairs", "😀".repeat(100_000)],
    ["one line of words", "word, another; ".repeat(60_000)],
    ["deep JSON", "[".repeat(50_000) + "]".repeat(50_000)],
    ["deep JSON of objects", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)],
    ["open brackets", "[\n".repeat(60_000)],
    ["open tags", "<a ".repeat(100_000)],
    ["open quotes in tags", '<a b="'.repeat(60_000)],
    ["open comments and scripts", "<!-- <script> ".repeat(50_000)],
    ["ever deeper lines", Array.from({ length: 1500 }, (_, depth) => `${" ".repeat(depth)}if (a) {\n`).join("")],
    ["short lines", "a\nb:\n".repeat(20_000)],
    ["spaces and brackets", `${"( ".repeat(200)}\n`.repeat(600)],
    ["colons and dashes", `${"a-1-".repeat(140)}:\n`.repeat(600)],
  ];
  for (const [name, text] of LONG)
    test(`takes linear time: ${name}`, { timeout: 20_000 }, () => {
      for (const kind of ["json", "log", "test-output", "diff", "html", "listing", "search", "table", "code", "text"] as const)
        for (const unit of unitsOf(text, kind)) assert.ok(unit.text.isWellFormed());
    });
});
