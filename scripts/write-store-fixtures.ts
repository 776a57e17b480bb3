/**
 * Writes a store of this version to test/fixtures/stores/<name>: an SQLite file, a dump for PostgreSQL, an export of each thread, states
 * of threads and compactors, and everything that this version reads in them. `node scripts/write-store-fixtures.ts schema-2`. Later
 * versions must read the same, so an existing folder is never overwritten.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "fflate";
import { openHistory, openStore, type Store } from "../src/history/index.ts";
import { POSTGRES_MIGRATIONS } from "../src/store/postgres-schema.ts";
import { fixtureStates, readStore, writeFixtureThreads } from "../test/support/stores/fixture-threads.ts";
import { dumpTables } from "../test/support/stores/postgres-dump.ts";
import { startPostgres } from "../test/support/postgres.ts";

const [name = ""] = process.argv.slice(2);
const folder = new URL(`../test/fixtures/stores/${name}/`, import.meta.url);
if (!/^[\w-]+$/.test(name) || existsSync(folder)) {
  console.error("Give the name of a new folder: existing fixtures are never changed.");
  process.exitCode = 2;
} else {
  await writeAll();
}

async function writeAll(): Promise<void> {
  // The same every time, except for random ids.
  let now = 1_750_000_000_000;
  Date.now = () => (now += 1_000);
  mkdirSync(folder, { recursive: true });
  const write = (file: string, content: string | Uint8Array): void => {
    const bytes = Buffer.from(content);
    writeFileSync(new URL(file, folder), file.endsWith(".gz") ? gzipSync(bytes, { mtime: 0, level: 9 }) : bytes);
  };
  const temporary = mkdtempSync(join(tmpdir(), "palimpsest-fixtures-"));
  const path = join(temporary, "store.db");
  const sqlite = await openStore(`sqlite:${path}`);
  await writeFixtureThreads(sqlite);
  write("expected-sqlite.json.gz", JSON.stringify(await readStore(sqlite)));
  write("exports.json.gz", JSON.stringify(await exportsOf(sqlite)));
  await sqlite.close();
  write("store.db.gz", readFileSync(path));
  rmSync(temporary, { recursive: true });
  const memory = await openStore("memory");
  write("states.json.gz", JSON.stringify(await fixtureStates(memory)));
  await memory.close();
  const postgres = await startPostgres();
  const address = await postgres.createDatabase();
  const store = await openStore(address);
  await writeFixtureThreads(store);
  write("expected-postgres.json.gz", JSON.stringify(await readStore(store)));
  await store.close();
  write("postgres.sql.gz", `${schemaSql()}\n${await dumpTables(address)}`);
  await postgres.stop();
}

/** Returns the export of each thread, by id. */
async function exportsOf(store: Store): Promise<Readonly<Record<string, string>>> {
  const exported: Record<string, string> = {};
  for (const { id } of await store.threads()) exported[id] = await (await openHistory({ store, thread: id })).export();
  return exported;
}

/** Returns the schema as text, so that a later version opens tables that its own code did not create. */
function schemaSql(): string {
  return ["CREATE TABLE palimpsest_schema (version bigint NOT NULL);", ...POSTGRES_MIGRATIONS].join("\n");
}
