import { Command, Option } from "commander";
import { existsSync } from "node:fs";
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

/** What each setting is for; `<...>` is what follows the flag, and none for one that is on or off. */
const DESCRIPTIONS: Readonly<Record<SettingName, readonly [value: string, description: string]>> = {
  host: ["<address>", "where to listen; another address than this machine's own demands --token"],
  port: ["<number>", "which port; 0 takes a free one"],
  anthropicUpstream: ["<url>", "where Anthropic's API is; it may have a path"],
  openaiUpstream: ["<url>", "where OpenAI's API is; it may have a path"],
  policy: ["<name>", `what to shorten: ${SETTINGS.policy.names?.join(", ") ?? ""}`],
  store: ["<address>", "where conversations are kept: sqlite:path, postgres://…, or memory (only while the proxy runs)"],
  retentionDays: ["<days>", "forget conversations that nobody has used for this long; 0: never"],
  redact: ["<pattern>", "a regular expression: what it matches is stored as [redacted], and sent as it is"],
  maxMemoryMb: ["<MB>", "about how much conversations may take in memory; the others come back from the store"],
  tools: ["<which>", "tools for the model: auto (recall), all (recall and compact), off"],
  observe: ["", "change nothing, and count what would have been sent"],
  token: ["<token>", "what every request has to send as x-palimpsest-token"],
  maxBodyBytes: ["<bytes>", "larger bodies are piped unread"],
  largeBodyBytes: ["<bytes>", "larger bodies are read in a thread of their own, and hold up no other request; 0: none are"],
  maxConnections: ["<number>", "connections of clients at a time"],
  maxHeaderBytes: ["<bytes>", "of a request's head"],
  upstreamIdleMs: ["<ms>", "give up a provider that is silent for so long; 0: never"],
  clientIdleMs: ["<ms>", "give up a client that neither sends nor reads for so long; 0: never"],
  pingMs: ["<ms>", "how often a silent hidden round says that it is alive"],
  hiddenRetryMs: ["<ms>", "how long a hidden round that gets 429 or 529 is tried again"],
  shutdownMs: ["<ms>", "how long running answers may take to end when the proxy stops"],
};

const DETAILS = `
Flags go before the environment, the environment before the file, and the file before the defaults. In the environment --anthropic-upstream is
PALIMPSEST_ANTHROPIC_UPSTREAM, and so on; in the file it is "anthropicUpstream". The file is ${CONFIG_FILE}, if there is one, or what
--config or PALIMPSEST_CONFIG names.

Of a single request, these headers decide; none of them goes to the provider: x-palimpsest-bypass: 1, x-palimpsest-policy, x-palimpsest-thread,
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

/** `palimpsest proxy`: any agent that talks to Anthropic's or OpenAI's API, without a change to it. */
export function proxyCommand(context: CommandContext): Command {
  const command = new Command("proxy")
    .summary("stand between any agent and its provider, and keep its conversations small")
    .description("Passes requests on to Anthropic's and OpenAI's APIs, and sends smaller views of the conversations that it knows. Stops with Ctrl-C.");
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
  // Commander's own defaults would hide where a setting comes from.
  const usual =
    name === "token" || name === "redact" || name === "observe" ? "" : ` (default: ${name === "store" ? "a file among your own data" : DEFAULTS[name]})`;
  const option = new Option(`${flagOf(name)} ${value}`.trim(), `${description}${usual}`);
  return value === "" ? [option, new Option(flagOf(name).replace("--", "--no-"), `the opposite, over ${variableOf(name)} or the file`)] : [option];
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
    errorTerminal.print(`${by}: waiting for answers that are under way.`);
    // Pages that listen would else be waited for.
    inspector.close();
    await proxy.close();
  } finally {
    await store.close();
  }
}

function whyGone({ address, file }: ProxyStore): string | undefined {
  return file === undefined || existsSync(file) ? undefined : `The store ${address} is gone: somebody has moved or deleted its file.`;
}

async function listening(listen: () => Promise<string>): Promise<string> {
  try {
    return await listen();
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== "LISTEN_FAILED") throw error;
    throw new CliError(`${error.message}.`, "Take another port with --port (0 takes a free one), or another address with --host.", error);
  }
}

/** Never silent: whoever runs the proxy sees at once that something of ours goes wrong. */
function printFailure({ errorTerminal }: CommandContext, event: ProxyEvent): void {
  const failure = event.type === "engine" ? event.event : event;
  if (failure.type !== "failed") return;
  const { error } = failure;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  errorTerminal.print(`palimpsest: a failure of the proxy (${failure.stage}): ${reason.slice(0, 300)}. Requests go on without it.`);
}
