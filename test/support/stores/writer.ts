/**
 * A process that appends to one branch: `node writer.ts <store> <writer> <commits>`. It prints the hash of every commit that the store
 * has acknowledged, at once, so that whoever kills it knows what must be there.
 */
import { writeSync } from "node:fs";
import { openStore } from "../../../src/store/open-store.ts";
import { appendNext, SHARED_BRANCH } from "./append-next.ts";

const [where = "", writer = "", commits = "0"] = process.argv.slice(2);
const store = await openStore(where);
for (let count = 0; count < Number(commits); count++) writeSync(1, `${await appendNext(store, SHARED_BRANCH, `${writer}: ${count}`)}\n`);
await store.close();
