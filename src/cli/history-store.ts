import { Option } from "commander";
import { existsSync } from "node:fs";
import { openStore, type Store } from "../history/index.ts";
import { CliError } from "./cli-error.ts";

const DEFAULT_STORE = "sqlite:palimpsest.db";
const FORMS = "Give sqlite:path/of/a/file or postgres://user:password@host:port/database after --store.";

export interface StoreOptions {
  readonly store: string;
  readonly json?: boolean;
}

export function storeOption(): Option {
  return new Option("--store <address>", "sqlite:path or postgres://…").env("PALIMPSEST_STORE").default(DEFAULT_STORE);
}

/** Uses a store that is there, and closes it. None is made: whoever mistypes a path is told so. */
export async function withStore<T>({ store: address }: StoreOptions, use: (store: Store) => Promise<T>): Promise<T> {
  const path = sqlitePath(address);
  if (path !== undefined) await refuseMissing(path);
  return closing(address, use);
}

/** The same, and a store that is not there is made. */
export async function withNewStore<T>({ store: address }: StoreOptions, use: (store: Store) => Promise<T>): Promise<T> {
  sqlitePath(address);
  return closing(address, use);
}

async function closing<T>(address: string, use: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(address);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Undefined: it is in PostgreSQL. What ends with the process is refused, and an address is never repeated: it may hold a password. */
function sqlitePath(address: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(address)) return undefined;
  const path = /^sqlite:(.+)$/s.exec(address)?.[1];
  if (address === "memory" || path === ":memory:") throw new CliError("A store in memory would be gone when the command ends.", FORMS);
  if (path === undefined || path.startsWith("file:")) throw new CliError("That is no address of a store.", FORMS);
  return path;
}

async function refuseMissing(path: string): Promise<void> {
  if (!existsSync(path))
    throw new CliError(`There is no store at ${path}.`, "palimpsest import <transcript> makes one; --store or PALIMPSEST_STORE says where another one is.");
  if (await isForeign(path))
    throw new CliError(`${path} is a database without histories, and only an import would add them.`, "Give the address of another one after --store.");
}

/** A database of something else, or an empty file: to open it as a store would write tables into it. */
async function isForeign(path: string): Promise<boolean> {
  // Node warns once that its SQLite is experimental; a store loads it without.
  await (await openStore("sqlite::memory:")).close();
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
  try {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      return database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'palimpsest_schema'").get() === undefined;
    } finally {
      database.close();
    }
  } catch {
    // Damaged, locked, not readable: the store says what is wrong.
    return false;
  }
}
