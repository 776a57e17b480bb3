/** What earlier versions wrote is opened, migrated and read as it was: stores, exports, and states of threads and compactors. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { createThread } from "../src/agent/index.ts";
import { openHistory, openStore, type Store } from "../src/history/index.ts";
import { verifyStore } from "../src/history/verify.ts";
import { createCompactor, type CompactorState } from "../src/conversation/index.ts";
import type { ThreadState } from "../src/agent/index.ts";
import { COMPACTOR_OPTIONS, conversation, readStore } from "./support/stores/fixture-threads.ts";
import { runSql } from "./support/stores/postgres-dump.ts";
import { startPostgres, type Postgres } from "./support/postgres.ts";

const FOLDER = new URL("fixtures/stores/", import.meta.url);

/** Of a version, what is in the way of the last statement of the next one's migration, and what puts that right. */
const BLOCKING: Readonly<Record<string, readonly [blocking: string, unblocking: string]>> = {
  "schema-1": ["ALTER TABLE palimpsest_memos ADD COLUMN seal text", "ALTER TABLE palimpsest_memos DROP COLUMN seal"],
  "schema-2": ["CREATE TABLE palimpsest_notes_by_time (at text)", "DROP TABLE palimpsest_notes_by_time"],
};

for (const version of readdirSync(FOLDER)) {
  const bytes = (file: string): Buffer => gunzipSync(readFileSync(new URL(`${version}/${file}.gz`, FOLDER)));
  const json = (file: string): unknown => JSON.parse(bytes(file).toString("utf8"));

  describe(`what was written as ${version}`, () => {
    const folder = mkdtempSync(join(tmpdir(), "palimpsest-fixtures-"));
    const path = join(folder, "store.db");
    let postgres: Postgres | undefined;
    before(async () => {
      postgres = await startPostgres();
    });
    after(async () => {
      await postgres?.stop();
      rmSync(folder, { recursive: true, force: true });
    });
    const loaded = async (): Promise<string> => {
      const address = (await postgres?.createDatabase()) ?? "";
      await runSql(address, bytes("postgres.sql").toString("utf8"));
      return address;
    };

    it("an SQLite file reads the same, now and when it is opened again", async () => {
      writeFileSync(path, bytes("store.db"));
      await readsTheSame(`sqlite:${path}`, json("expected-sqlite.json"));
    });

    it("a PostgreSQL database reads the same, now and when it is opened again", async () => {
      await readsTheSame(await loaded(), json("expected-postgres.json"));
    });

    const migration = (): Promise<void> => migrationFails(version, join(folder, "broken.db"), bytes("store.db"), loaded, json);
    if (BLOCKING[version] !== undefined) it("a migration that fails leaves the store as it was, and it can be opened when that is put right", migration);

    it("an export is imported into every kind of store, with the same hashes, and exported as it was", async () => {
      for (const address of ["memory", `sqlite:${join(folder, "imported.db")}`, (await postgres?.createDatabase()) ?? ""]) {
        const store = await openStore(address);
        for (const [thread, exported] of Object.entries(json("exports.json") as Record<string, string>)) {
          const history = await openHistory({ store, thread });
          await history.import(exported);
          assert.equal(await history.export(), exported);
          assert.deepEqual((await history.verify()).faults, []);
        }
        await store.close();
      }
    });

    it("states of a thread and of a compactor are gone on with", () => {
      const { thread, compactor } = json("states.json") as { thread: ThreadState; compactor: CompactorState };
      assert.deepEqual(JSON.parse(JSON.stringify(createThread({ state: thread }))), thread);
      const resumed = createCompactor({ ...COMPACTOR_OPTIONS, state: compactor });
      const { edits } = resumed.next(conversation().flat(), { model: "claude-sonnet-5", atMs: compactor.steps.at(-1)?.atMs ?? 0 });
      assert.deepEqual(JSON.parse(JSON.stringify(edits)), compactor.edits);
    });
  });
}

async function migrationFails(
  version: string,
  broken: string,
  whole: Uint8Array,
  loaded: () => Promise<string>,
  json: (file: string) => unknown,
): Promise<void> {
  writeFileSync(broken, whole);
  const address = await loaded();
  const [blocking = "", unblocking = ""] = BLOCKING[version] ?? [];
  const inSqlite = (sql: string): unknown[] => {
    const database = new DatabaseSync(broken);
    try {
      return database.prepare(sql).all();
    } finally {
      database.close();
    }
  };
  const all = "SELECT * FROM palimpsest_branches ORDER BY number";
  const versions = "SELECT version FROM palimpsest_schema";
  const written = async (): Promise<unknown[]> => [
    inSqlite(all),
    await runSql(address, all),
    inSqlite(versions),
    await runSql(address, versions),
    inSqlite("SELECT name FROM sqlite_schema ORDER BY name"),
    await runSql(address, "SELECT relname FROM pg_class WHERE relname LIKE 'palimpsest%' ORDER BY relname"),
  ];
  inSqlite(blocking);
  await runSql(address, blocking);
  const before = await written();
  for (const where of [`sqlite:${broken}`, address]) await assert.rejects(openStore(where), { code: "STORE_FAILED" });
  assert.deepEqual(await written(), before);
  inSqlite(unblocking);
  await runSql(address, unblocking);
  await readsTheSame(`sqlite:${broken}`, json("expected-sqlite.json"));
  await readsTheSame(address, json("expected-postgres.json"));
}

async function readsTheSame(address: string, expected: unknown): Promise<void> {
  for (const create of [true, false]) {
    const store = await openStore(address, { create });
    try {
      assert.deepEqual(await readStore(store), expected);
      await hasNoFaults(store);
    } finally {
      await store.close();
    }
  }
}

async function hasNoFaults(store: Store): Promise<void> {
  assert.deepEqual(await verifyStore(store), []);
  for (const { id } of await store.threads()) assert.deepEqual((await (await openHistory({ store, thread: id })).verify()).faults, [], id);
}
