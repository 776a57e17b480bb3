import { Command } from "commander";
import { readTranscript } from "../formats/transcripts/read-transcript.ts";
import { inspectEntries, type InspectedFile } from "../replay/inspect-entries.ts";
import type { CommandContext } from "./command-context.ts";
import { COUNTING, formatOption, reading, sourceOf } from "./source.ts";
import { printInspection } from "./inspect/print-inspection.ts";

interface InspectOptions {
  readonly format?: string;
  readonly model?: string;
  readonly trajectory?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ palimpsest inspect ~/.claude/projects/x/session.jsonl
  $ palimpsest inspect rollout.jsonl.gz --model gpt-5.5
  $ palimpsest inspect runs.json --trajectory 17      one of several in a file
  $ curl -s … | palimpsest inspect - --json

${COUNTING}
If no model is named, or the price table lacks it, the prices are a guess, and the output says so (--json: guess).

Exit codes: 0 done, 2 the file could not be read.`;

/** `palimpsest inspect <file>`: what fills this context, and what it costs. */
export function inspectCommand(context: CommandContext): Command {
  return new Command("inspect")
    .summary("show what fills a context, how it grew and what it costs")
    .description(
      "Tokens by role, tool, kind and turn, the biggest results, results that repeat others or no longer hold, growth per call of the model, and the bill with and without prompt caching. Sizes are estimates.",
    )
    .argument("<file>", "the session file, request body or message array, gzipped or not; - for standard input")
    .addOption(formatOption())
    .option("--model <name>", "the model whose tokens and prices to use (default: the one in the file)")
    .option("--trajectory <id>", "which one, if the file holds several (default: a summary of all)")
    .option("--json", "print everything as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, options: InspectOptions) => {
      const inspected = await inspectFile(context, file, options);
      const { terminal } = context;
      if (options.json === true) terminal.printJson(inspected);
      else printInspection(terminal, inspected);
    });
}

async function inspectFile(context: CommandContext, file: string, { format: forced, model, trajectory }: InspectOptions): Promise<InspectedFile> {
  return reading(context, await sourceOf(context, file), forced, async (stream, options) => {
    const { format, entries } = await readTranscript(stream, options);
    return inspectEntries(format, entries, { ...(model === undefined ? {} : { model }), ...(trajectory === undefined ? {} : { trajectory }) });
  });
}
