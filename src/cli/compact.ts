import { Command, Option } from "commander";
import { loadTranscript } from "../formats/transcripts/load-transcript.ts";
import { modelInfo } from "../pricing/model-info.ts";
import { targetFor } from "../pricing/target-for.ts";
import type { PrunerStrategy } from "../passes/prune-turns/prune-turns.ts";
import { CliError } from "./cli-error.ts";
import { compactTrajectory, type CompactedTrajectory, type CompactionSteps } from "./compact/compact-trajectory.ts";
import { printCompaction } from "./compact/print-compaction.ts";
import { wholeNumber } from "./number-argument.ts";
import { formatOption, reading, sourceOf } from "./source.ts";
import { openTerminal } from "./terminal.ts";
import { writeAtomically } from "./write-atomically.ts";

interface CompactOptions {
  readonly strategy?: PrunerStrategy;
  readonly maxTurns?: number;
  readonly budget?: number;
  readonly retainChars?: number;
  readonly collapseAfter?: number;
  readonly maxResultTokens?: number;
  readonly model?: string;
  readonly format?: string;
  readonly output?: string;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ palimpsest compact session.jsonl --collapse-after 20 -o smaller.jsonl
  $ palimpsest compact request.json --strategy sliding-window --max-turns 40 > smaller.json
  $ palimpsest compact rollout.jsonl --max-result-tokens 2000 --budget 40000 -o out.jsonl
  $ cat messages.json | palimpsest compact - --budget 20000 --json -o out.json

Several steps can be combined; they run in the order in which they are listed above.
The file that is read is never changed. Without -o the result goes to standard output, and what changed to standard error.

Exit codes: 0 done, 2 the file could not be read or written.`;

/** `palimpsest compact <file>`: the same file, smaller. */
export function compactCommand(): Command {
  return new Command("compact")
    .summary("write a session or request back, smaller, in its own format")
    .description(
      "Shortens a session file, request body or message array, and says what changed. The result is in the format of the input, and a provider accepts it if it accepts the input.",
    ) // prettier-ignore
    .argument("<file>", "the file, gzipped or not; - for standard input")
    .option("--max-result-tokens <n>", "cut tool results that are longer", wholeNumber)
    .option("--collapse-after <n>", "write one line over calls and results that lie more than so many messages back", wholeNumber)
    .option("--budget <n>", "if there are more tokens than this, cut old tool results to their beginning", wholeNumber)
    .option("--retain-chars <n>", "how much of them stays (with --budget; default 500)", wholeNumber)
    .addOption(new Option("--strategy <name>", "leave whole messages out (with --max-turns)").choices(["sliding-window", "summarize", "importance"]))
    .option("--max-turns <n>", "how many messages stay (with --strategy)", wholeNumber)
    .option("--model <name>", "the model that will read the result; the file's own unless given")
    .addOption(formatOption())
    .option("-o, --output <file>", "where to write the result; gzipped if the name ends in .gz")
    .option("--json", "say what changed as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, options: CompactOptions) => {
      await compactFile(file, options);
    });
}

async function compactFile(file: string, options: CompactOptions): Promise<void> {
  const steps = stepsOf(options);
  const transcript = await reading(options.format, (given) => loadTranscript(sourceOf(file), given));
  const compacted = transcript.trajectories.map(({ id, log, model: recorded }): CompactedTrajectory => {
    const model = options.model ?? recorded;
    return compactTrajectory(id, log, steps, {
      wire: transcript.format.wire,
      target: model === undefined ? {} : targetFor(model),
      tokenFactor: model === undefined ? 1 : modelInfo(model).tokenFactor,
    });
  });
  const content = transcript.encode(compacted.map(({ view }) => view));
  if (options.output === undefined) process.stdout.write(content);
  else await writeAtomically(options.output, content);
  // What was asked for is on standard output; what is said about it must not mix with it.
  const terminal = openTerminal(options.output === undefined ? process.stderr : process.stdout);
  const summary = { format: transcript.format.name, trajectories: compacted.map(({ view: _, ...rest }) => rest), damaged: transcript.damaged };
  if (options.json === true) terminal.print(JSON.stringify(summary, null, 2));
  else printCompaction(terminal, summary, options.output);
}

function stepsOf(options: CompactOptions): CompactionSteps {
  const { strategy, maxTurns, budget, retainChars, collapseAfter, maxResultTokens } = options;
  if ((strategy === undefined) !== (maxTurns === undefined)) throw new CliError("--strategy and --max-turns belong together.", "Give both, or neither.");
  if (retainChars !== undefined && budget === undefined) throw new CliError("--retain-chars says what --budget leaves.", "Give --budget too.");
  if ([strategy, budget, collapseAfter, maxResultTokens].every((step) => step === undefined))
    throw new CliError("Nothing to do.", "Give --max-result-tokens, --collapse-after, --budget, or --strategy with --max-turns.");
  return { strategy, maxTurns, budget, retainChars, collapseAfter, maxResultTokens };
}
