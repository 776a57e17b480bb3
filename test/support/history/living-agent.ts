/**
 * An agent whose thread lives in a store, and that may be ended at any moment: `node living-agent.ts store thread turns`. It goes on
 * where the thread is, and says what it has each time a turn is saved.
 */
import { writeSync } from "node:fs";
import { openThread, type StoredThread } from "../../../src/agent/index.ts";
import { text, use } from "../build.ts";
import { result } from "../threads/speak.ts";
import { hashOf, LIVING_THREAD, turnsIn } from "./living-turns.ts";

const [store = "", thread = "", turns = "0"] = process.argv.slice(2);
const living = await openThread({ ...LIVING_THREAD, store, thread });
writeSync(1, "open\n");
for (let turn = turnsIn(living); turn < Number(turns); turn = turnsIn(living)) {
  while (living.next().next !== "user") goOn(living);
  if (turn > 0) {
    await living.saved();
    writeSync(1, `${living.log().length} ${hashOf(living.log())}\n`);
  }
  living.user(`turn ${turn + 1}`);
}
while (living.next().next !== "user") goOn(living);
await living.close();
writeSync(1, "done\n");

/** One step of the loop. In every turn two rounds, then a call of `compact` beside another one, then an answer. */
function goOn(open: StoredThread): void {
  const { next, calls } = open.next();
  if (next === "tools") {
    // One by one: what came first waits for the others.
    for (const { id, name } of calls) open.toolResults([result(id, `${name} ${id}\n${"a line of output\n".repeat(40)}`)]);
    return;
  }
  open.request();
  const { length } = open.log();
  const [from, to] = open
    .checkpoints()
    .slice(-3)
    .map(({ id }) => id);
  const step = open.log().slice(open.log().findLastIndex(({ content }) => JSON.stringify(content).includes('"turn '))).length;
  if (step <= 3) open.assistant({ content: [use(`a${length}`), use(`b${length}`, "bash")] });
  else if (step <= 5 && from !== undefined && to !== undefined)
    open.assistant({ content: [use(`c${length}`, "compact", { replacements: [{ from, to, summary: `until ${length}` }] }), use(`d${length}`)] });
  else open.assistant({ content: [text("The turn is over.")] });
}
