/**
 * Summaries of every tool result and every conversation of real recordings.
 * They are no part of this repository: see `support/corpus.ts`.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { loadTranscript } from "../src/formats/transcripts/load-transcript.ts";
import { estimateTokens, type Message } from "../src/index.ts";
import { extractive, ledgerOf, transcriptText } from "../src/summarize/index.ts";
import { parseTranscript } from "../src/text/transcript-text.ts";
import { CORPUS_OPEN, HOW_TO_GET_IT, openIndex } from "./support/corpus.ts";

const folder = CORPUS_OPEN;
const index = openIndex();

if (index.length === 0) {
  test("the corpus of transcripts is not there: nothing of it was summarized", (t) => {
    t.diagnostic(HOW_TO_GET_IT);
  });
}

for (const { file } of index) {
  test(`${file}: no summary throws, is longer than its text, or takes long`, { timeout: 120_000 }, async () => {
    const { trajectories } = await loadTranscript(`${folder}/${file}`);
    let results = 0;
    for (const { log } of trajectories) {
      const text = transcriptText(log);
      const parts = parseTranscript(text)?.parts ?? [];
      for (const part of parts) {
        if (part.kind !== "result" && part.kind !== "error") continue;
        await checkSummary(part.text);
        results++;
      }
      await checkSummary(text);
      checkLedger(log);
    }
    assert.ok(results > 0, "no tool result was found");
  });
}

async function checkSummary(text: string): Promise<void> {
  const summary = await extractive()({ text, system: "" });
  const tokens = estimateTokens(summary);
  assert.ok(summary.length <= text.length && tokens <= Math.max(32, Math.min(2000, Math.ceil(estimateTokens(text) / 5))), `${tokens} tokens`);
  assert.ok(text.trim() === "" || summary.trim() !== "", "nothing is left");
  assert.ok(summary.isWellFormed() || !text.isWellFormed());
}

/** Every path was told by a call: its last part stands in one. */
function checkLedger(log: readonly Message[]): void {
  const ledger = ledgerOf(log);
  if (ledger.length === 0) return;
  const calls = JSON.stringify(log.flatMap(({ content }) => (typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_use"))));
  for (const { path, actions } of ledger) {
    const name = path.split("/").at(-1) ?? "";
    assert.ok(calls.includes(JSON.stringify(name).slice(1, -1)), `${path} is in no call`);
    assert.ok(actions.length > 0 && new Set(actions).size === actions.length, `${path}: ${actions.join(", ")}`);
  }
}

/** What was done in recordings, looked up by hand, by the file's name or the end of it: the file was written, read, or taken away. */
const KNOWN: readonly [file: string, path: string, actions: string][] = [
  ["gemini-cli/entirecli_ab-2b9748b105-0.json", "docs/blue.md", "made, deleted"],
  ["swe-agent/pandas-dev__pandas.95280573.pr_53652.traj.gz", "/testbed/reproduce_error.py", "made, deleted"],
  ["swe-agent/pandas-dev__pandas.95280573.pr_53652.traj.gz", "/testbed/pandas/core/indexes/base.py", "read, changed"],
  ["codex/gitsync_1f-9417321410-1.jsonl.gz", "git-sync/docs/rewrite-memo.md", "made"],
  ["claude-code/cipherbox_b4-b33d460b93-0.jsonl.gz", ".planning/todos/pending/2026-02-13-test-login-endpoint-for-e2e.md", "deleted"],
  ["mini-swe-agent/psf__requests-1921.traj.json", "requests/sessions.py.bak", "made, deleted"],
];

for (const [file, path, actions] of KNOWN) {
  if (!index.some((entry) => entry.file === file)) continue;
  test(`${file}: ${path} was ${actions}`, async () => {
    const { trajectories } = await loadTranscript(`${folder}/${file}`);
    const ledger = trajectories.flatMap(({ log }) => ledgerOf(log));
    const exact = ledger.filter((entry) => entry.path === path);
    const found = exact.length > 0 ? exact : ledger.filter((entry) => entry.path.endsWith(`/${path}`));
    assert.deepEqual(
      found.map((entry) => entry.actions.join(", ")),
      [actions],
    );
  });
}
