/** A process that compacts a thread that others write: `node living-compactor.ts store thread`. It says what it would send, per length of the log, until somebody says "done". */
import { createHash } from "node:crypto";
import { openCompactor } from "../../../src/history/index.ts";
import { LIVING_POLICY } from "./living-rounds.ts";

const [store = "", thread = ""] = process.argv.slice(2);
const compactor = await openCompactor({ ...LIVING_POLICY, store, thread });
for (let isDone = false; !isDone;) {
  const { messages, edits, report } = await compactor.next();
  const bytes = createHash("sha256")
    .update(JSON.stringify([messages, edits]))
    .digest("hex");
  console.log(`${report.positions.length} ${bytes}`);
  isDone = messages.at(-1)?.content === "done";
}
await compactor.close();
