import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * Returns an address that opens a file on a read-only medium, where SQLite can write neither its log nor the index of the log that processes
 * share. Nobody writes there, so no lock is needed: without a log the file is opened as immutable, with one the log's index is kept in
 * memory. Undefined: there is no such file, or the index exists, so SQLite needs no help. Node before 22.15 cannot open these addresses.
 */
export function unwritableAddress(path: string): string | undefined {
  if (!existsSync(path) || existsSync(`${path}-shm`)) return undefined;
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return `${pathToFileURL(path).href}?mode=ro&${logBytes === 0 ? "immutable=1" : "vfs=unix-none"}`;
}
