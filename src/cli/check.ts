import { Command } from "commander";
import type { FormatName } from "../formats/codec.ts";
import { codecOf } from "../formats/codecs.ts";
import { readTranscript } from "../formats/transcripts/read-transcript.ts";
import type { TranscriptFormat } from "../formats/transcripts/transcript-format.ts";
import type { Finding } from "../messages/check-messages.ts";
import type { Message } from "../messages/message.ts";
import { judgeSession } from "./check/judge-log.ts";
import type { CommandContext } from "./command-context.ts";
import { formatOption, reading, sourceOf } from "./source.ts";
import { slimMessage } from "./slim-message.ts";
import { formatTable } from "./table.ts";
import { printable } from "./safe-text.ts";
import type { Terminal } from "./terminal.ts";

interface CheckOptions {
  readonly format?: string;
  readonly history?: boolean;
  readonly request?: boolean;
  readonly json?: boolean;
}

interface FoundIn extends Finding {
  /** The id of the trajectory. */
  readonly trajectory: string;
}

interface Checked {
  readonly format: string;
  readonly rules: string;
  readonly messages: number;
  readonly findings: readonly FoundIn[];
  readonly trajectories: readonly { readonly id: string; readonly messages: number; readonly findings: number }[];
  readonly damaged: readonly { readonly line: number; readonly reason: string }[];
}

const EXAMPLES = `
Examples:
  $ palimpsest check request.json                      would the provider take this request?
  $ palimpsest check ~/.claude/projects/x/session.jsonl
  $ cat messages.json | palimpsest check - --history --json

Exit codes: 0 no findings, 1 findings (a provider would refuse it), 2 the file could not be checked.`;

/** `palimpsest check <file>`: would the provider accept these messages? */
export function checkCommand(context: CommandContext): Command {
  return new Command("check")
    .summary("list what a provider would refuse in a request or a session")
    .description(
      "Checks messages against the provider's rules: a request body, an array of messages, or the session file of an agent. In a session with several providers, each message is checked by the rules of the provider it was made for.",
    )
    .argument("<file>", "the file, gzipped or not; - for standard input")
    .addOption(formatOption())
    .option("--history", "more messages will follow: skip the rules for the last message (the default for session files)")
    .option("--request", "the messages are sent as they are: apply all rules")
    .option("--json", "print the findings as JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (file: string, options: CheckOptions) => {
      const checked = await checkFile(context, file, options);
      if (options.json === true) context.terminal.printJson(checked);
      else print(context.terminal, checked);
      context.exitWith(checked.findings.length === 0 ? 0 : 1);
    });
}

interface ReadLog {
  readonly id: string;
  readonly log: Message[];
  readonly wires: (FormatName | undefined)[];
  messages: number;
}

async function checkFile(context: CommandContext, file: string, options: CheckOptions): Promise<Checked> {
  const logs: ReadLog[] = [];
  const damaged: { readonly line: number; readonly reason: string }[] = [];
  const format = await reading(context, await sourceOf(context, file), options.format, async (stream, given) => {
    const transcript = await readTranscript(stream, given);
    for await (const entry of transcript.entries) {
      if (entry.kind === "trajectory") logs.push({ id: entry.id, log: [], wires: [], messages: 0 });
      else if (entry.kind === "damaged") damaged.push({ line: entry.line, reason: entry.reason });
      else if (entry.kind === "message") {
        const current = logs.at(-1);
        // A request is checked exactly as sent; session messages are slimmed so that the file need not stay in memory.
        current?.log.push(isRequest(transcript.format) ? entry.message : slimMessage(entry.message));
        current?.wires.push(entry.wire);
        if (current !== undefined) current.messages += entry.nativeMessages;
      }
    }
    return transcript.format;
  });
  const history = options.request === true ? false : (options.history ?? !isRequest(format));
  const judged = logs.map((read) => (isRequest(format) ? judgeRequest(format.wire, read.log, history) : judgeSession(read, format.wire, history)));
  const found = logs.map(({ id }, number) => (judged[number]?.findings ?? []).map((finding): FoundIn => ({ trajectory: id, ...finding })));
  const rules = new Set(judged.flatMap((each) => each.rules));
  return {
    format: format.name,
    rules: rules.size === 0 ? format.wire : [...rules].join(", "),
    messages: logs.reduce((sum, { messages }) => sum + messages, 0),
    findings: found.flat(),
    trajectories: logs.map(({ id, messages }, number) => ({ id, messages, findings: found[number]?.length ?? 0 })),
    damaged,
  };
}

/** Checks messages that are sent as they are. */
function judgeRequest(wire: FormatName, log: readonly Message[], history: boolean): ReturnType<typeof judgeSession> {
  const codec = codecOf(wire);
  return { rules: [wire], findings: codec.check(codec.encode(log), { history }) };
}

/** Formats of message arrays and request bodies have the name of their codec; all others are session files of agents. */
function isRequest(format: TranscriptFormat): boolean {
  return format.name === format.wire;
}

function print(terminal: Terminal, { format, rules, messages, findings, trajectories, damaged }: Checked): void {
  for (const { line, reason } of damaged) terminal.print(terminal.red(`Line ${line} could not be read and was left out: ${printable(reason)}`));
  const checked = `${count(messages, "message")}${trajectories.length === 1 ? "" : ` of ${count(trajectories.length, "trajectory", "trajectories")}`} (${format}, by the rules of ${rules})`;
  if (findings.length === 0) {
    terminal.print(`No findings in ${checked}.`);
    return;
  }
  const several = trajectories.length > 1;
  const rows = findings.map((finding) => [...(several ? [finding.trajectory] : []), finding.rule, finding.path, printable(finding.message)]);
  const columns = [...(several ? [{ title: "trajectory" }] : []), { title: "rule" }, { title: "path" }, { title: "message", give: "wrap" as const }];
  const [titles = "", ...lines] = formatTable(columns, rows, terminal.columns);
  terminal.print(terminal.dim(titles));
  for (const line of lines) terminal.print(line);
  terminal.print();
  terminal.print(`${count(findings.length, "finding")} in ${checked}.`);
}

function count(number: number, one: string, many = `${one}s`): string {
  return `${number.toLocaleString("en-US")} ${number === 1 ? one : many}`;
}
