import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { partOfRepository, readRepositories } from "../../bench/quality/repositories.ts";

test("a repository is in one part, whatever else there is", () => {
  const names = ["entireio/cli", "entireio/git-sync", "EntityProcess/agentv", "sierra-research/tau-bench"];
  assert.deepEqual(names.map((name) => partOfRepository(name, 4)), [3, 2, 4, 2]); // prettier-ignore
  assert.deepEqual(names.map((name) => partOfRepository(name, 1)), [1, 1, 1, 1]); // prettier-ignore
});

test("parts are about as large as each other", () => {
  const counts = [0, 0, 0, 0];
  for (let number = 0; number < 4_000; number++) {
    const at = partOfRepository(`owner/name-${number}`, 4) - 1;
    counts[at] = (counts[at] ?? 0) + 1;
  }
  assert.ok(
    counts.every((count) => count > 900 && count < 1_100),
    String(counts),
  );
});

test("the index of a corpus names the repository of each file", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "repositories-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (entries: unknown): void => writeFileSync(join(folder, "INDEX.json"), JSON.stringify(entries));
  write([{ file: "codex/a.jsonl", repo: "owner/name", licence: "MIT" }]);
  assert.deepEqual([...readRepositories(folder)], [["codex/a.jsonl", "owner/name"]]);
  write([{ file: "codex/a.jsonl" }]);
  assert.throws(() => readRepositories(folder), /INDEX\.json: entry 0 has no file or no repo/);
});
