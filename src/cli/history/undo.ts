import type { Command } from "commander";
import type { Edit } from "../../history/index.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { findCommit, shortHash } from "./find-commit.ts";
import { branchCommand, withThread, type OpenThread, type ThreadOptions } from "./with-thread.ts";
import { amount } from "./numbers-and-times.ts";
import type { Terminal } from "../terminal.ts";

interface UndoOptions extends ThreadOptions {
  readonly reason?: string;
}

const DETAILS = `
The edit stays in the history, and so does the undo: both are commits.

Examples:
  $ palimpsest log --kind edit --all          the edits of a thread
  $ palimpsest undo 3f9a --reason "the stack trace is needed"

--json: { store, thread, branch, commit, edit }

Exit codes: 0 done, 2 there is no such edit, or it is not in force.`;

/** `palimpsest undo <edit>`: shows again what an edit shortened. */
export function historyUndoCommand(context: CommandContext): Command {
  return branchCommand(context, "undo")
    .summary("undo an edit: what it shortened is shown again")
    .description("Undoes an edit. From then on the view is as if the edit had never been made.")
    .argument("<edit>", "the hash of the commit that made it or the edit's id, or the beginning of one")
    .option("--reason <text>", "why, for readers of the log")
    .option("--json", "print the undo as JSON")
    .addHelpText("after", DETAILS)
    .action(async (given: string, options: UndoOptions) => {
      await withThread(context, options, (thread) => undo(context.terminal, thread, given, options));
    });
}

async function undo(terminal: Terminal, thread: OpenThread, given: string, { reason, json }: UndoOptions): Promise<void> {
  const { history, where } = thread;
  const { edit, by } = await editWith(thread, given);
  if (edit.undoneAt !== undefined) throw new CliError(`Edit ${edit.id} was already undone.`, "palimpsest log --kind edit says when.");
  const commit = await history.undo(by, reason === undefined ? {} : { reason });
  const undone = (await history.getEdit(commit.hash)) ?? edit;
  if (json === true) terminal.printJson({ ...where, commit, edit: undone });
  else terminal.print(`Edit ${edit.id} is undone: ${amount(edit.tokensAfter)} → ${amount(edit.tokensBefore)} tokens. Commit ${shortHash(commit.hash)}.`);
}

/** An edit, and the name the history knows it by. */
interface FoundEdit {
  readonly edit: Edit;
  readonly by: string;
}

/** Finds an edit by its id or by the commit that made it. Refuses an ambiguous name, which could undo the wrong edit. */
async function editWith(thread: OpenThread, given: string): Promise<FoundEdit> {
  const prefix = given.trim().toLowerCase();
  const edits = await thread.history.edits();
  const byId = edits.filter(({ id }) => id.startsWith(prefix));
  const [first] = byId;
  const isCommit = (await thread.store.byHash(thread.ref.thread, prefix, 1)).length > 0;
  if (first !== undefined && byId.length === 1 && (first.id === prefix || !isCommit)) return { edit: first, by: first.id };
  if (first !== undefined) throw new CliError(`${JSON.stringify(given)} is the beginning of several ids and hashes.`, "Give more characters.");
  const { hash } = await findCommit(thread, given);
  const made = await thread.history.getEdit(hash);
  const edit = made?.undoneAt === undefined ? edits.find(({ id }) => id === made?.id) : undefined;
  if (edit === undefined)
    throw new CliError(`Commit ${shortHash(hash)} makes no edit of this branch.`, "palimpsest log --kind edit --all lists those that do.");
  return { edit, by: hash };
}
