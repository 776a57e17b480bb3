/**
 * A process that takes part in the thread "shared": `node write-rounds.ts store name rounds [meet at]`. It prints the hash of every commit that
 * was acknowledged, at once, so that whoever kills it knows what must be there. Before that round it waits for the others.
 */
import { writeSync } from "node:fs";
import { openHistory, type Commit } from "../../../src/history/index.ts";
import { meetTheOthers } from "../stores/meeting.ts";
import { use } from "../build.ts";

const [store = "", name = "", rounds = "0", meetAt] = process.argv.slice(2);
const history = await openHistory({ store, thread: "shared" });
const acknowledged = ({ hash }: Commit): number => writeSync(1, `${hash}\n`);
for (let round = 0; round < Number(rounds); round++) {
  if (`${round}` === meetAt) await meetTheOthers();
  const id = `${name}-${round}`;
  acknowledged(await history.assistant([use(id, name)]));
  const original = await history.toolResult(id, name, `result of ${id}`);
  acknowledged(original);
  if (round % 2 === 0) acknowledged(await history.toolResult(id, name, `edited ${id}`, { edit: original }));
}
await history.close();
