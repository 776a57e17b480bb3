import { PalimpsestError } from "../../../errors/palimpsest-error.ts";

/** The place in the file, as far as it is known. */
export interface Spot {
  readonly line?: number;
  readonly offset?: number;
}

/** `path`: the name of the file or stream. */
export function unreadable(path: string, reason: string, spot: Spot = {}, cause?: unknown): PalimpsestError {
  return new PalimpsestError("UNREADABLE", `Cannot read ${path}: ${reason}.`, { path, reason, ...spot }, cause);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EMFILE: "too many files are open",
  Z_BUF_ERROR: "the gzip data ends too early",
  Z_DATA_ERROR: "the gzip data is damaged",
};

/** Translates an error of the system or the decompressor for people. */
export function whyUnreadable(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  const known = typeof code === "string" ? REASONS[code] : undefined;
  return known ?? (error instanceof Error ? error.message : String(error));
}
