import { rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { CliError } from "./cli-error.ts";

/** All of it or nothing: a reader never sees half a file, and a failure leaves what was there. `option` is what the path was given to. */
export async function writeAtomically(path: string, content: string | Uint8Array, option = "-o"): Promise<void> {
  await inPlaceOf(path, option, (temporary) => writeFile(temporary, path.endsWith(".gz") ? gzipSync(content) : content));
}

/** The same for what is written piece by piece: it is there once `write` is done, and not if it throws. */
export async function inPlaceOf<T>(path: string, option: string, write: (temporary: string) => Promise<T>): Promise<T> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    const written = await write(temporary);
    await rename(temporary, path);
    return written;
  } catch (error) {
    await rm(temporary, { force: true });
    if (!isSystemError(error)) throw error;
    throw new CliError(`Cannot write ${path}: ${whyUnwritable(error)}.`, `Give another path after ${option}.`, error);
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** The system's own words name a file that nobody asked for. */
function whyUnwritable(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return (typeof code === "string" ? REASONS[code] : undefined) ?? (error instanceof Error ? error.message : String(error));
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such folder",
  ENOTDIR: "there is no such folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "nothing can be written there",
  ENOSPC: "there is no space left",
};
