import { createInterface } from "node:readline/promises";
import { CliError } from "./cli-error.ts";

export interface ConfirmOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

/** Asks before something is deleted. Where nobody can be asked, only `--yes` will do. */
export async function confirm(question: string, { yes, json }: ConfirmOptions): Promise<void> {
  if (yes === true) return;
  if (json === true || !process.stdin.isTTY || !process.stdout.isTTY) throw new CliError("Nothing was deleted.", "Give --yes to delete without being asked.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError("Nothing was deleted.", "Answer y to delete.");
  } finally {
    terminal.close();
  }
}
