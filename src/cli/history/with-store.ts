import { Option } from "commander";
import { existsSync } from "node:fs";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { openStore, type Store } from "../../history/index.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";

const DEFAULT_STORE = "sqlite:palimpsest.db";
const FORMS = "Give sqlite:path/of/a/file or postgres://user:password@host:port/database after --store.";

const MAKES_ONE = "palimpsest import <transcript> creates one; --store or PALIMPSEST_STORE names another one.";

export interface StoreOptions {
  readonly store: string;
  readonly json?: boolean;
}

export function storeOption({ env }: CommandContext): Option {
  // Not `Option.env`, which reads the environment of the process. An address from the environment is not shown: it may hold a password.
  return new Option("--store <address>", "sqlite:path or postgres://…").default(
    env["PALIMPSEST_STORE"] ?? DEFAULT_STORE,
    `"${DEFAULT_STORE}", env: PALIMPSEST_STORE`,
  );
}

/** Uses an existing store, and closes it. */
export async function withStore<T>(context: CommandContext, options: StoreOptions, use: (store: Store) => Promise<T>): Promise<T> {
  return closing(await openStoreThere(context, options), use);
}

/** Opens an existing store. Never creates one, so that a mistyped address is an error. */
export async function openStoreThere(context: CommandContext, { store: address }: StoreOptions): Promise<Store> {
  const path = fileOfStore(address);
  if (path !== undefined && !existsSync(context.resolve(path))) throw new CliError(`There is no store at ${path}.`, MAKES_ONE);
  return openThere(context, address);
}

/** Uses a store, creating it if it does not exist, and closes it. */
export async function withNewStore<T>(context: CommandContext, { store: address }: StoreOptions, use: (store: Store) => Promise<T>): Promise<T> {
  return closing(await open(context, address, true), use);
}

async function closing<T>(store: Store, use: (store: Store) => Promise<T>): Promise<T> {
  try {
    return await use(store);
  } finally {
    await store.close();
  }
}

/** Messages name the store as the user typed it, wherever its file is. */
async function open({ resolve }: CommandContext, address: string, create: boolean): Promise<Store> {
  const path = fileOfStore(address);
  if (path === undefined) return openStore(address, { create });
  const { openSqliteStore } = await import("../../store/sqlite-store.ts");
  return openSqliteStore(resolve(path), create, address);
}

async function openThere(context: CommandContext, address: string): Promise<Store> {
  try {
    return await open(context, address, false);
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.data["missing"] !== true) throw error;
    throw new CliError(`${String(error.data["store"])} is a database without histories, and nothing was written to it.`, MAKES_ONE, error);
  }
}

/** Undefined: it is in PostgreSQL. Refuses stores in memory, and never repeats an address in an error: it may hold a password. */
export function fileOfStore(address: string): string | undefined {
  if (/^postgres(ql)?:\/\//.test(address)) return undefined;
  const path = /^sqlite:(.+)$/s.exec(address)?.[1];
  if (address === "memory" || path === ":memory:") throw new CliError("A store in memory would be gone when the command ends.", FORMS);
  if (path === undefined || path.startsWith("file:")) throw new CliError("That is not the address of a store.", FORMS);
  return path;
}
