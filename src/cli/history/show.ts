import type { Command } from "commander";
import type { Commit, Edit } from "../../history/index.ts";
import type { CommandContext } from "../command-context.ts";
import { findCommit } from "./find-commit.ts";
import { contentLines, printMessages } from "./print-messages.ts";
import { branchCommand, withThread, type OpenThread, type ThreadOptions } from "./with-thread.ts";
import { amount, moment } from "./numbers-and-times.ts";
import { printable } from "../safe-text.ts";
import type { Terminal } from "../terminal.ts";

interface ShowOptions extends ThreadOptions {
  readonly view?: boolean;
}

const DETAILS = `
The content stays readable, even if the model was shown something shorter.

Examples:
  $ palimpsest show 3f9a
  $ palimpsest show 3f9a --view               what the model would have been sent when this was the last commit
  $ palimpsest show 3f9a --json | jq .content

--json: { store, thread, branch, commit, edit?, content }; with --view: { store, thread, branch, commit, messages }

Exit codes: 0 done, 2 there is no such commit, or the store could not be read.`;

/** `palimpsest show <hash>`: one commit, or the view at it. */
export function historyShowCommand(context: CommandContext): Command {
  return branchCommand(context, "show")
    .summary("print a commit and its content, or the view at it")
    .description("Prints what is known about a commit, and all of its content.")
    .argument("<hash>", "the hash of a commit, or its beginning")
    .option("--view", "print the view at this commit instead of its content")
    .option("--json", "print everything as JSON")
    .addHelpText("after", DETAILS)
    .action(async (hash: string, options: ShowOptions) => {
      await withThread(context, options, async (thread) => {
        const commit = await findCommit(thread, hash);
        await (options.view === true ? showView(context.terminal, thread, commit, options) : showCommit(context.terminal, thread, commit, options));
      });
    });
}

async function showView(terminal: Terminal, { history, where }: OpenThread, commit: Commit, { json }: ShowOptions): Promise<void> {
  const messages = await history.view({ at: commit.hash });
  if (json === true) terminal.printJson({ ...where, commit, messages });
  else printMessages(terminal, messages);
}

async function showCommit(terminal: Terminal, { history, where }: OpenThread, commit: Commit, { json }: ShowOptions): Promise<void> {
  const content = await history.getContent(commit.hash);
  const edit = await history.getEdit(commit.hash);
  if (json === true) {
    terminal.printJson({ ...where, commit, ...(edit === undefined ? {} : { edit }), content });
    return;
  }
  for (const [name, value] of factsOf(commit, edit)) printFact(terminal, name, value);
  terminal.print();
  for (const line of contentLines(content)) terminal.print(line);
}

function factsOf(commit: Commit, edit: Edit | undefined): (readonly [name: string, value: string])[] {
  const { metadata, edits, reason } = commit;
  return [
    ["commit", commit.hash],
    ["parent", commit.parent ?? "none: it is the first"],
    ["what", kindOf(commit, edit)],
    ...(metadata.toolCallId === undefined ? [] : [["answers", metadata.toolCallId] as const]),
    ...(metadata.toolCalls ?? []).map(({ id, name }) => ["calls", `${name} (${id})`] as const),
    ...(edits === undefined ? [] : [["edits", edits] as const]),
    ...(edit === undefined
      ? []
      : [["edit", `${edit.id}, ${edit.kind}, ${amount(edit.tokensBefore)} → ${amount(edit.tokensAfter)} tokens, by ${edit.pass}`] as const]),
    ["time", moment(commit.time)],
    ["author", commit.author],
    ...(reason === undefined ? [] : [["reason", reason] as const]),
    ["tokens", amount(commit.tokens)],
  ];
}

function kindOf({ kind, role, name, metadata }: Commit, edit: Edit | undefined): string {
  const what = role === "tool" ? `the result of ${name ?? "a tool"}${metadata.isError === true ? ", which failed" : ""}` : `the ${role}'s message`;
  if (kind === "append") return what;
  return `${edit?.undoneAt === undefined ? "an edit" : "an undo of an edit"} of ${what}`;
}

const NAME_WIDTH = 9;

function printFact(terminal: Terminal, name: string, value: string): void {
  terminal.print(terminal.dim(name.padEnd(NAME_WIDTH)), printable(value));
}
