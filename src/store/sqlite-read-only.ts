import { existsSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * How to read a file that lies where nothing can be written, neither the log beside it nor the index of the log that SQLite shares between
 * processes. Nobody writes there, so that no lock is needed: without a log the file is taken as it is, with one its index is kept in
 * memory. Undefined: there is no such file, or the index is there, so that SQLite needs no help. Node before 22.15 cannot open these.
 */
export function unwritableAddress(path: string): string | undefined {
  if (!existsSync(path) || existsSync(`${path}-shm`)) return undefined;
  const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return `${pathToFileURL(path).href}?mode=ro&${logBytes === 0 ? "immutable=1" : "vfs=unix-none"}`;
}
