import { Option } from "commander";
import { existsSync } from "node:fs";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { openStore, type Store } from "../history/index.ts";
import { CliError } from "./cli-error.ts";

const DEFAULT_STORE = "sqlite:palimpsest.db";
const FORMS = "Give sqlite:path/of/a/file or postgres://user:password@host:port/database after --store.";

const MAKES_ONE = "palimpsest import <transcript> makes one; --store or PALIMPSEST_STORE says where another one is.";

export interface StoreOptions {
  readonly store: string;
  readonly json?: boolean;
}

export function storeOption(): Option {
  return new Option("--store <address>", "sqlite:path or postgres://…").env("PALIMPSEST_STORE").default(DEFAULT_STORE);
}

/** Uses a store that is there, and closes it. None is made: whoever mistypes an address is told so. */
export async function withStore<T>({ store: address }: StoreOptions, use: (store: Store) => Promise<T>): Promise<T> {
  const path = sqlitePath(address);
  if (path !== undefined && !existsSync(path)) throw new CliError(`There is no store at ${path}.`, MAKES_ONE);
  return closing(await openThere(address), use);
}

/** The same, and a store that is not there is made. */
export async function withNewStore<T>({ store: address }: StoreOptions, use: (store: Store) => Promise<T>): Promise<T> {
  sqlitePath(address);
  return closing(await openStore(address), use);
}

async function closing<T>(store: Store, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

async function openThere(address: string): Promise<Store> {
  try {
    return await openStore(address, { create: false });
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.data["missing"] !== true) throw error;
    throw new CliError(`${String(error.data["store"])} is a database without histories, and nothing was written into it.`, MAKES_ONE, error);
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
