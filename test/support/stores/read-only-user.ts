/** A process that may read a store and not write it: `node read-only-user.ts <store>` prints what it could do. */
import { openStore } from "../../../src/store/open-store.ts";
import { PalimpsestError } from "../../../src/errors/palimpsest-error.ts";
import { appendNext, SHARED_BRANCH } from "./append-next.ts";

const store = await openStore(process.argv[2] ?? "");
const read = (await store.commits(SHARED_BRANCH)).length;
const refused = await appendNext(store, SHARED_BRANCH, "text").catch((error: unknown) =>
  error instanceof PalimpsestError ? [error.code, error.data["operation"], error.message] : String(error),
);
console.log(JSON.stringify({ read, refused, readAgain: (await store.commits(SHARED_BRANCH)).length }));
await store.close();
