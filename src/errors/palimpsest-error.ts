import { maskedAddress } from "./masked-address.ts";
import { nearestName } from "./nearest-name.ts";

/**
 * Every failure this package reports, with what it means and what `data` holds. One code per failure.
 * A code is part of the public surface: it is never renamed, and never reused for another failure.
 */
export const ERROR_CODES = {
  INVALID_INPUT: "Messages, edits or replacements do not have the documented shape. data: path, expected, found.",
  INVALID_OPTION: "An option is unknown or out of range. data: path, expected, found.",
  CHECKPOINT_UNKNOWN: "There is no such checkpoint in the thread. data: id, checkpoints (the usable ones).",
  CHECKPOINT_HIDDEN: "The checkpoint is inside an earlier summary. data: id, checkpoints.",
  CHECKPOINT_AMBIGUOUS: "The checkpoint id occurs more than once. data: id, positions, checkpoints.",
  RANGE_REVERSED: "`from` comes after `to`. data: from, to; for a replacement id and checkpoints, for an edit path.",
  RANGE_EMPTY: "There is nothing between `from` and `to`. data: from, to; for a replacement id and checkpoints, for an edit path.",
  OVERLAPPING_RANGES: "Two ranges cross each other. data: first, second.",
  LOOP_OPEN:
    "The tool loop is open. It needs its thinking (manual mode), waits for a result from the provider, or has an approved call that must run first. data: before (the position).",
  EMPTY_THREAD: "The thread is empty, or would become empty. data: none.",
  HANDLE_UNKNOWN: "There is no such handle in this thread. data: handle, handles (the usable ones).",
  CALL_UNKNOWN:
    "A result answers no open call. In the event `call-refused`, and in the text for the model: it has called a tool that the thread does not have. data: id; calls (the open ones) or name and tools.",
  RESULTS_MISSING: "Calls of the last response have no result yet. data: calls (their ids).",
  PINNED: "A pinned message would be removed from the view. data: pin, position.",
  PIN_TOO_LARGE: "The pinned messages take more tokens than the limit allows. data: pinnedTokens, limit, pins (position and tokens of each).",
  STATE_VERSION: "The saved state was written by another version of this package. data: found, expected.",
  FORMAT_MISMATCH:
    "Messages are not in the expected format, or two formats are mixed. data: expected, found (formats; null: unknown), place (of the part that does not fit); for a file also path, for a message array also expectedAt.",
  UNREADABLE: "A file or stream cannot be read as a transcript. data: path, reason; if known, line and offset (in characters).",
  SCHEMA_NEWER: "The store was written by a newer version of this package. data: store, found, known (versions of the schema).",
  STORE_FAILED:
    "The store failed: its disk is full, it is read-only, or the connection is lost. data: store, operation; missing (true: it does not exist, and was not to be created). The cause is kept.",
  COMMIT_UNKNOWN: "There is no such commit in this thread or branch. data: hash, near (hashes with a similar beginning).",
  NOT_A_TOOL_RESULT: "The commit is not a tool result, and only tool results can be edited in place. data: hash, kind, role.",
  COMMITS_EMPTY: "There are no commits to compress. data: none.",
  PRESERVE_OUTSIDE: "A commit to preserve is not among the commits to compress. data: hash.",
  THREAD_UNKNOWN: "There is no such thread in the store. data: thread.",
  LISTEN_FAILED: "The proxy cannot listen at that address: it is in use, not allowed, or does not belong to this machine. data: host, port, reason.",
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The fields of `data` are listed beside each code in `ERROR_CODES`. */
export interface ErrorData {
  readonly [key: string]: unknown;
}

export class PalimpsestError extends Error {
  override readonly name = "PalimpsestError";
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, message: string, data: ErrorData = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
  }

  /** Returns true also for an error of another copy of this package, for which `instanceof` fails. */
  static isInstance(error: unknown): error is PalimpsestError {
    return error instanceof Error && error.name === "PalimpsestError" && "code" in error && Object.hasOwn(ERROR_CODES, String(error.code));
  }
}

/** Returns the error for an unexpected value at `path`, in one form everywhere. `names`: names that may have been meant. */
export function invalid(
  code: "INVALID_INPUT" | "INVALID_OPTION",
  path: string,
  expected: string,
  found: unknown,
  names: readonly string[] = [],
): PalimpsestError {
  const shown = describe(found);
  const nearest = nearestName(found, names);
  const question = nearest === undefined ? "" : `. Did you mean "${nearest}"?`;
  return new PalimpsestError(code, `${path}: expected ${expected}, found ${shown}${question}`, { path, expected, found: shown });
}

/** Short, and never the content itself: messages may hold secrets and are often long. */
function describe(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === "string") return value.length <= 40 ? JSON.stringify(maskedAddress(value)) : `a string of ${value.length} characters`;
  if (typeof value === "object") return `an object with the keys ${Object.keys(value).slice(0, 8).join(", ") || "(none)"}`;
  if (typeof value === "function" || typeof value === "symbol") return `a ${typeof value}`;
  return `${value as number | boolean | bigint | undefined}`;
}
