import { rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { CliError } from "./cli-error.ts";

/** All of it or nothing: a reader never sees half a file, and a failure leaves what was there. */
export async function writeAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    await writeFile(temporary, path.endsWith(".gz") ? gzipSync(content) : content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new CliError(`Cannot write ${path}: ${whyUnwritable(error)}.`, "Give another path after -o.", error);
  }
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
