/** A history from its first message on: summaries as results arrive, queries, undo, and the view at any time. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";

process.chdir(mkdtempSync(`${tmpdir()}/palimpsest-`));
const output = Array.from({ length: 400 }, (_, line) => `src/part-${line % 5}.ts:${line}: DATABASE_URL`).join("\n");
// #region open
import { openHistory } from "palimpsest/history"; // "memory", "sqlite:path" or "postgres://…"

const history = await openHistory({ store: "sqlite:agent.db", thread: "task-42" });
// #endregion
// #region results
await history.configureToolSummarization({ autoThreshold: 1_000, instructions: { grep: "matching filenames and line numbers only" } });
await history.user("Where is the database configured?");
await history.assistant([{ type: "tool_use", id: "toolu_01", name: "grep", input: { pattern: "DATABASE_URL" } }]);
const commit = await history.toolResult("toolu_01", "grep", output); // the original; the view shows a summary
const view = await history.view(); // what to send now
// #endregion
// #region later
await history.assistant("In src/part-0.ts.");
await history.toolResult("toolu_01", "grep", "src/part-0.ts:0: DATABASE_URL", { edit: commit }); // a leaner version
const found = await history.findToolResults({ name: "grep" }); // every result once, in its current version
const { edits } = await history.compressToolCalls(); // summaries over tool turns
for (const { id } of edits) await history.undo(id); // and back
const then = await history.view({ at: commit }); // the view at that commit, before its summary
// #endregion
console.log(view.at(-1), found.length, then.length);
assert.ok(JSON.stringify(view).length * 3 < output.length);
assert.equal(await history.getContent(found[0]?.hash ?? ""), "src/part-0.ts:0: DATABASE_URL");
await history.close();
rmSync("agent.db");
