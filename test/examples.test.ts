/** Every example runs, and what it asserts holds. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../", import.meta.url));
const examples = globSync("examples/*.ts", { cwd: root }).sort();

test("there are examples for every way in", () => {
  assert.deepEqual(
    examples.map((file) => basename(file)),
    [
      "ai-sdk-agent.ts",
      "anthropic-loop.ts",
      "compactor-loop.ts",
      "history-compress-grep.ts",
      "history-compress-turns.ts",
      "history-lean-results.ts",
      "history-log-only.ts",
      "openai-loop.ts",
      "own-summarizer.ts",
      "thread-in-sqlite.ts",
    ],
  );
});

for (const example of examples) {
  test(`${example} runs, in fewer than 40 lines`, { timeout: 120_000 }, async () => {
    assert.ok(readFileSync(new URL(`../${example}`, import.meta.url), "utf8").split("\n").length <= 40);
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", "./scripts/resolve-sources.ts", example], { cwd: root });
    assert.notEqual(stdout, "");
  });
}
