import { Command } from "commander";
import { totalOf } from "../replay/measure-replay.ts";
import { POLICY_FORMS, policyNamed } from "../replay/policies/policies.ts";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";
import { playFiles, type PlayedFile, type PlayOptions } from "./replay/play-files.ts";
import { printReplay, type PlayedFiles } from "./replay/print-replay.ts";
import { formatOption } from "./source.ts";
import { forceOption, openOutput, READ, type OutputFile } from "./write-atomically.ts";

interface ReplayOptions {
  readonly policy: string;
  readonly model?: string;
  readonly trajectory?: string;
  readonly format?: string;
  readonly views?: string;
  readonly json?: string | true;
  readonly force?: boolean;
}

const DETAILS = `
Policies:
${POLICY_FORMS.map((form) => `  ${form}`).join("\n")}

Examples:
  $ palimpsest replay session.jsonl --policy balanced
  $ palimpsest replay runs/*.json --policy keep-last:3:10 --model claude-opus-5-5
  $ palimpsest replay session.jsonl --policy tight --views views.jsonl --json measures.json
  $ palimpsest replay session.jsonl --policy '[{"compress":{"maxToolResultTokens":2000}},{"preset":"tight","budget":60000}]'
  $ palimpsest replay - --policy clear_tool_uses_20250919:30000:3:10000 --json

--views writes JSON lines: { "id", "message" } for each message and each head, { "id", "text" } for each original that can be recalled,
and for each call of the model the ids of what would have been sent and of the recorded response.

Exit codes: 0 done, 1 a provider would refuse a view but not its log, 2 a file could not be read or written.`;

/** `palimpsest replay <files...>`: what a policy would have sent, and what that would have cost. */
export function replayCommand(context: CommandContext): Command {
  return new Command("replay")
    .summary("replay recorded sessions call by call with a policy, and show what it would have sent and cost")
    .description(
      "Replays sessions call by call: the policy sees what comes before each call and decides what is sent. Tokens and cost are compared with the full context, both with prompt caching, and every view is checked against the provider's rules.",
    )
    .argument("<files...>", "session files, request bodies or message arrays, gzipped or not; - for standard input")
    .requiredOption("--policy <name>", "a policy from the list below, or JSON: the options of a preset, or a list of policies")
    .option("--model <name>", "the model whose tokens, prices and rules to use (default: the one in the file)")
    .option("--trajectory <id>", "which one, if a file holds several (default: all)")
    .addOption(formatOption())
    .option("--views <file>", "write every view to this file, as JSON lines; gzipped if the name ends in .gz")
    .option("--json [file]", "write the measurements to this file as JSON; without a file, print them instead of the table")
    .addOption(forceOption())
    .addHelpText("after", DETAILS)
    .action(async (files: readonly string[], options: ReplayOptions) => {
      const outputs = await outputsOf(context, files, options);
      const played = await replayFiles(context, files, options, outputs.views);
      const { json } = options;
      await outputs.json?.write(`${JSON.stringify(played, null, 2)}\n`);
      if (json === true || json === "-") context.terminal.printJson(played);
      else printReplay(context.terminal, played);
      context.exitWith(played.total.faults === 0 ? 0 : 1);
    });
}

interface ReplayOutputs {
  readonly views: OutputFile | undefined;
  readonly json: OutputFile | undefined;
}

/** `--json a.jsonl b.jsonl` takes the first session as the output file, so files that are read are never replaced. */
async function outputsOf(context: CommandContext, files: readonly string[], { views, json, force = false }: ReplayOptions): Promise<ReplayOutputs> {
  if (views === "-") throw new CliError("Views cannot go to standard output: the measurements go there.", "Give a path after --views.");
  const kept = files.filter((file) => file !== "-").map((path) => ({ path, because: READ }));
  const written = views === undefined ? [] : [{ path: views, because: "is written by --views" }];
  return {
    views: views === undefined ? undefined : await openOutput(context, views, { option: "--views", force, kept }),
    json: typeof json !== "string" || json === "-" ? undefined : await openOutput(context, json, { option: "--json", force, kept: [...kept, ...written] }),
  };
}

async function replayFiles(context: CommandContext, files: readonly string[], options: ReplayOptions, views: OutputFile | undefined): Promise<PlayedFiles> {
  const { policy: name, format, model, trajectory } = options;
  const played: PlayedFile[] = [];
  const settings: PlayOptions = { policy: policyNamed(name), format, model, trajectory, writesViews: views !== undefined };
  const lines = playFiles(context, files, settings, played);
  if (views === undefined) await exhaust(lines);
  else await views.stream(lines);
  return { policy: name, files: played, total: totalOf(played.flatMap(({ trajectories }) => trajectories)) };
}

async function exhaust(lines: AsyncIterable<string>): Promise<void> {
  const iterator = lines[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}
