import { Option } from "commander";
import { randomUUID } from "node:crypto";
import { chmod, link, lstat, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip, gzipSync } from "node:zlib";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";

/** A file that a command writes, all of it or nothing: a reader never sees half a file, and a failure leaves the old file. */
export interface OutputFile {
  write(content: string | Uint8Array): Promise<void>;
  /** Writes pieces as they come, no faster than they can be written. */
  stream(pieces: AsyncIterable<string>): Promise<void>;
}

export interface OutputChoice {
  /** The option that the path was given to. */
  readonly option: string;
  readonly force: boolean;
  /** The file whose changed content is written; with `force` it may be replaced by it. */
  readonly changed?: string;
  /** Files that must not be replaced, even with `force`, and why. */
  readonly kept?: readonly { readonly path: string; readonly because: string }[];
}

export const READ = "is an input, so it cannot be written to";

export function forceOption(): Option {
  return new Option("--force", "replace an existing file");
}

/** Refuses an existing file before anything is read or computed, and again if one has appeared when the work is done. */
export async function openOutput({ resolve }: CommandContext, path: string, choice: OutputChoice): Promise<OutputFile> {
  const { option, force, changed, kept = [] } = choice;
  const target = resolve(path);
  const elsewhere = `Give another path after ${option}`;
  const refuse = (what: string): CliError => new CliError(`${path} ${what}.`, `${elsewhere}, or --force to replace it.`);
  for (const other of kept) {
    if (await isSameFile(target, resolve(other.path))) throw new CliError(`${path} ${other.because}.`, `${elsewhere}.`);
  }
  const there = await kindOf(target);
  if (there === "file" && !force) throw refuse(changed !== undefined && (await isSameFile(target, resolve(changed))) ? "is the input file" : "already exists");

  const inPlace = async (write: (temporary: string) => Promise<void>): Promise<void> => {
    // Devices and pipes are written to and never replaced.
    if (there === "other") return write(target);
    // A link stays a link: the file it leads to is replaced.
    const replaced = force ? await realpath(target).catch(() => target) : target;
    const temporary = join(dirname(replaced), `.${basename(replaced)}.${randomUUID().slice(0, 8)}.tmp`);
    try {
      await write(temporary);
      if (force) await replace(temporary, replaced);
      else if (!(await moveToFree(temporary, replaced))) throw refuse("already exists");
    } finally {
      await rm(temporary, { force: true });
    }
  };
  const writing = async (write: (temporary: string) => Promise<void>): Promise<void> => {
    try {
      await inPlace(write);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw new CliError(`Cannot write ${path}: ${whyUnwritable(error)}.`, `${elsewhere}.`, error);
    }
  };
  const isPacked = path.endsWith(".gz");
  return {
    write: (content) => writing((temporary) => writeFile(temporary, isPacked ? gzipSync(content) : content)),
    stream: (pieces) =>
      writing(async (temporary) => {
        // Opened before the first piece is requested: a stream that opens the file itself might do so after its removal.
        const file = (await open(temporary, "w")).createWriteStream();
        if (isPacked) await pipeline(pieces, createGzip(), file);
        else await pipeline(pieces, file);
      }),
  };
}

/** A folder counts as nothing: writing to it fails with the reason. */
async function kindOf(path: string): Promise<"nothing" | "file" | "other"> {
  try {
    const found = await stat(path);
    return found.isFile() ? "file" : found.isDirectory() ? "nothing" : "other";
  } catch {
    // Includes dangling links, which would be replaced too.
    return (await lstat(path).catch(() => undefined)) === undefined ? "nothing" : "file";
  }
}

/** Works however the paths are written, and whether the files exist or not. */
async function isSameFile(path: string, other: string): Promise<boolean> {
  return (await identityOf(path)) === (await identityOf(other));
}

async function identityOf(path: string): Promise<string> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return join(await realpath(dirname(path)).catch(() => dirname(path)), basename(path));
  }
}

/** Gives the new file the permissions of the one it replaces. */
async function replace(temporary: string, target: string): Promise<void> {
  const before = await stat(target).catch(() => undefined);
  if (before?.isFile() === true) await chmod(temporary, before.mode & 0o777);
  await rename(temporary, target);
}

/** False: another process has created the file in the meantime. */
async function moveToFree(temporary: string, target: string): Promise<boolean> {
  try {
    // Unlike a rename, this fails if the file exists.
    await link(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return (await stat(target)).isDirectory() ? renamed(temporary, target) : false;
    // Some file systems have no hard links.
    return (await lstat(target).catch(() => undefined)) === undefined ? renamed(temporary, target) : false;
  }
}

async function renamed(temporary: string, target: string): Promise<true> {
  await rename(temporary, target);
  return true;
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

/** The system's own message would name the temporary file. */
export function whyUnwritable(error: unknown): string {
  return REASONS[codeOf(error) ?? ""] ?? (error instanceof Error ? error.message : String(error));
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
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
