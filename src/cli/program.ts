import { Command } from "commander";
import { checkCommand } from "./check.ts";
import type { CommandContext } from "./command-context.ts";
import { compactCommand } from "./compact.ts";
import { demoCommand } from "./demo.ts";
import { historyBranchesCommand } from "./history/branches.ts";
import { historyDiffCommand } from "./history/diff.ts";
import { historyExportCommand } from "./history/export.ts";
import { historyFindCommand } from "./history/find.ts";
import { historyForgetCommand } from "./history/forget.ts";
import { historyImportCommand } from "./history/import.ts";
import { historyLogCommand } from "./history/log.ts";
import { historyRetainCommand } from "./history/retain.ts";
import { historyShowCommand } from "./history/show.ts";
import { historyThreadsCommand } from "./history/threads.ts";
import { historyUndoCommand } from "./history/undo.ts";
import { historyVerifyCommand } from "./history/verify.ts";
import { inspectCommand } from "./inspect.ts";
import { readPackageJson } from "./package-json.ts";
import { proxyCommand } from "./proxy.ts";
import { replayCommand } from "./replay.ts";
import { uiCommand } from "./ui.ts";
import { columnsOf, hasColors, USUAL_COLUMNS } from "./terminal.ts";

const EXAMPLES = `
Examples:
  $ palimpsest proxy                       then: ANTHROPIC_BASE_URL=http://127.0.0.1:4141 claude
  $ palimpsest ui session.jsonl            see in a browser what was sent, what was left out, and why
  $ palimpsest demo                        see what is shortened in a recorded session, and why
  $ palimpsest inspect session.jsonl       what fills this context, and what does it cost?
  $ palimpsest compact session.jsonl --collapse-after 20 -o smaller.jsonl
  $ palimpsest check request.json          what would the provider refuse in this request?
  $ palimpsest replay session.jsonl --policy balanced
  $ palimpsest import session.jsonl        keep it in palimpsest.db; then use log, show, find, diff, undo, verify

Every command takes --json; commands that read a file take - for standard input.`;

/** Commands on histories in a store. */
const HISTORY_COMMANDS = [
  historyImportCommand,
  historyThreadsCommand,
  historyBranchesCommand,
  historyLogCommand,
  historyShowCommand,
  historyFindCommand,
  historyDiffCommand,
  historyUndoCommand,
  historyExportCommand,
  historyVerifyCommand,
  historyRetainCommand,
  historyForgetCommand,
];

export function createProgram(context: CommandContext): Command {
  const { stdout, stderr, env } = context;
  const program = new Command("palimpsest")
    .description("Renders a smaller view of an agent's history: accepted by the provider, explained edit by edit, undone at will.")
    .version(readPackageJson().version, "-V, --version", "print the version")
    .option("--debug", "print the stack of an error")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .addHelpText("after", EXAMPLES)
    // run.ts alone words failures and sets the exit code.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => columnsOf(stdout) ?? USUAL_COLUMNS,
      getErrHelpWidth: () => columnsOf(stderr) ?? USUAL_COLUMNS,
      getOutHasColors: () => hasColors(stdout, env),
      getErrHasColors: () => hasColors(stderr, env),
    });
  for (const create of [proxyCommand, uiCommand, demoCommand, inspectCommand, compactCommand, checkCommand, replayCommand, ...HISTORY_COMMANDS]) {
    // Only commands created by their parent inherit its settings; without this, `check --nope` would print and exit by itself.
    program.addCommand(create(context).copyInheritedSettings(program));
  }
  return program;
}
