import { invalid } from "../errors/palimpsest-error.ts";
import { boolean, oneOf, parseOptions } from "../errors/parse-options.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { Durability } from "./sqlite-database.ts";
import type { Store } from "./store.ts";

const ACCEPTED = '"memory", "sqlite:path/of/a/file" or "postgres://user:password@host:port/database"';

export interface OpenStoreOptions {
  /** Create the store if it does not exist; false: throw instead. A store of an earlier version is migrated either way, as a whole or not at all. Default: true. */
  readonly create?: boolean;
  /**
   * What an acknowledged write to an SQLite file survives. "full": anything but the loss of the disk. "normal": the end of the process,
   * even a kill; if the machine loses power or its system crashes, the last transactions can be missing, each as a whole, but the file is
   * never corrupt. Writes then take microseconds, because none waits for the disk. PostgreSQL always waits for its disk.
   * Default: "full".
   */
  readonly durability?: Durability;
}

/** Opens "memory", "sqlite:path" or "postgres://user:password@host:port/database". A store's dependencies are loaded only if it is used. */
export async function openStore(where: string, options: OpenStoreOptions = {}): Promise<Store> {
  if (typeof where !== "string") throw invalid("INVALID_OPTION", "store", ACCEPTED, where);
  const { create = true, durability = "full" } = parseOptions(options, "options", { create: boolean, durability: oneOf("full", "normal") });
  if (where === "memory") return createMemoryStore();
  if (/^sqlite:./s.test(where)) {
    const { openSqliteStore } = await import("./sqlite-store.ts");
    return openSqliteStore(where.slice("sqlite:".length), create, where, durability);
  }
  if (/^postgres(ql)?:\/\//.test(where)) {
    const { openPostgresStore } = await import("./postgres-store.ts");
    return openPostgresStore(where, create);
  }
  throw invalid("INVALID_OPTION", "store", ACCEPTED, schemeOf(where));
}

/** Returns only the scheme of a wrong address: the rest may hold a password. */
function schemeOf(where: string): string {
  const [scheme = "", ...rest] = where.split(":");
  return rest.length === 0 ? scheme : `${scheme}:…`;
}
