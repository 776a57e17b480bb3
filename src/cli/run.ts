import { inspect } from "node:util";
import { CliError } from "./cli-error.ts";
import { createContext } from "./command-context.ts";
import type { CommandIo } from "./command-io.ts";
import { describeFailure } from "./failure.ts";
import { createProgram } from "./program.ts";
import { printable } from "./safe-text.ts";
import { openTerminal } from "./terminal.ts";
import { watchOutput } from "./watch-output.ts";
import { whyUnwritable } from "./write-atomically.ts";

/**
 * Runs one command line and returns its exit code: 0 done, 1 it found faults, 2 it failed, 130 or 143 it was interrupted.
 * Never throws, and returns when all output is written.
 */
export async function run(args: readonly string[], io: CommandIo): Promise<number> {
  const [output, errors] = [watchOutput(io.stdout), watchOutput(io.stderr)];
  let exitCode = 0;
  try {
    const context = createContext(io, (code) => (exitCode = code));
    // Without a command, print the help.
    const asked = args.some((arg) => arg !== "--debug") ? args : ["--help"];
    await createProgram(context).parseAsync(asked, { from: "user" });
    const failure = await output.written();
    if (failure !== undefined) throw new CliError(`Cannot write to standard output: ${whyUnwritable(failure)}.`, "Send it somewhere else.", failure);
  } catch (error) {
    exitCode = printFailure(error, args, io);
  }
  await Promise.all([output.end(), errors.end()]);
  return exitCode;
}

function printFailure(error: unknown, args: readonly string[], { stderr, env }: CommandIo): number {
  const { exitCode, line } = describeFailure(error);
  const terminal = openTerminal(stderr, env);
  if (line !== undefined) terminal.print(`palimpsest: ${printable(line)}`);
  if (exitCode !== 0 && args.includes("--debug")) for (const each of inspect(error).split("\n")) terminal.print(each);
  return exitCode;
}
