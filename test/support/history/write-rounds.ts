/** A process that takes part in a thread: `node write-rounds.ts store thread name rounds`. It goes on until all of its rounds are written. */
import { openHistory } from "../../../src/history/index.ts";
import { use } from "../threads/speak.ts";

const [store = "", thread = "", name = "", rounds = "0"] = process.argv.slice(2);
const history = await openHistory({ store, thread });
for (let round = 0; round < Number(rounds); round++) {
  const id = `${name}-${round}`;
  await history.assistant([use(id, name)]);
  const original = await history.toolResult(id, name, `result of ${id}`);
  if (round % 2 === 0) await history.toolResult(id, name, `edited ${id}`, { edit: original });
}
await history.close();
