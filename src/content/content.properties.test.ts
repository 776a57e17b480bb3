import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkProperty } from "../../test/support/check-property.ts";
import { oddText, shownText, sizedText } from "../../test/support/odd-text.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import type { ContentKind } from "./content-kind.ts";
import { kindOf } from "./kind-of.ts";
import { select } from "./select.ts";
import { tidy } from "./tidy.ts";
import { tokensBetween } from "../tokens/estimate-tokens.ts";
import { NO_HEADING, type Unit } from "./unit.ts";
import { unitsOf } from "./units-of.ts";

const KINDS: readonly ContentKind[] = ["json", "json-lines", "log", "test-output", "diff", "html", "listing", "search", "table", "code", "base64", "text"];
const HINT = { tool: "bash", input: { command: "run" }, isError: false };

/** Lines of every kind, so that judges meet what they know and what they do not. */
const LINES: readonly string[] = [
  "",
  "   ",
  "\u001b[32mok\u001b[0m",
  "get 10 %\rget 20 %\rget 100 %",
  "src/a.ts:12:export function a() {",
  "src/a.ts-13-  return b;",
  "--",
  "12:const c = 1;",
  "--- FAIL: TestA (0.1s)",
  "    a_test.go:12: expected 1, got 2",
  "ok  \tpkg/a\t0.1s",
  "=== 3 passed, 1 failed in 2s ===",
  "diff --git a/x b/x",
  "@@ -1,2 +1,3 @@",
  "+added line",
  "-removed line",
  "2026-01-01T10:00:00Z ERROR cannot connect to 10.0.0.1",
  "Traceback (most recent call last):",
  '  File "a.py", line 3, in f',
  "├── src",
  "│   └── index.ts",
  "drwxr-xr-x 2 a b 4096 Jan 1 10:00 src",
  "name,age,city",
  "Ann,42,Oslo",
  "# Heading",
  "- item with `code`",
  "class A(B):",
  "    def f(self):",
  "        return self.g_h()",
  "     9→import x",
  "    10→",
  '<p class="a">text <a href="/b">link</a></p>',
  "<script>var a = 1 < 2;</script>",
  '{"a": 1, "b": [1, 2, {"c": null}]}',
  "{",
  '  "key": [',
  "]}",
  "QUJD".repeat(30),
];

const line: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...LINES) },
  { weight: 1, arbitrary: shownText },
  { weight: 1, arbitrary: oddText },
);
const lines: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      line,
      fc.integer({ min: 1, max: 12 }).map((times) => (times > 10 ? times : 1)),
    ),
    { maxLength: 40 },
  )
  .chain((list) => fc.constantFrom("\n", "\n", "\r\n").map((end) => list.flatMap(([text, times]) => new Array<string>(times).fill(text)).join(end)));

const jsonText: fc.Arbitrary<string> = fc
  .tuple(
    fc.jsonValue({ maxDepth: 6 }),
    fc.array(fc.record({ id: fc.integer(), name: fc.string(), note: fc.string({ maxLength: 80 }) }), { maxLength: 30 }),
    fc.constantFrom(0, 1, 2, 4),
  )
  .map(([value, records, indent]) => JSON.stringify({ value, records }, null, indent).replace("{", '{ "number" : 1.50e+03, "number": 12345678901234567890,'));

const content: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: lines },
  { weight: 2, arbitrary: jsonText },
  { weight: 1, arbitrary: sizedText },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 300 }) },
);
const kind: fc.Arbitrary<ContentKind> = fc.constantFrom(...KINDS);

describe("content", () => {
  test("tokensBetween is estimateTokens", () => {
    checkProperty("tokensBetween", [content, fc.nat(), fc.nat()], (text, a, b) => {
      const [start, end] = [a % (text.length + 1), b % (text.length + 1)];
      assert.equal(tokensBetween(text, start, end), estimateTokens(text.slice(start, Math.max(start, end))));
    });
  });

  test("tidy is idempotent, and shorter or the same string", () => {
    checkProperty("tidy", [content, kind], (text, of) => {
      const tidied = tidy(text, of);
      assert.equal(tidy(tidied, of), tidied);
      if (tidied !== text) assert.ok(estimateTokens(tidied) < estimateTokens(text));
    });
  });

  test("tidy loses no word", () => {
    checkProperty("words", [content, kind], (text, of) => {
      const tidied = tidy(text, of);
      for (const [word] of text
        .replaceAll("\u001b[32m", " ")
        .replaceAll("\u001b[31m", " ")
        .replaceAll("\u001b", " ")
        .matchAll(/[A-Za-z_]{4,}|\d{4,}/g))
        assert.ok(tidied.includes(word), word);
    });
  });

  test("tidied JSON has the same tokens", () => {
    checkProperty("JSON", [jsonText], (text) => {
      const tidied = tidy(text, "json");
      assert.deepEqual(JSON.parse(tidied), JSON.parse(text));
      assert.equal(jsonTokens(tidied), jsonTokens(text));
    });
  });

  test("units are the text, in order, with their lines and headings", () => {
    checkProperty("unitsOf", [content, kind], (text, of) => {
      const units = unitsOf(text, of);
      if (of !== "html") assert.equal(units.map((unit) => unit.text).join(""), text);
      let lineNumber = 1;
      for (const [index, unit] of units.entries()) {
        assert.ok(unit.text.length <= 600 && unit.weight >= 0 && unit.count > 0, JSON.stringify(unit));
        assert.equal(unit.tokens, estimateTokens(unit.text));
        assert.ok(unit.heading >= NO_HEADING && unit.heading < units.length && unit.heading !== index);
        if (of !== "html") assert.equal(unit.line, lineNumber);
        lineNumber += unit.text.split("\n").length - 1;
        assert.ok(chainOf(units, index).length <= 9);
      }
      assert.doesNotThrow(() => kindOf(text, HINT));
    });
  });

  test("a selection is within its budget, has the headings, and states what it lacks", () => {
    checkProperty("select", [content, kind, fc.double({ min: 0, max: 1.1, noNaN: true })], (text, of, share) => {
      const units = unitsOf(text, of);
      const whole = units.map((unit) => unit.text).join("");
      const maxTokens = Math.floor(estimateTokens(whole) * share);
      const selection = select(units, (unit) => unit.weight, maxTokens);
      assert.deepEqual(
        select(units, (unit) => unit.weight, maxTokens),
        selection,
      );
      if (units.length === 0) return;
      assert.ok(selection.shown.length >= 1);
      assert.equal(selection.shown.length + selection.cutUnits, units.length);
      if (selection.cutUnits === 0) assert.equal(selection.text, whole);
      if (selection.shown.length === 1) return;
      assert.ok(estimateTokens(selection.text) <= maxTokens, `${estimateTokens(selection.text)} > ${maxTokens}`);
      const shown = new Set(selection.shown);
      for (const index of selection.shown) {
        const { heading } = units[index] ?? { heading: NO_HEADING };
        assert.ok(heading === NO_HEADING || shown.has(heading) || isBetweenShown(units, shown, index));
      }
      if (["json", "json-lines", "html"].includes(of) || text.includes("[…")) return;
      const cut = units.filter((_, index) => !shown.has(index));
      assert.equal(stated(selection.text, "line"), sum(cut, "line"));
      assert.equal(stated(selection.text, "character"), sum(cut, "character"));
    });
  });
});

function chainOf(units: readonly Unit[], index: number): number[] {
  const chain: number[] = [];
  for (let at = index; at !== NO_HEADING && chain.length < 20; at = units[at]?.heading ?? NO_HEADING) chain.push(at);
  return chain;
}

/** A small gap is shown because stating it would be as long: such lines may come without their headings. */
function isBetweenShown(units: readonly Unit[], shown: ReadonlySet<number>, index: number): boolean {
  return (index === 0 || shown.has(index - 1)) && (index === units.length - 1 || shown.has(index + 1));
}

function stated(text: string, noun: string): number {
  return [...text.matchAll(/^\[… .* cut\]$/gm)].reduce((total, [gap]) => total + Number(new RegExp(`(\\d+) ${noun}s?\\b`).exec(gap)?.[1] ?? 0), 0);
}

function sum(units: readonly Unit[], noun: string): number {
  return units.reduce((total, unit) => total + (unit.noun === noun ? unit.count : 0), 0);
}

/** Without white space outside of strings. */
function jsonTokens(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted?: string) => quoted ?? "");
}
