import { Command } from "commander";
import { resolve } from "node:path";
import { totalOf } from "../replay/measure-replay.ts";
import { POLICY_FORMS, policyNamed } from "../replay/policies/policies.ts";
import { CliError } from "./cli-error.ts";
import { playFiles, type PlayedFile, type PlayOptions } from "./replay/play-files.ts";
import { printReplay, type PlayedFiles } from "./replay/print-replay.ts";
import { streamAtomically } from "./replay/stream-atomically.ts";
import { formatOption } from "./source.ts";
import { openTerminal } from "./terminal.ts";
import { writeAtomically } from "./write-atomically.ts";

interface ReplayOptions {
  readonly policy: string;
  readonly model?: string;
  readonly trajectory?: string;
  readonly format?: string;
  readonly views?: string;
  readonly json?: string | true;
}

const DETAILS = `
Policies:
${POLICY_FORMS.map((form) => `  ${form}`).join("\n")}

Examples:
  $ palimpsest replay session.jsonl --policy balanced
  $ palimpsest replay runs/*.json --policy keep-last:3:10 --model claude-opus-5-5
  $ palimpsest replay session.jsonl --policy tight --views views.jsonl --json measures.json
  $ palimpsest replay - --policy clear_tool_uses_20250919:30000:3:10000 --json

--views writes JSON lines: { "id", "message" } for each message and each head, { "id", "text" } for each original that can be recalled,
and for each call of the model the ids of what would have been sent and of the response that was recorded.

Exit codes: 0 done, 1 a provider would refuse a view but not its log, 2 a file could not be read or written.`;

/** `palimpsest replay <files...>`: what would a policy have sent, and what would it have cost? */
export function replayCommand(): Command {
  return new Command("replay")
    .summary("play recorded sessions call by call with a policy, and say what it would have sent and cost")
    .description(
      "Plays sessions call by call: the policy sees what lies before each call and says what is sent. Tokens and cost are compared with the full context, both with prompt caching, and every view is checked against the provider's rules.",
    )
    .argument("<files...>", "session files, request bodies or message arrays, gzipped or not; - for standard input")
    .requiredOption("--policy <name>", "which policy; they are listed below")
    .option("--model <name>", "whose tokens, prices and rules to use; the file's own unless given")
    .option("--trajectory <id>", "which one, if a file holds several; all unless given")
    .addOption(formatOption())
    .option("--views <file>", "write every view there, as JSON lines; gzipped if the name ends in .gz")
    .option("--json [file]", "write the measures there as JSON; without a file, print them instead of the table")
    .addHelpText("after", DETAILS)
    .action(async (files: readonly string[], options: ReplayOptions) => {
      const played = await replayFiles(files, options);
      const { json } = options;
      const measures = JSON.stringify(played, null, 2);
      if (typeof json === "string" && json !== "-") await writeAtomically(json, `${measures}\n`, "--json");
      const terminal = openTerminal();
      if (json === true || json === "-") terminal.print(measures);
      else printReplay(terminal, played);
      process.exitCode = played.total.faults === 0 ? 0 : 1;
    });
}

async function replayFiles(files: readonly string[], options: ReplayOptions): Promise<PlayedFiles> {
  const { policy: name, format, model, trajectory, views, json } = options;
  if (views === "-") throw new CliError("Views are not printed: standard output has the measures.", "Give a path after --views.");
  refuseInputAsOutput(files, views, "--views");
  refuseInputAsOutput(files, json, "--json");
  const played: PlayedFile[] = [];
  const settings: PlayOptions = { policy: policyNamed(name), format, model, trajectory, writesViews: views !== undefined };
  const lines = playFiles(files, settings, played);
  if (views === undefined) await exhaust(lines);
  else await streamAtomically(views, lines, "--views");
  return { policy: name, files: played, total: totalOf(played.flatMap(({ trajectories }) => trajectories)) };
}

/** `--json a.jsonl` in front of other files takes the first of them for the output. */
function refuseInputAsOutput(files: readonly string[], output: string | true | undefined, option: string): void {
  if (typeof output === "string" && output !== "-" && files.some((file) => resolve(file) === resolve(output)))
    throw new CliError(`${output} is read: it cannot be written to.`, `Give another path after ${option}.`);
}

async function exhaust(lines: AsyncIterable<string>): Promise<void> {
  const iterator = lines[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
