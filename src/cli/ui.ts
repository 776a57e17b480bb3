import { Command, Option } from "commander";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { createInspector, serveInspector, type InspectorOptions } from "../inspector/index.ts";
import { PRESETS } from "../policy/policy-options.ts";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";
import type { Interruption } from "./command-io.ts";
import { wholeNumber } from "./number-argument.ts";
import { readPackageJson } from "./package-json.ts";
import { formatOption } from "./source.ts";
import { openShown, type PlayOptions, type Shown } from "./ui/open-shown.ts";

const DEFAULT_PORT = 4142;
const POLICIES = [...Object.keys(PRESETS), "none"] as const;

interface UiOptions extends PlayOptions {
  readonly port: number;
  readonly json?: boolean;
}

const DETAILS = `
A store is an address (sqlite:path, postgres://…) or the file of an SQLite store; anything else is a session file, and - is standard input. Without
an argument, it is the store that PALIMPSEST_STORE names, else palimpsest.db, else the one that a proxy keeps. A store is only read. A session file is replayed with
the policy, call by call: you see what would have been sent, and nothing is stored.

The page is served to this machine only. A proxy serves the same page at /inspector, of its own store.

Examples:
  $ palimpsest ui
  $ palimpsest ui sqlite:conversations.db --port 0
  $ palimpsest ui session.jsonl --policy tight

--json: { url, source, name }

Exit codes: 0 it was stopped, 2 there was nothing to show.`;

/** `palimpsest ui`: the inspector, of a store or of a session file. */
export function uiCommand(context: CommandContext): Command {
  return new Command("ui")
    .summary("show conversations in a browser: what was sent, what was left out, and why")
    .description("Serves the inspector for a store or a session file. Stops with Ctrl-C.")
    .argument("[store or session file]")
    .option("--port <number>", `which port; 0 takes a free one (default: ${DEFAULT_PORT})`, wholeNumber, DEFAULT_PORT)
    .addOption(new Option("--policy <name>", "the policy to replay a session file with").choices(POLICIES).default("balanced"))
    .option("--model <name>", "the model to assume for a session file (default: the one in the file)")
    .addOption(formatOption())
    .option("--json", "print the address as JSON")
    .addHelpText("after", DETAILS)
    .action(async (given: string | undefined, options: UiOptions) => {
      const shown = await openShown(context, given, options);
      try {
        await serve(context, shown, options);
      } finally {
        await shown.store.close();
      }
    });
}

async function serve({ terminal, interrupts }: CommandContext, shown: Shown, { port, json }: UiOptions): Promise<void> {
  const own = { host: "127.0.0.1", token: undefined };
  const about: InspectorOptions["about"] = () => ({ version: readPackageJson().version, source: shown.source, name: shown.name, remarks: shown.remarks });
  const inspector = createInspector({ store: shown.store, about, own, whyGone: shown.whyGone });
  const served = await listening(() => serveInspector(inspector, { host: own.host, port }));
  if (json === true) terminal.printJson({ url: served.url, source: shown.source, name: shown.name });
  else {
    terminal.print(terminal.bold(served.url));
    terminal.print(`Shows ${shown.name}. Ctrl-C stops it.`);
    for (const remark of shown.remarks) terminal.print(terminal.dim(remark));
  }
  await new Promise<Interruption>((resolve) => {
    interrupts.hold(resolve);
  });
  await served.close();
}

async function listening<T>(serveAt: () => Promise<T>): Promise<T> {
  try {
    return await serveAt();
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== "LISTEN_FAILED") throw error;
    throw new CliError(`${error.message}.`, "Choose another port with --port (0 takes a free one).", error);
  }
}
