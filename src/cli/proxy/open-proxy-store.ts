import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { openStore } from "../../store/open-store.ts";
import { openSqliteStore } from "../../store/sqlite-store.ts";
import type { Store } from "../../store/store.ts";
import { CliError } from "../cli-error.ts";

const SQLITE = "sqlite:";

/** The opened store, and where it is, in full. */
export interface ProxyStore {
  readonly store: Store;
  readonly address: string;
  /** What the proxy opens it with: each of its threads has a connection of its own, but to what is in memory. */
  readonly shared: string | Store;
  /** Its file, if it is one. */
  readonly file?: string;
}

/** Opens the store of a proxy, creating it and its folder if needed. `resolve` returns the path to open for one that the user gave. */
export async function openProxyStore(address: string, resolve: (path: string) => string): Promise<ProxyStore> {
  try {
    if (!address.startsWith(SQLITE)) {
      const store = await openStore(address);
      // The name, unlike the address, has no password.
      return { store, address: store.name, shared: address === "memory" ? store : address };
    }
    const path = resolve(address.slice(SQLITE.length));
    // Only the user may read their conversations.
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    return { store: await openSqliteStore(path, true, `${SQLITE}${path}`, "normal"), address: `${SQLITE}${path}`, shared: `${SQLITE}${path}`, file: path };
  } catch (error) {
    const reason = PalimpsestError.isInstance(error) || error instanceof Error ? error.message : String(error);
    throw new CliError(
      `The store of conversations cannot be opened: ${reason}`,
      "Give another one with --store, such as sqlite:conversations.db; --store memory keeps them only while the proxy runs.",
      error,
    );
  }
}
