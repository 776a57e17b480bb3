import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import type { ContentKind } from "../kinds/kind-of.ts";
import type { Familiarity } from "../words/known-words.ts";
import { partsOf } from "./parts-of-text.ts";
import { tellingText } from "./telling-text.ts";
import { NEW } from "../words/word-worths.ts";

/** Of somebody who has read nothing yet. */
const STRANGE: Familiarity = { standingOf: () => NEW, lines: undefined };

function shownOf(text: string, kind: ContentKind, leastWorth: number, maxTokens = 10_000, mostShare = Infinity): string | undefined {
  return tellingText(partsOf(text, kind, STRANGE), { leastWorth, maxTokens, tokens: estimateTokens(text), mostShare });
}

const prose = (count: number): string => "only some plain words that nobody would look for later on\n".repeat(count);

describe("tellingText", () => {
  test("lines with names, ids and paths stay; every gap says how many lines it lacks", () => {
    const text = `${prose(10)}see order_id W123456 in src/orders/parse_order.ts\n${prose(10)}`;
    assert.equal(shownOf(text, "log", 30), "[… 10 lines cut]\nsee order_id W123456 in src/orders/parse_order.ts\n[… 10 lines cut]");
  });

  test("what stands beside a telling line stays sooner than what does not", () => {
    const shown = shownOf(`${prose(10)}see order_id W123456 in src/orders/parse_order.ts\n${prose(10)}`, "log", 10) ?? "";
    assert.equal(shown, `[… 9 lines cut]\n${prose(1)}see order_id W123456 in src/orders/parse_order.ts\n${prose(1)}[… 9 lines cut]`);
  });

  test("a long record of JSON is opened after one that is a part as a whole", () => {
    const long = Object.fromEntries(Array.from({ length: 20 }, (_, field) => [`field_${field}`, `value_${field}`.repeat(3)]));
    const parts = partsOf(`${JSON.stringify({ short: { inner: { id: 1 } }, long })}\n`, "json", STRANGE);
    assert.deepEqual([parts.starts.length, parts.headingOf(1), parts.headingOf(2), parts.headingOf(3)], [23, 0, 0, 2]);
  });

  test("all of it, if all of it tells enough", () => assert.equal(shownOf("orderId itemCount\ntotalPrice\n", "log", 1), undefined));

  test("all of it, if next to all of it would be shown", () => {
    const text = `${"see order_id W123456 in src/orders/parse_order.ts\n".repeat(9)}${prose(3)}`;
    const shown = shownOf(text, "log", 20) ?? "";
    assert.ok(shown.endsWith("[… 3 lines cut]"), shown);
    const share = shown.length / text.length;
    for (const maxTokens of [300, 100_000]) {
      assert.equal(shownOf(text, "log", 20, maxTokens, share + 0.01), shown);
      assert.equal(shownOf(text, "log", 20, maxTokens, share), undefined);
    }
  });

  test("the limit holds, and those that tell most are shown", () => {
    const names = (count: number, name: string): string => Array.from({ length: count }, (_, at) => `${name}_${at} and some words\n`).join("");
    const text = `${prose(200)}${names(50, "some_name")}${prose(200)}`;
    const shown = shownOf(text, "log", 0, 300) ?? "";
    assert.ok(estimateTokens(shown) <= 300 && estimateTokens(shown) > 200, String(estimateTokens(shown)));
    assert.ok(!shown.includes("nobody"), shown);
  });

  test("of lines that tell the same, the first that fit", () => {
    const shown = shownOf(prose(400), "log", 0, 200) ?? "";
    assert.match(shown, /^only some .*\n\[… \d+ lines cut\]$/s);
    assert.ok(estimateTokens(shown) > 100);
  });

  test("a limit is used: no selection falls to one part because those that tell the same come with headings that do not fit", () => {
    const body = `${"    a = b + c + d + 1;\n".repeat(12)}    order_id = itemCount(src_path, W123456);\n${"    a = b + c + d + 1;\n".repeat(12)}`;
    const text = Array.from({ length: 60 }, (_, at) => `function and_this_is_the_name_of_number_${at}(first, second, third) {\n${body}}\n`).join("");
    for (let maxTokens = 500; maxTokens <= 4_000; maxTokens += 10) {
      const tokens = estimateTokens(shownOf(text, "code", 0, maxTokens) ?? "");
      assert.ok(tokens <= maxTokens && tokens >= maxTokens / 2, `${tokens} of ${maxTokens}`);
    }
  });

  test("at least one part, even if it does not fit", () => assert.match(shownOf(`${prose(3)}orderId itemCount\n${prose(3)}`, "log", 0, 1) ?? "", /orderId/));

  test("a line break inside quoted text is one", () => {
    const quoted = (lines: string): string => `{"text":"${lines.replaceAll("\n", "\\n")}"}`;
    const shown = shownOf(quoted(`${prose(10)}see order_id W123456 in src/orders/parse_order.ts\n${prose(10)}`), "text", 30) ?? "";
    assert.match(shown, /^\[… \d+ characters cut\]\nsee order_id W123456 in src\/orders\/parse_order\.ts\\n\n\[… \d+ characters cut\]$/);
  });

  test("a long line is cut into pieces, and data in it is worth nothing", () => {
    const shown = shownOf(`${"QUJD".repeat(400)} see order_id and itemCount, ${"QUJD".repeat(400)}\n`, "text", 2) ?? "";
    assert.match(shown, /^\[… 1600 characters cut\]\n see order_id.*\n\[… 1200 characters cut\]/s);
  });

  const HEADINGS: readonly (readonly [kind: ContentKind, name: string, text: string, shown: string])[] = [
    [
      "code",
      "enclosing definitions, numbered or not",
      `1→class A {\n2→  f() {\n${"3→    a = b + c + d + 1;\n".repeat(5)}8→    order_id = itemCount(src_path);\n9→  }\n${"10→ a = b + c + d + 1;\n".repeat(5)}`,
      "1→class A {\n2→  f() {\n[… 5 lines cut]\n8→    order_id = itemCount(src_path);\n[… 6 lines cut]",
    ],
    [
      "text",
      "sections",
      `# A\n${prose(3)}## B\n${prose(3)}order_id is itemCount\n# C\n${prose(3)}`,
      "# A\n[… 3 lines cut]\n## B\n[… 3 lines cut]\norder_id is itemCount\n[… 4 lines cut]",
    ],
    [
      "search",
      "files above their hits",
      `/a/b.ts:\n${"  Line 2: y\n".repeat(9)}  Line 2: order_id is itemCount\n`,
      "/a/b.ts:\n[… 9 lines cut]\n  Line 2: order_id is itemCount\n",
    ],
    ["listing", "folders", `src:\n${"a.b\n".repeat(9)}order_id_list\n`, "src:\n[… 9 lines cut]\norder_id_list\n"],
    [
      "listing",
      "a tree",
      `├── src\n${"│   ├── a.b\n".repeat(9)}│   │   └── order_id_list\n`,
      "├── src\n[… 8 lines cut]\n│   ├── a.b\n│   │   └── order_id_list\n",
    ],
    ["table", "the header", `id,name\n${"1,Ann\n".repeat(9)}2,order_id_list\n`, "id,name\n[… 9 lines cut]\n2,order_id_list\n"],
    [
      "log",
      "what is explained",
      `it went wrong:\n${"  at a\n".repeat(9)}    at order_id (some_file.js)\n`,
      "it went wrong:\n[… 8 lines cut]\n  at a\n    at order_id (some_file.js)\n",
    ],
    [
      "json",
      "records in their list",
      JSON.stringify({ list: [...Array.from({ length: 30 }, (_, a) => ({ a, b: "some words" })), { order: "W123456_7" }, { a: 1 }] }),
      '{"list":[\n[… 30 records cut]\n{"order":"W123456_7"},{"a":1}]}',
    ],
  ];
  for (const [kind, name, text, shown] of HEADINGS) test(`${kind}: ${name}`, () => assert.equal(shownOf(text, kind, 20), shown));

  test("linear time", { timeout: 20_000 }, () => {
    const deep = Array.from({ length: 1500 }, (_, depth) => `${" ".repeat(depth)}if (orderId) {\n`).join("");
    for (const text of [prose(6_000), "orderId\n".repeat(40_000), deep, `${"( ".repeat(200)}\n`.repeat(600), "a-1-:\n".repeat(40_000)])
      for (const kind of ["code", "text", "search", "listing", "log", "table"] as const) shownOf(text, kind, 3, 1000);
  });
});
