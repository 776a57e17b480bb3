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
    throw new CliError(`Cannot write ${path}: ${error instanceof Error ? error.message : String(error)}.`, "Give another path after -o.", error);
  }
}
