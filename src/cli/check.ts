import { Command } from "commander";
import { checkMessages } from "../messages/check-messages.ts";
import type { Finding } from "../messages/check-messages.ts";
import { readMessages } from "./read-messages.ts";
import { formatTable } from "./table.ts";
import { openTerminal, printable } from "./terminal.ts";

interface CheckOptions {
  readonly history?: boolean;
  readonly json?: boolean;
}

/** `palimpsest check <file>`: would the provider accept these messages? */
export function checkCommand(): Command {
  return new Command("check")
    .summary("say what a provider would refuse in a message array")
    .description("Checks messages against the provider's rules. Exit code 0: no findings, 1: findings, 2: the file could not be checked.")
    .argument("<file>", 'a JSON array of messages or a request body with "messages"; - for standard input')
    .option("--history", "the messages are a history, not yet a request: leave out the rules for the last message")
    .option("--json", "print the findings as JSON")
    .action(async (file: string, options: CheckOptions) => {
      const messages = await readMessages(file);
      const findings = checkMessages(messages, { history: options.history ?? false });
      if (options.json === true) printJson(messages.length, findings);
      else printFindings(messages.length, findings);
      process.exitCode = findings.length === 0 ? 0 : 1;
    });
}

function printJson(messages: number, findings: readonly Finding[]): void {
  openTerminal().print(JSON.stringify({ messages, findings }, null, 2));
}

function printFindings(messages: number, findings: readonly Finding[]): void {
  const terminal = openTerminal();
  const checked = messages === 1 ? "1 message" : `${messages} messages`;
  if (findings.length === 0) {
    terminal.print(`No findings in ${checked}.`);
    return;
  }
  const rows = findings.map((finding) => [finding.rule, finding.path, printable(finding.message)]);
  const [titles = "", ...lines] = formatTable([{ title: "rule" }, { title: "path" }, { title: "message", give: "wrap" }], rows, terminal.columns);
  terminal.print(terminal.dim(titles));
  for (const line of lines) terminal.print(line);
  terminal.print();
  terminal.print(`${findings.length === 1 ? "1 finding" : `${findings.length} findings`} in ${checked}.`);
}
