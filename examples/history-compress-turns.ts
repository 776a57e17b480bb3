/** Compresses all tool turns to summaries; questions and answers stay. Here without a model; pass any `summarizer`. */
import assert from "node:assert/strict";
import { checkMessages } from "palimpsest";
import { openHistory, TOOL_SUMMARIZE_SYSTEM } from "palimpsest/history";

const history = await openHistory({ store: "memory" });
for (const [number, path] of ["config.py", "main.py", "deploy.py"].entries()) {
  await history.user(`What is in ${path}?`);
  await history.assistant([{ type: "tool_use", id: `call_${number}`, name: "read_file", input: { path } }]);
  await history.toolResult(`call_${number}`, "read_file", Array.from({ length: 100 }, (_, line) => `${path} line ${line}: value = ${line * 7}`).join("\n"));
  await history.assistant(`A hundred values are in ${path}.`);
}

const turns = await history.findToolTurns();
const hashes = turns.flatMap((turn) => turn.allHashes);
const { edits, tokensBefore, tokensAfter } = await history.compress({ commits: hashes, systemPrompt: TOOL_SUMMARIZE_SYSTEM, targetTokens: 300 });

const view = await history.view();
console.log(`${edits.length} runs, ${tokensBefore} tokens before, ${tokensAfter} after`);
assert.equal(edits.length, 3);
assert.ok(tokensAfter < tokensBefore / 3);
assert.ok(!JSON.stringify(view).includes("tool_use") && JSON.stringify(view).includes("A hundred values are in deploy.py."));
assert.deepEqual(checkMessages([...view, { role: "user", content: "Thanks." }]), []);

for (const { id } of edits) await history.undo(id);
assert.deepEqual(await history.view(), await history.messages());
