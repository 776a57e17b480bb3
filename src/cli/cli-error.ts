import { constants } from "node:os";
import type { Interruption } from "./command-io.ts";

/** A failure that the user can fix; `wayOut` says how. Printed as one line. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number = 2;
  readonly wayOut: string;

  constructor(message: string, wayOut: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.wayOut = wayOut;
  }
}

/** The user or the system asked the command to stop. Exit codes are those of a shell: 130 for Ctrl-C, 143 for SIGTERM. */
export class InterruptedError extends CliError {
  override readonly exitCode: number;

  constructor(by: Interruption, message: string, wayOut: string) {
    super(message, wayOut);
    this.exitCode = 128 + constants.signals[by];
  }
}
