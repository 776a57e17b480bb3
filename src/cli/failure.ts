import { CommanderError } from "commander";
import { PalimpsestError, type ErrorCode } from "../errors/palimpsest-error.ts";
import { CliError } from "./cli-error.ts";

/** How a run failed. `line` is undefined if there is nothing more to print. */
export interface Failure {
  readonly exitCode: number;
  readonly line?: string;
}

const WAYS_OUT: Partial<Record<ErrorCode, string>> = {
  UNREADABLE: "Give a session file, a request body or a message array; palimpsest check --help lists the formats, and - is standard input.",
  FORMAT_MISMATCH: "Leave out --format, or name another one.",
};

/** Describes in one line what went wrong and what to do about it. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return describeUsage(error);
  if (error instanceof CliError) return { exitCode: error.exitCode, line: `${error.message} ${error.wayOut}` };
  if (PalimpsestError.isInstance(error))
    return { exitCode: 2, line: `${error.message.replace(/\.$/, "")} (${error.code}). ${WAYS_OUT[error.code] ?? ""}`.trim() };
  const detail = error instanceof Error ? error.message : String(error);
  return { exitCode: 2, line: `${detail}. This is a bug in palimpsest: run it again with --debug and report what it prints.` };
}

/** Compared by code, because commander takes the exit code of help from the process. */
const HARMLESS: readonly string[] = ["commander.help", "commander.helpDisplayed", "commander.version"];

/** Commander throws errors for help and version too; those are no failure. */
function describeUsage(error: CommanderError): Failure {
  if (HARMLESS.includes(error.code)) return { exitCode: 0 };
  const said = error.message.replace(/^error: /, "").replace(/\s*\n\s*/g, " ");
  const sentence = said.charAt(0).toUpperCase() + said.slice(1);
  return { exitCode: 2, line: `${/[.?)]$/.test(sentence) ? sentence : `${sentence}.`} See palimpsest --help.` };
}
