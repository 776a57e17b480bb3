/** Makes every result of one tool leaner, once the agent knows what matters in it. The originals stay readable. */
import assert from "node:assert/strict";
import { openHistory } from "palimpsest/history";

const history = await openHistory({ store: "memory" });
await history.user("Which files read the configuration?");
for (const [number, pattern] of ["DATABASE_URL", "import config"].entries()) {
  await history.assistant([{ type: "tool_use", id: `call_${number}`, name: "grep", input: { pattern } }]);
  const lines = Array.from({ length: 200 }, (_, line) => `src/part-${line % 4}.py:${line}: ${pattern}`);
  await history.toolResult(`call_${number}`, "grep", lines.join("\n"));
}
await history.assistant("Four files in src do.");

for (const result of await history.findToolResults({ name: "grep" })) {
  const content = await history.getContent(result);
  await history.toolResult(result.metadata.toolCallId ?? "", "grep", fileNamesIn(content), { edit: result.hash });
}

function fileNamesIn(content: unknown): string {
  return [...new Set(String(content).match(/^[^:\n]+/gm))].join("\n");
}

const lean = await history.findToolResults({ name: "grep" });
const originals = await Promise.all(lean.map(({ edits = "" }) => history.getCommit(edits)));
console.log(
  "tokens before and after:",
  originals.map(({ tokens }) => tokens),
  lean.map(({ tokens }) => tokens),
);
assert.equal(await history.getContent(lean[0]?.hash ?? ""), "src/part-0.py\nsrc/part-1.py\nsrc/part-2.py\nsrc/part-3.py");
assert.match(JSON.stringify(await history.getContent(originals[0]?.hash ?? "")), /part-3\.py:199: DATABASE_URL/);
assert.ok(JSON.stringify(await history.view()).length < 1_000);
