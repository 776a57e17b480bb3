import type { ErrorCode } from "./palimpsest-error.ts";

/** The second half of `docs/errors.md`: a code without a line here does not compile. */
export const WHAT_TO_DO: Readonly<Record<ErrorCode, string>> = {
  INVALID_INPUT: "Correct the value at `path`. The message says what was expected there and what was found. Nothing was changed.",
  INVALID_OPTION: "Correct the option at `path`, or remove it. If a name is close to a known one, the message suggests it.",
  CHECKPOINT_UNKNOWN: "Use one of the ids in `checkpoints`. Only checkpoints that the thread itself issued count.",
  CHECKPOINT_HIDDEN: "Use one of the ids in `checkpoints`, before or after that summary.",
  CHECKPOINT_AMBIGUOUS: "Use another id from `checkpoints`, or give the later message a free id: `generateCheckpointId(taken)`.",
  RANGE_REVERSED: "Swap `from` and `to`.",
  RANGE_EMPTY: "Choose two different borders with something between them.",
  OVERLAPPING_RANGES: "Make one range contain the other, or let one end where the other begins.",
  LOOP_OPEN: "Wait until the assistant has answered without a call, or until the provider's result is there, and try again.",
  EMPTY_THREAD: "Start the thread with a user message, or give a summary so that something remains.",
  HANDLE_UNKNOWN: "Use one of the `handles`. A handle belongs to one thread: look in the thread that created it.",
  CALL_UNKNOWN: "Answer one of the open `calls`, each once. If the model should have the tool that it called, add it to the `tools` of the thread.",
  RESULTS_MISSING: "Add a result for each of the `calls`, then send the request.",
  PINNED: "Leave the pinned message out of the range, or remove the pin first.",
  PIN_TOO_LARGE: "Pin less, remove a pin, or raise the limit. `pins` lists the size of each pin.",
  STATE_VERSION: "Read the state with the version of the package that wrote it, or rebuild it from the messages.",
  FORMAT_MISMATCH: "Use the format of the messages or of the file, and do not mix two formats in one call.",
  UNREADABLE: "Check the file at `path`: it is missing, damaged, or not a transcript. `line` and `offset` say where reading stopped.",
  SCHEMA_NEWER: "Update this package on this machine. It does not write to a store that a newer version has changed.",
  STORE_FAILED:
    "Read `cause`: free disk space, fix permissions, or restore the connection, then try again. `history.verify()` says whether everything stored is intact.",
  COMMIT_UNKNOWN: "Use a full hash, or one of `near`. A commit belongs to one thread and branch.",
  NOT_A_TOOL_RESULT: "Pass the commit of a tool result. `findToolResults()` lists them.",
  COMMITS_EMPTY: "Pass at least one commit, or a `from` and `to` with commits between them.",
  PRESERVE_OUTSIDE: "Take the commit out of `preserve`, or add it to the commits to compress.",
  THREAD_UNKNOWN: "Check the name of the thread: `palimpsest threads` lists the threads of a store.",
  LISTEN_FAILED:
    "Choose another port (`--port 0` picks a free one), or stop the program that uses this one. An address other than loopback must belong to this machine.",
};
