/** No text makes `extractive` take more than time in proportion to its length. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { transcriptText, extractive } from "../src/summarize/index.ts";

const INSTRUCTIONS: readonly string[] = [
  "",
  'errors in "a" and the exit code of stderr',
  "filenames and line numbers only",
  "first 9 lines and last 9 lines of stdout",
];

/** Texts of about so many characters. */
const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  "one line of words": (length) => "word1 ".repeat(length / 6),
  "one line without a break": (length) => "a".repeat(length),
  lines: (length) => Array.from({ length: length / 40 }, (_, index) => `line ${index} of the output, error? ${index * 7}`).join("\n"),
  "blank lines": (length) => "\n".repeat(length),
  "deep JSON": (length) => "[".repeat(length / 2) + "]".repeat(length / 2),
  "deep JSON that does not end": (length) => '{"a":'.repeat(length / 5),
  "JSON lines": (length) => '{"id":1,"message":"hello","error":null}\n'.repeat(length / 40),
  "hits of a search": (length) => Array.from({ length: length / 25 }, (_, index) => `src/file${index}.ts:${index}: x`).join("\n"),
  "dots and dashes": (length) => "a.-".repeat(length / 3),
  slashes: (length) => "/".repeat(length),
  "carriage returns": (length) => "a\r".repeat(length / 2),
  tags: (length) => "<div><p>".repeat(length / 8),
  quotes: (length) => `"'\``.repeat(length / 3),
  emoji: (length) => "😀".repeat(length / 2),
  "parts of a conversation": (length) =>
    transcriptText(
      Array.from({ length: length / 100 }, (_, index) => [
        { role: "assistant" as const, content: [{ type: "tool_use", id: `c${index}`, name: "bash", input: { command: `sed -i s/a/b/ file${index}` } }] },
        { role: "user" as const, content: [{ type: "tool_result", tool_use_id: `c${index}`, content: `done ${index}\n`, is_error: true }] },
      ]).flat(),
    ),
};

const SMALL = 250_000;
const TIMES = 8;
/** Noise of a busy machine, and what grows with the logarithm. Quadratic would be 64 times. */
const MOST_TIMES = 32;
const GRACE_MS = 400;

async function timeOf(text: string, instructions: string): Promise<number> {
  const start = performance.now();
  await extractive()({ text, system: "", instructions });
  return performance.now() - start;
}

for (const [name, make] of Object.entries(SHAPES)) {
  test(`${name}: ${TIMES} times the text takes about ${TIMES} times the time`, async () => {
    const small = make(SMALL);
    const large = make(SMALL * TIMES);
    for (const instructions of INSTRUCTIONS) {
      const before = await timeOf(small, instructions);
      const after = await timeOf(large, instructions);
      assert.ok(after < GRACE_MS + before * MOST_TIMES, `${JSON.stringify(instructions)}: ${Math.round(before)} ms, then ${Math.round(after)} ms`);
    }
  });
}

test("a line of 50 MB and a million lines", async () => {
  assert.ok((await timeOf("word1 ".repeat(50e6 / 6), "")) < 60_000);
  assert.ok((await timeOf("a line of the output\n".repeat(1e6), "")) < 60_000);
});
