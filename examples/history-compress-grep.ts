/** Compresses only the turns of one tool, with instructions; everything else stays as it is. */
import assert from "node:assert/strict";
import { openHistory } from "palimpsest/history";

const history = await openHistory({ store: "memory" });
await history.user("Where is the database configured?");
await history.assistant([{ type: "tool_use", id: "call_1", name: "grep", input: { pattern: "DATABASE_URL" } }]);
await history.toolResult("call_1", "grep", Array.from({ length: 200 }, (_, line) => `src/part-${line % 3}.py:${line}: DATABASE_URL`).join("\n"));
await history.assistant([{ type: "tool_use", id: "call_2", name: "read_file", input: { path: "src/part-0.py" } }]);
await history.toolResult("call_2", "read_file", "DATABASE_URL = 'postgres://localhost/app'");
await history.assistant("In src/part-0.py: postgres://localhost/app.");

const grepTurns = await history.findToolTurns({ name: "grep" });
const hashes = grepTurns.flatMap((turn) => turn.allHashes);
const { summaries } = await history.compress({ commits: hashes, instructions: "summarize to matching filenames only", targetTokens: 120 });

const view = JSON.stringify(await history.view());
console.log(summaries[0]);
assert.match(summaries[0] ?? "", /src\/part-2\.py/);
assert.ok(!view.includes('"name":"grep"') && view.includes('"name":"read_file"') && view.includes("postgres://localhost/app"));
