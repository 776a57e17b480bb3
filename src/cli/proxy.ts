import { Command, Option } from "commander";
import { existsSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { createProxy, DEFAULTS, SETTINGS, type ProxyEvent, type ProxySettings } from "../proxy/index.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { createDemoStore, createInspector } from "../inspector/index.ts";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";
import type { Interruption } from "./command-io.ts";
import { readPackageJson } from "./package-json.ts";
import { openProxyStore, type ProxyStore } from "./proxy/open-proxy-store.ts";
import { printStart, reachable } from "./proxy/print-start.ts";
import { CONFIG_FILE, flagOf, optionsOf, readSettings, SETTING_NAMES, shownValue, variableOf, type Setting, type SettingName } from "./proxy/proxy-settings.ts";
import { formatTable } from "./table.ts";

/** What each setting is for; `<...>` is the value after the flag, and a setting that is on or off has none. */
const DESCRIPTIONS: Readonly<Record<SettingName, readonly [value: string, description: string]>> = {
  host: ["<address>", "where to listen; an address that other machines can reach needs --token"],
  port: ["<number>", "which port; 0 takes a free one"],
  anthropicUpstream: ["<url>", "where Anthropic's API is; it may have a path"],
  openaiUpstream: ["<url>", "where OpenAI's API is; it may have a path"],
  policy: ["<name>", `what to shorten: ${SETTINGS.policy.names?.join(", ") ?? ""}`],
  store: ["<address>", "where conversations are kept: sqlite:path, postgres://…, or memory (only while the proxy runs)"],
  retentionDays: ["<days>", "delete conversations that nobody has used for this long; 0: never"],
  redact: ["<pattern>", "a regular expression: what it matches is stored as [redacted], and sent as it is"],
  maxMemoryMb: ["<MB>", "about how much memory conversations may take; others are reloaded from the store when needed"],
  tools: ["<which>", "tools for the model: auto (recall), all (recall and compact), off"],
  observe: ["", "change nothing, only count what would have been sent"],
  token: ["<token>", "every request has to send this as x-palimpsest-token"],
  maxBodyBytes: ["<bytes>", "larger bodies are piped unread"],
  largeBodyBytes: ["<bytes>", "larger bodies are read in a separate thread, so that other requests do not wait; 0: never"],
  maxConnections: ["<number>", "most client connections at a time"],
  maxHeaderBytes: ["<bytes>", "the largest request line and headers, together"],
  upstreamIdleMs: ["<ms>", "give up on a provider that is silent for this long; 0: never"],
  clientIdleMs: ["<ms>", "give up on a client that neither sends nor reads for this long; 0: never"],
  pingMs: ["<ms>", "how often the client gets a ping while a hidden round is silent"],
  hiddenRetryMs: ["<ms>", "how long to retry a hidden round that gets 429 or 529"],
  shutdownMs: ["<ms>", "how long answers in progress may take to finish when the proxy stops"],
};

const DETAILS = `
Flags override the environment, the environment overrides the file, and the file overrides the defaults. --anthropic-upstream is
PALIMPSEST_ANTHROPIC_UPSTREAM in the environment and "anthropicUpstream" in the file, and so on. The file is ${CONFIG_FILE}, if there is one, or what
--config or PALIMPSEST_CONFIG names.

These headers apply to a single request, and none of them is sent to the provider: x-palimpsest-bypass: 1, x-palimpsest-policy, x-palimpsest-thread,
x-palimpsest-token.

Examples:
  $ palimpsest proxy
  $ ANTHROPIC_BASE_URL=http://127.0.0.1:4141 claude
  $ palimpsest proxy --port 0 --policy tight --openai-upstream https://openrouter.ai/api/v1
  $ palimpsest proxy --observe --check-config`;

interface ProxyFlags extends Readonly<Record<string, unknown>> {
  readonly checkConfig?: boolean;
  /** False: `--no-demo`. */
  readonly demo?: boolean;
  readonly json?: boolean;
}

/** `palimpsest proxy`: for any agent that talks to Anthropic's or OpenAI's API, without changing the agent. */
export function proxyCommand(context: CommandContext): Command {
  const command = new Command("proxy")
    .summary("stand between any agent and its provider, and keep its conversations small")
    .description("Passes requests on to Anthropic's and OpenAI's APIs, with a smaller view of each conversation. Ctrl-C stops it.");
  for (const name of SETTING_NAMES) for (const option of optionsFor(name)) command.addOption(option);
  return command
    .option("--config <file>", `settings as JSON (default: ${CONFIG_FILE}, if there is one)`)
    .option("--no-demo", "leave out the two made-up conversations that the inspector shows until the first real one")
    .option("--check-config", "print every setting and where it comes from, and do nothing else")
    .option("--json", "print the address, or the settings, as JSON")
    .addHelpText("after", DETAILS)
    .action(async (flags: ProxyFlags) => {
      const settings = await readSettings({ flags, env: context.env, resolve: context.resolve });
      if (flags.checkConfig === true) printSettings(context, settings, flags.json === true);
      else await serve(context, optionsOf(settings), { asJson: flags.json === true, hasDemo: flags.demo !== false });
    });
}

function optionsFor(name: SettingName): readonly Option[] {
  const [value, description] = DESCRIPTIONS[name];
  // With commander's own defaults we could not tell where a setting comes from.
  const usual =
    name === "token" || name === "redact" || name === "observe" ? "" : ` (default: ${name === "store" ? "a file in your data folder" : DEFAULTS[name]})`;
  const option = new Option(`${flagOf(name)} ${value}`.trim(), `${description}${usual}`);
  return value === "" ? [option, new Option(flagOf(name).replace("--", "--no-"), `turn it off, overriding ${variableOf(name)} and the file`)] : [option];
}

function printSettings({ terminal }: CommandContext, settings: readonly Setting[], asJson: boolean): void {
  if (asJson) {
    terminal.printJson(Object.fromEntries(settings.map((setting) => [setting.name, { value: shownValue(setting), from: setting.from }])));
    return;
  }
  const rows = settings.map((setting) => [setting.name, shownValue(setting), setting.from]);
  for (const line of formatTable([{ title: "setting" }, { title: "value" }, { title: "from" }], rows, terminal.columns)) terminal.print(line);
}

interface ServeOptions {
  readonly asJson: boolean;
  readonly hasDemo: boolean;
}

async function serve(context: CommandContext, options: ProxySettings, { asJson, hasDemo }: ServeOptions): Promise<void> {
  const { terminal, errorTerminal, interrupts } = context;
  // Else V8 keeps about 100 MB for objects that die with their request. A small nursery is no slower here.
  setFlagsFromString("--semi-space-growth-factor=1");
  const { host = DEFAULTS.host, policy = DEFAULTS.policy, token, observe = DEFAULTS.observe } = options;
  const kept = await openProxyStore(options.store ?? DEFAULTS.store, context.resolve);
  const { store, address, shared } = kept;
  const calls = new Set<() => void>();
  let url = "";
  const inspector = createInspector({
    store,
    ...(hasDemo ? { demo: createDemoStore } : {}),
    about: () => ({ version: readPackageJson().version, source: "proxy", name: address, address: reachable(url), policy, remarks: [] }),
    own: { host, token },
    onChange: (listener) => {
      calls.add(listener);
      return () => calls.delete(listener);
    },
    whyGone: () => whyGone(kept),
  });
  const onEvent = (event: ProxyEvent): void => {
    printFailure(context, event);
    if (event.type === "engine" && event.event.type === "called") for (const tell of calls) tell();
  };
  try {
    const proxy = createProxy({ ...options, store: shared, onEvent, pages: (request, response) => inspector.pages(request, response) });
    url = await listening(() => proxy.listen());
    const isNew = hasDemo && (await store.notes({ kind: "about", limit: 1 })).length === 0;
    if (asJson) terminal.printJson({ url, inspector: `${url}/inspector`, store: address });
    else printStart(terminal, { url, store: address, hasToken: token !== undefined, observes: observe, hasDemo: isNew });
    const by = await new Promise<Interruption>((resolve) => {
      interrupts.hold(resolve);
    });
    errorTerminal.print(`${by}: waiting for answers in progress.`);
    // Otherwise stopping would wait for open inspector pages.
    inspector.close();
    await proxy.close();
  } finally {
    await store.close();
  }
}

function whyGone({ address, file }: ProxyStore): string | undefined {
  return file === undefined || existsSync(file) ? undefined : `The store ${address} is gone: its file was moved or deleted.`;
}

async function listening(listen: () => Promise<string>): Promise<string> {
  try {
    return await listen();
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== "LISTEN_FAILED") throw error;
    throw new CliError(`${error.message}.`, "Choose another port with --port (0 takes a free one), or another address with --host.", error);
  }
}

/** Prints every failure of ours, so that the user of the proxy sees it at once. */
function printFailure({ errorTerminal }: CommandContext, event: ProxyEvent): void {
  const failure = event.type === "engine" ? event.event : event;
  if (failure.type !== "failed") return;
  const { error } = failure;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  errorTerminal.print(`palimpsest: the proxy failed (${failure.stage}): ${reason.slice(0, 300)}. Requests are still passed on.`);
}
