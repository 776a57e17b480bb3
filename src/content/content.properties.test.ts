import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkProperty } from "../../test/support/check-property.ts";
import { oddText, shownText, sizedText } from "../../test/support/odd-text.ts";
import { estimateTokens, tokensBetween } from "../tokens/estimate-tokens.ts";
import { kindOf, type ContentKind } from "./kinds/kind-of.ts";
import { resultHints } from "./calls/result-hints.ts";
import type { Familiarity } from "./words/known-words.ts";
import { NO_HEADING, type Parts } from "./parts/text-parts.ts";
import { partsOf } from "./parts/parts-of-text.ts";
import { LONGEST_LINE } from "./parts/long-lines.ts";
import { tellingText } from "./parts/telling-text.ts";
import { minifyJson, readJson } from "./documents/read-json.ts";
import { shortened, tidy } from "./tidy/tidy.ts";
import { NEW } from "./words/word-worths.ts";

const KINDS: readonly ContentKind[] = ["json", "json-lines", "log", "test-output", "diff", "html", "listing", "search", "table", "code", "base64", "text"];
/** Of somebody who has read nothing yet. */
const STRANGE: Familiarity = { standingOf: () => NEW, lines: undefined };
const FACTS = resultHints({ tool: "bash", input: { command: "run" } });

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

  test("what is read of JSON while it is tidied is what reading it again finds", () => {
    checkProperty(
      "minifyJson",
      [
        fc.oneof(
          content,
          fc.array(fc.oneof(jsonText, content), { maxLength: 4 }).map((texts) => texts.join("\n")),
        ),
      ],
      (text) => {
        const minified = minifyJson(text);
        assert.deepEqual(minified, readJson(minified.text));
        const { json, text: tidied } = shortened(text, "json");
        if (json !== undefined) assert.equal(json.text, tidied);
      },
    );
  });

  test("parts are the text, in order, with their headings", () => {
    checkProperty("partsOf", [content, kind], (text, of) => {
      const parts = partsOf(text, of, STRANGE);
      const { starts } = parts;
      if (of !== "html") assert.equal(parts.text, text);
      assert.equal(starts[0] ?? 0, 0);
      for (const [part, start] of starts.entries()) {
        const end = starts[part + 1] ?? parts.text.length;
        assert.ok(end > start && end - start <= LONGEST_LINE, `${start} to ${end}`);
        assert.ok((parts.worths[part] ?? -1) >= 0 && parts.countOf(part) > 0 && parts.nounOf(part).length > 0);
        const heading = parts.headingOf(part);
        assert.ok(heading >= NO_HEADING && heading < part, `${part} is headed by ${heading}`);
      }
      assert.doesNotThrow(() => kindOf(text, FACTS));
    });
  });

  test("the telling text is within its limit, and states all that it lacks", () => {
    checkProperty("tellingText", [content, kind, fc.double({ min: 0, max: 1.1, noNaN: true })], (text, of, share) => {
      const parts = partsOf(text, of, STRANGE);
      const tokens = estimateTokens(parts.text);
      const wanted = { leastWorth: 0, maxTokens: Math.floor(tokens * share), tokens, mostShare: Infinity };
      const shown = tellingText(parts, wanted);
      assert.equal(tellingText(parts, wanted), shown);
      if (shown === undefined) return;
      const lines = parts.text.split("\n").length;
      const cut = stated(shown, "line");
      if (lines - cut > 1)
        assert.ok(estimateTokens(shown) <= Math.max(wanted.maxTokens, tokensOfLongest(parts)), `${estimateTokens(shown)} > ${wanted.maxTokens}`);
      const isByLines = !["json", "json-lines", "html"].includes(of) && parts.starts.every((_, part) => parts.nounOf(part) === "line") && !text.includes("[…");
      if (!isByLines) return;
      const gaps = shown.match(/^\[… .* cut\]$/gm)?.length ?? 0;
      const ends = (value: string): number => value.split("\n").length - (value.endsWith("\n") ? 1 : 0);
      assert.equal(ends(shown) - gaps + cut, ends(text));
    });
  });
});

/** At least one part is shown, however long it is, and what stands with it. */
function tokensOfLongest({ text, starts }: Parts): number {
  return starts.reduce((most, start, part) => Math.max(most, estimateTokens(text.slice(start, starts[part + 1]))), 0) + 20;
}

function stated(text: string, noun: string): number {
  return [...text.matchAll(/^\[… .* cut\]$/gm)].reduce((total, [gap]) => total + Number(new RegExp(`(\\d+) ${noun}s?\\b`).exec(gap)?.[1] ?? 0), 0);
}

/** Without white space outside of strings. */
function jsonTokens(json: string): string {
  return json.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_, quoted?: string) => quoted ?? "");
}
