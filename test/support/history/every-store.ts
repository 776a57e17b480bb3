import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { openStore } from "../../../src/store/open-store.ts";
import type { Store } from "../../../src/store/store.ts";
import { startPostgres, type Postgres } from "../postgres.ts";

/** Opens a store that is closed when its tests are over. Threads of other tests may be in it, unless it has to be empty. */
export type OpenForTest = (wish?: { readonly isEmpty: boolean }) => Promise<Store>;

/** The same tests on every kind of store. */
export function onEveryStore(name: string, tests: (open: OpenForTest) => void): void {
  describe(`${name}, in memory`, () => {
    tests(closing(() => Promise.resolve("memory")));
  });
  describe(`${name}, in SQLite`, () => {
    const folder = mkdtempSync(join(tmpdir(), "palimpsest-history-"));
    after(() => rmSync(folder, { recursive: true, force: true }));
    let files = 0;
    tests(closing(() => Promise.resolve(`sqlite:${join(folder, `${++files}.db`)}`)));
  });
  describe(`${name}, in PostgreSQL`, () => {
    let postgres: Postgres | undefined;
    before(async () => {
      postgres = await startPostgres();
    });
    tests(closing(() => postgres?.createDatabase() ?? Promise.reject(new Error("no server"))));
    after(() => postgres?.stop());
  });
}

/** A new one takes its time in PostgreSQL, so most tests share one. */
function closing(address: () => Promise<string>): OpenForTest {
  const opened: Store[] = [];
  let shared: Store | undefined;
  after(async () => {
    for (const store of opened) await store.close();
  });
  const openNew = async (): Promise<Store> => {
    const store = await openStore(await address());
    opened.push(store);
    return store;
  };
  return async (wish) => {
    if (wish?.isEmpty === true) return openNew();
    shared ??= await openNew();
    return shared;
  };
}
