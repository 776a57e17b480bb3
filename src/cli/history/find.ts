import type { Command } from "commander";
import type { Commit, ToolQuery, ToolTurn } from "../../history/index.ts";
import { queryWords } from "../../history/search-text.ts";
import type { StoredCommit } from "../../store/store.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../command-context.ts";
import { commitJson, findCommit, placeOf, shortHash } from "./find-commit.ts";
import { listed, printCommits, printTable } from "./print-table.ts";
import { branchCommand, withThread, type OpenThread, type ThreadOptions } from "./with-thread.ts";
import { amount, counted, moment } from "./numbers-and-times.ts";
import { wholeNumber } from "../number-argument.ts";
import { printable } from "../safe-text.ts";
import type { Terminal } from "../terminal.ts";

interface FindOptions extends ThreadOptions {
  readonly tool?: string;
  readonly text?: string;
  readonly errors?: boolean;
  readonly minTokens?: number;
  readonly after?: string;
  readonly before?: string;
  readonly calls?: boolean;
  readonly results?: boolean;
  readonly turns?: boolean;
}

const DETAILS = `
All conditions must hold. Without --calls, --results or --turns every commit is searched: messages, calls, results and edits.
--text matches whole words, in any order; a word that ends in * matches every word that begins with it.

Examples:
  $ palimpsest find --text "database url"
  $ palimpsest find --results --tool bash --errors
  $ palimpsest find --turns --min-tokens 2000 --after 3f9a

--json: { store, thread, branch, commits: [...] } as palimpsest log has them;
with --turns: { store, thread, branch, turns: [{ call, results, toolNames, allHashes, resultHashes, totalTokens }] }

Exit codes: 0 done (also if nothing was found), 2 the store or the thread could not be read.`;

/** `palimpsest find`: commits by tool, words, size and place. */
export function historyFindCommand(context: CommandContext): Command {
  return branchCommand(context, "find")
    .summary("find messages, tool calls, results and turns")
    .description("Finds commits of a thread by tool, words, size and place.")
    .option("--tool <name>", "calls of this tool, and its results")
    .option("--text <words>", "commits that contain all of these words")
    .option("--errors", "results of tools that failed")
    .option("--min-tokens <n>", "commits of at least n tokens", wholeNumber)
    .option("--after <hash>", "commits after this one")
    .option("--before <hash>", "commits before this one")
    .option("--calls", "only messages that call tools")
    .option("--results", "only tool results, as the view shows them now")
    .option("--turns", "calls, each with its results")
    .option("--json", "print what is found as JSON")
    .addHelpText("after", DETAILS)
    .action(async (options: FindOptions) => {
      refuseNothing(options);
      await withThread(context, options, (thread) =>
        options.turns === true ? findTurns(context.terminal, thread, options) : findCommits(context.terminal, thread, options),
      );
    });
}

function refuseNothing({ tool, text, errors, minTokens, after, before, calls, results, turns }: FindOptions): void {
  if ([calls, results, turns].filter((kind) => kind === true).length > 1)
    throw new CliError("Only one of --calls, --results and --turns can be given.", "Leave the others out.");
  if ([tool, text, errors, minTokens, after, before, calls, results, turns].every((condition) => condition === undefined))
    throw new CliError("Nothing to look for.", "Give --tool, --text, --errors, --min-tokens, --after, --before, --calls, --results or --turns.");
  if (text !== undefined && queryWords(text).length === 0) throw new CliError("There is no word after --text.", "Give letters or digits.");
}

async function findCommits(terminal: Terminal, thread: OpenThread, options: FindOptions): Promise<void> {
  const found = options.calls === true || options.results === true ? await ofTools(thread, options) : await anyCommits(thread, options);
  if (options.json === true) {
    terminal.printJson({ ...thread.where, commits: found.map(commitJson) });
    return;
  }
  if (found.length > 0) await printCommits(terminal, thread.store, found);
  const tokens = found.reduce((sum, commit) => sum + commit.tokens, 0);
  if (found.length > 0) terminal.print();
  terminal.print(`${counted(found.length, "commit")}, ${counted(tokens, "token")}.`);
}

async function ofTools(thread: OpenThread, options: FindOptions): Promise<StoredCommit[]> {
  const query = await toolQuery(thread, options);
  const commits = options.calls === true ? await thread.history.findToolCalls(query) : await thread.history.findToolResults(query);
  return listed(thread.store, thread.ref.thread, commits);
}

async function anyCommits(thread: OpenThread, { tool, text, errors, minTokens, after, before }: FindOptions): Promise<StoredCommit[]> {
  return thread.store.commits(thread.ref, {
    ...(tool === undefined ? {} : { tool }),
    ...(text === undefined ? {} : { words: queryWords(text) }),
    ...(errors === undefined ? {} : { errorsOnly: errors }),
    ...(minTokens === undefined ? {} : { minTokens }),
    ...(after === undefined ? {} : { from: (await placeOf(thread, after)) + 1 }),
    ...(before === undefined ? {} : { to: await placeOf(thread, before) }),
  });
}

async function findTurns(terminal: Terminal, thread: OpenThread, options: FindOptions): Promise<void> {
  const turns = await thread.history.findToolTurns(await toolQuery(thread, options));
  if (options.json === true) {
    terminal.printJson({ ...thread.where, turns });
    return;
  }
  if (turns.length > 0)
    printTable(
      terminal,
      [{ title: "call" }, { title: "time" }, { title: "tools", give: "cut" }, { title: "tokens", align: "right" }, { title: "results", give: "wrap" }],
      turns.map(turnRow),
    );
  const tokens = turns.reduce((sum, turn) => sum + turn.totalTokens, 0);
  if (turns.length > 0) terminal.print();
  terminal.print(`${counted(turns.length, "turn")}, ${counted(tokens, "token")}.`);
}

function turnRow({ call, results, toolNames, totalTokens }: ToolTurn): string[] {
  return [shortHash(call.hash), moment(call.time), printable(toolNames.join(", ")), amount(totalTokens), results.map(describeResult).join(" ")];
}

function describeResult({ hash, metadata }: Commit): string {
  return `${metadata.isError === true ? "✗" : "←"}${shortHash(hash)}`;
}

async function toolQuery(thread: OpenThread, { tool, text, errors, minTokens, after, before }: FindOptions): Promise<ToolQuery> {
  return {
    ...(tool === undefined ? {} : { name: tool }),
    ...(text === undefined ? {} : { text }),
    ...(errors === undefined ? {} : { errorsOnly: errors }),
    ...(minTokens === undefined ? {} : { minTokens }),
    ...(after === undefined ? {} : { after: (await findCommit(thread, after)).hash }),
    ...(before === undefined ? {} : { before: (await findCommit(thread, before)).hash }),
  };
}
