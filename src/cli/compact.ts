import { Command, Option } from "commander";
import { Readable } from "node:stream";
import { loadTranscript, type Trajectory } from "../formats/transcripts/load-transcript.ts";
import { parsePolicyText } from "../conversation/policy-text.ts";
import { targetFor } from "../pricing/target-for.ts";
import type { PrunerStrategy } from "../passes/prune-turns/prune-turns.ts";
import { contextSize, type ContextSize } from "../replay/context-size.ts";
import { countedAs } from "../replay/counted-as.ts";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";
import { compactTrajectory, type CompactedTrajectory, type CompactionSteps } from "./compact/compact-trajectory.ts";
import { printCompaction, type CompactedSize } from "./compact/print-compaction.ts";
import { COUNTING, formatOption, reading, sourceOf } from "./source.ts";
import { wholeNumber } from "./number-argument.ts";
import { forceOption, openOutput } from "./write-atomically.ts";

interface CompactOptions {
  readonly policy?: string;
  readonly strategy?: PrunerStrategy;
  readonly maxTurns?: number;
  readonly budget?: number;
  readonly retainChars?: number;
  readonly collapseAfter?: number;
  readonly maxResultTokens?: number;
  readonly model?: string;
  readonly format?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const EXAMPLES = `
Examples:
  $ palimpsest compact session.jsonl --collapse-after 20 -o smaller.jsonl
  $ palimpsest compact request.json --strategy sliding-window --max-turns 40 > smaller.json
  $ palimpsest compact rollout.jsonl --max-result-tokens 2000 --budget 40000 -o out.jsonl
  $ palimpsest compact session.jsonl --policy balanced -o smaller.jsonl
  $ palimpsest compact session.jsonl --policy '{"preset":"tight","budget":60000}' -o smaller.jsonl
  $ cat messages.json | palimpsest compact - --budget 20000 --json -o out.json

Several steps can be combined; they run in the order in which they are listed above.
The input file is not changed, and an existing file is not replaced, unless you give --force. Without -o the result goes to standard output, and the list of changes to standard error.

${COUNTING}
The tokens of a step are those of the messages that it changes, without the system prompt.

Exit codes: 0 done, 2 the file could not be read or written.`;

/** `palimpsest compact <file>`: the same file, smaller. */
export function compactCommand(context: CommandContext): Command {
  return new Command("compact")
    .summary("write a session or request back, smaller, in its own format")
    .description(
      "Shortens a session file, request body or message array, and says what changed. The result is in the format of the input, and a provider accepts it if it accepts the input.",
    ) // prettier-ignore
    .argument("<file>", "the file, gzipped or not; - for standard input")
    .option("--max-result-tokens <n>", "cut tool results that are longer", wholeNumber)
    .option("--collapse-after <n>", "replace calls and results that are more than n messages back with one line each", wholeNumber)
    .option("--budget <n>", "if there are more than n tokens, cut old tool results to their beginning", wholeNumber)
    .option("--retain-chars <n>", "how many characters of each stay (with --budget; default 500)", wholeNumber)
    .addOption(new Option("--strategy <name>", "leave whole messages out (with --max-turns)").choices(["sliding-window", "summarize", "importance"]))
    .option("--max-turns <n>", "how many messages stay (with --strategy)", wholeNumber)
    .option("--policy <policy>", "shorten with a preset (gentle, balanced, tight), or with JSON of its options or of a list of policies")
    .option("--model <name>", "the model that will read the result (default: the one in the file)")
    .addOption(formatOption())
    .option("-o, --output <file>", "where to write the result; gzipped if the name ends in .gz")
    .addOption(forceOption())
    .option("--json", "print what changed as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, options: CompactOptions) => {
      await compactFile(context, file, options);
    });
}

async function compactFile(context: CommandContext, file: string, options: CompactOptions): Promise<void> {
  const steps = stepsOf(options);
  const output =
    options.output === undefined ? undefined : await openOutput(context, options.output, { option: "-o", force: options.force === true, changed: file });
  const transcript = await reading(context, await sourceOf(context, file), options.format, loadTranscript);
  const modelOf = (trajectory: Trajectory): string | undefined => options.model ?? trajectory.model;
  const compacted = transcript.trajectories.map((trajectory): CompactedTrajectory => {
    const model = modelOf(trajectory);
    return compactTrajectory(trajectory, steps, {
      wire: transcript.format.wire,
      target: model === undefined ? {} : targetFor(model, { onWarning: () => undefined }),
      tokenFactor: countedAs(model).tokenFactor,
      model,
    });
  });
  const content = transcript.encode(compacted.map(({ view }) => view));
  if (output === undefined) context.terminal.writeContent(content);
  else await output.write(content);
  // Counted in the written file: some formats join blocks, so counts of the view would differ from what `inspect` says of the file.
  const { trajectories: written } = await loadTranscript(Readable.from([Buffer.from(content)]), { format: transcript.format.name });
  const trajectories = transcript.trajectories.map((trajectory, number): CompactedSize => {
    const { tokenFactor } = countedAs(modelOf(trajectory));
    const [before, after] = [trajectory, written[number] ?? trajectory].map((counted) => contextSize(counted, tokenFactor)) as [ContextSize, ContextSize];
    return { id: trajectory.id, messagesBefore: before.messages, messagesAfter: after.messages, tokensBefore: before.tokens, tokensAfter: after.tokens, steps: compacted[number]?.steps ?? [] }; // prettier-ignore
  });
  // The report must not mix with the result on standard output.
  const terminal = options.output === undefined ? context.errorTerminal : context.terminal;
  const summary = { format: transcript.format.name, trajectories, damaged: transcript.damaged };
  if (options.json === true) terminal.printJson(summary);
  else printCompaction(terminal, summary, options.output);
}

function stepsOf(options: CompactOptions): CompactionSteps {
  const { policy, strategy, maxTurns, budget, retainChars, collapseAfter, maxResultTokens } = options;
  if ((strategy === undefined) !== (maxTurns === undefined)) throw new CliError("--strategy and --max-turns belong together.", "Give both, or neither.");
  if (retainChars !== undefined && budget === undefined) throw new CliError("--retain-chars says what --budget leaves.", "Give --budget too.");
  if ([policy, strategy, budget, collapseAfter, maxResultTokens].every((step) => step === undefined))
    throw new CliError("Nothing to do.", "Give --policy, --max-result-tokens, --collapse-after, --budget, or --strategy with --max-turns.");
  const chosen = policy === undefined ? undefined : parsePolicyText(policy, "--policy");
  return { policy: chosen, strategy, maxTurns, budget, retainChars, collapseAfter, maxResultTokens };
}
