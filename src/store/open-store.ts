import { invalid } from "../errors/palimpsest-error.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { Store } from "./store.ts";

const ACCEPTED = '"memory", "sqlite:path/of/a/file" or "postgres://user:password@host:port/database"';

/** "memory", "sqlite:path" or "postgres://user:password@host:port/database". What a store needs is loaded only if it is used. */
export async function openStore(where: string): Promise<Store> {
  if (typeof where !== "string") throw invalid("INVALID_OPTION", "store", ACCEPTED, where);
  if (where === "memory") return createMemoryStore();
  if (/^sqlite:./s.test(where)) {
    const { openSqliteStore } = await import("./sqlite-store.ts");
    return openSqliteStore(where.slice("sqlite:".length));
  }
  if (/^postgres(ql)?:\/\//.test(where)) {
    const { openPostgresStore } = await import("./postgres-store.ts");
    return openPostgresStore(where);
  }
  throw invalid("INVALID_OPTION", "store", ACCEPTED, schemeOf(where));
}

/** Of what was meant to be an address: there may be a password in the rest. */
function schemeOf(where: string): string {
  const [scheme = "", ...rest] = where.split(":");
  return rest.length === 0 ? scheme : `${scheme}:…`;
}
