import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { compressToolResult, type Block, type ToolResultBlock } from "../../src/index.ts";
import { res, text } from "../support/build.ts";

const MARK = "\n[truncated]";
const EMOJI = "\u{1f600}";

const image: Block = { type: "image", source: { type: "url", url: "https://example.com/a.png" } } as Block;

const compressed = (content: string | readonly Block[], maxToolResultTokens: number): unknown =>
  compressToolResult(res("a", content), { maxToolResultTokens }).content;

describe("compressToolResult on a string", () => {
  const ROWS: readonly (readonly [what: string, content: string, max: number, expected: string])[] = [
    ["empty", "", 2, ""],
    ["at the limit", "x".repeat(8), 2, "x".repeat(8)],
    ["max * 4 + 11 characters", "x".repeat(19), 2, "x".repeat(19)],
    ["max * 4 + 12 characters", "x".repeat(20), 2, "x".repeat(20)],
    ["max * 4 + 13 characters", "x".repeat(21), 2, `xxxxxxxx${MARK}`],
    ["far longer", "y".repeat(40_000), 1, `yyyy${MARK}`],
    ["at most 12 characters with a limit of 0", "x".repeat(12), 0, "x".repeat(12)],
    ["13 characters with a limit of 0", "x".repeat(13), 0, MARK],
    ["a surrogate pair across the limit", `xxxxxxx${EMOJI}${"z".repeat(20)}`, 2, `xxxxxxx${MARK}`],
    ["a surrogate pair that ends at the limit", `xxxxxx${EMOJI}${"z".repeat(20)}`, 2, `xxxxxx${EMOJI}${MARK}`],
    ["a surrogate pair that begins after the limit", `xxxxxxxx${EMOJI}${"z".repeat(20)}`, 2, `xxxxxxxx${MARK}`],
    ["a lone high surrogate at the limit", `xxxxxxx\ud83d${"z".repeat(20)}`, 2, `xxxxxxx\ud83d${MARK}`],
    ["a lone low surrogate after the limit", `xxxxxxxx\ude00${"z".repeat(20)}`, 2, `xxxxxxxx${MARK}`],
  ];
  for (const [what, content, max, expected] of ROWS) {
    test(what, () => assert.equal(compressed(content, max), expected));
  }

  test("what was cut once is short enough the next time", () => {
    const once = compressToolResult(res("a", "x".repeat(100)), { maxToolResultTokens: 2 });
    assert.equal(compressToolResult(once, { maxToolResultTokens: 2 }), once);
  });
});

describe("compressToolResult on blocks", () => {
  const ROWS: readonly (readonly [what: string, content: readonly Block[], max: number, expected: readonly Block[]])[] = [
    [
      "the block in which the limit falls is cut, later text goes",
      [text("aaaaa"), text("bbbbbbbbbb"), text("cccccccccc")],
      2,
      [text("aaaaa"), text(`bbb${MARK}`)],
    ],
    ["the block whose end is the limit is marked", [text("aaaaaaaa"), text("b".repeat(20))], 2, [text(`aaaaaaaa${MARK}`)]],
    ["the second block's end is the limit", [text("aaaa"), text("bbbb"), text("c".repeat(20))], 2, [text("aaaa"), text(`bbbb${MARK}`)]],
    ["images stay where they are", [image, text("a".repeat(30)), image, text("b"), image], 2, [image, text(`aaaaaaaa${MARK}`), image, image]],
    ["images have no length", [image, image, text("a".repeat(20))], 2, [image, image, text("a".repeat(20))]],
    ["the sum counts: 12 over the limit", [text("a".repeat(10)), text("b".repeat(10))], 2, [text("a".repeat(10)), text("b".repeat(10))]],
    ["the sum counts: 13 over the limit", [text("a".repeat(10)), text("b".repeat(11))], 2, [text(`aaaaaaaa${MARK}`)]],
    ["a limit of 0 leaves the mark", [text("a".repeat(13))], 0, [text(MARK)]],
    ["fields of a cut block stay", [text("a".repeat(30), { citations: null })], 1, [text(`aaaa${MARK}`, { citations: null })]],
    ["no surrogate pair is cut", [text(`aaa${EMOJI}${"a".repeat(20)}`)], 1, [text(`aaa${MARK}`)]],
  ];
  for (const [what, content, max, expected] of ROWS) {
    test(what, () => assert.deepEqual(compressed(content, max), expected));
  }
});

describe("compressToolResult gives the same block", () => {
  const long = res("a", "x".repeat(1000));
  const ROWS: readonly (readonly [what: string, block: ToolResultBlock, config?: { maxToolResultTokens?: number }])[] = [
    ["without a config", long],
    ["with nothing set", long, {}],
    ["for a result without content", { type: "tool_result", tool_use_id: "a" }, { maxToolResultTokens: 0 }],
    ["for a short result", res("a", "short"), { maxToolResultTokens: 2 }],
    ["for short blocks", res("a", [text("short"), image]), { maxToolResultTokens: 2 }],
  ];
  for (const [what, block, config] of ROWS) {
    test(what, () => assert.equal(config === undefined ? compressToolResult(block) : compressToolResult(block, config), block));
  }
});

test("an error result is cut like others, and every other field of the block stays", () => {
  const block = res("a", "x".repeat(100), { is_error: true, cache_control: { type: "ephemeral" } });
  const cut = compressToolResult(block, { maxToolResultTokens: 1, collapseAfterTurns: 3 });
  assert.deepEqual(cut, res("a", `xxxx${MARK}`, { is_error: true, cache_control: { type: "ephemeral" } }));
  assert.equal(block.content, "x".repeat(100));
});
