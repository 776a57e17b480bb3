import { createInterface, type Interface } from "node:readline";
import { CliError, InterruptedError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { printable } from "../safe-text.ts";

export interface ConfirmOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

const INTERRUPTED = Symbol("interrupted");

/** Asks before something is deleted. Without a terminal to ask on, `--yes` is required. */
export async function confirm({ stdin, stdout }: CommandContext, question: string, { yes, json }: ConfirmOptions): Promise<void> {
  if (yes === true) return;
  if (json === true || stdin.isTTY !== true || stdout.isTTY !== true) throw new CliError("Nothing was deleted.", "Give --yes to delete without being asked.");
  const terminal = createInterface({ input: stdin, output: stdout });
  try {
    const answer = await ask(terminal, `${printable(question)} [y/N] `);
    // The cursor is still on the line of the question.
    if (typeof answer !== "string") stdout.write("\n");
    if (answer === INTERRUPTED) throw new InterruptedError("SIGINT", "Nothing was deleted.", "Answer y to delete.");
    if (!/^y(es)?$/i.test(answer?.trim() ?? "")) throw new CliError("Nothing was deleted.", "Answer y to delete.");
  } finally {
    terminal.close();
  }
}

/** Undefined: the input ended (Ctrl-D) before an answer. */
function ask(terminal: Interface, question: string): Promise<string | typeof INTERRUPTED | undefined> {
  return new Promise((resolve) => {
    terminal.question(question, resolve);
    terminal.once("close", () => resolve(undefined));
    // While readline reads a terminal, Ctrl-C is a key, not a signal.
    terminal.once("SIGINT", () => resolve(INTERRUPTED));
  });
}
