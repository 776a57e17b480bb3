/**
 * A process that appends to one branch: `node writer.ts <store> <writer> <commits> [<meet at> [<durability>]]`. It prints the hash of every commit that the
 * store has acknowledged, at once, so that whoever kills it knows what must be there. Before that commit it waits for the others.
 */
import { writeSync } from "node:fs";
import { openStore } from "../../../src/store/open-store.ts";
import { appendNext, SHARED_BRANCH } from "./append-next.ts";
import { meetTheOthers } from "./meeting.ts";

const [where = "", writer = "", commits = "0", meetAt, durability] = process.argv.slice(2);
const store = await openStore(where, durability === "normal" ? { durability } : {});
for (let count = 0; count < Number(commits); count++) {
  if (`${count}` === meetAt) await meetTheOthers();
  writeSync(1, `${await appendNext(store, SHARED_BRANCH, `${writer}: ${count}`)}\n`);
}
await store.close();
