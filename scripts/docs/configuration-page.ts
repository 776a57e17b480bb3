/** `docs/configuration.md`: every setting and option, from the sources that parse them. */
import { proxyCommand } from "../../src/cli/proxy.ts";
import type { CommandContext } from "../../src/cli/command-context.ts";
import { CONFIG_FILE, flagOf, SETTING_NAMES, variableOf } from "../../src/cli/proxy/proxy-settings.ts";
import { DEFAULT_TARGET } from "../../src/messages/target.ts";
import { PRESETS, type PolicyNumbers } from "../../src/policy/policy-options.ts";
import { documentedMembers, type DocumentedMember } from "./documented-members.ts";
import { markdownTable } from "./markdown.ts";
import { shownNumber } from "./presets-table.ts";

interface Section {
  readonly title: string;
  readonly text: string;
  /** File and interface of each table. */
  readonly interfaces: readonly (readonly [file: string, name: string])[];
}

const OPTIONS: readonly Section[] = [
  {
    title: "Wrapped clients",
    text: "`wrapAnthropic(client, options)`, `wrapOpenAI(client, options)`, `palimpsestMiddleware(options)` and `palimpsestPrepareStep(options)`. They also take the [parts](#parts) and the [models](#models).",
    interfaces: [["src/agent/front-end/front-end-options.ts", "FrontEndOptions"]],
  },
  {
    title: "Threads",
    text: "`createThread(options)`; `openThread(options)` also takes the store and the id. Both also take the [parts](#parts).",
    interfaces: [
      ["src/agent/thread/thread-options.ts", "ThreadOptions"],
      ["src/agent/open-thread.ts", "OpenThreadOptions"],
    ],
  },
  {
    title: "Parts",
    text: "What shortens a conversation of a wrapped client or a thread: a policy, or any of the other four. A list in `policy` may hold them too.",
    interfaces: [
      ["src/policy/shortening-options.ts", "CompactionConfig"],
      ["src/policy/shortening-options.ts", "ThreadBudget"],
      ["src/stateless/compressor-config.ts", "CompressorConfig"],
      ["src/stateless/pruner-config.ts", "PrunerConfig"],
    ],
  },
  {
    title: "Policies",
    text: "`compact(messages, options)`, `createCompactor(options)`, and `policy` wherever it may be an object. The [numbers](#numbers-of-the-presets) can be set here as well.",
    interfaces: [
      ["src/policy/policy-options.ts", "PolicyOptions"],
      ["src/policy/policy-options.ts", "ToolSettings"],
    ],
  },
];

const MORE: readonly Section[] = [
  {
    title: "Functions",
    text: "`compactOldToolResults` takes these. The other functions take what [parts](#parts) lists.",
    interfaces: [["src/stateless/compact-old-tool-results.ts", "BudgetConfig"]],
  },
  {
    title: "Histories",
    text: "`openHistory(options)`; `openCompactor(options)` takes the store, the id, and the options of a [policy](#policies).",
    interfaces: [
      ["src/history/open-history.ts", "HistoryOptions"],
      ["src/history/open-compactor.ts", "OpenCompactorOptions"],
    ],
  },
  {
    title: "Summarizers",
    text: "`anthropic(options)` and `openaiCompatible(options)` of `palimpsest/summarize`.",
    interfaces: [["src/summarize/model-options.ts", "ModelSummarizerOptions"]],
  },
  { title: "Models", text: "What is known of models, and what is not.", interfaces: [["src/pricing/model-info.ts", "ModelOptions"]] },
];

export function configurationPage(root: string): string {
  return [
    "# Configuration",
    "Every setting and option. An unknown name is refused, with the path of the option and the nearest known name.",
    "This page is written by `npm run docs` from the sources. Change the comment there, not the page.",
    [
      ["The proxy", "the-proxy"],
      ...[...OPTIONS, { title: "Numbers of the presets" }, ...MORE, { title: "Target" }].map(({ title }) => [title, anchorOf(title)]),
    ]
      .map(([title = "", anchor = ""]) => `- [${title}](#${anchor})`)
      .join("\n"),
    ...proxySection(),
    ...OPTIONS.flatMap((section) => optionSection(section, root)),
    ...numbersSection(root),
    ...MORE.flatMap((section) => optionSection(section, root)),
    ...targetSection(root),
  ].join("\n\n");
}

function proxySection(): string[] {
  const flags = new Map(
    proxyCommand({} as CommandContext).options.flatMap((option) => (option.negate ? [] : [[option.attributeName(), option.description] as const])),
  );
  const rows = SETTING_NAMES.map((name) => {
    const [text, usual] = splitDefault(flags.get(name) ?? "");
    return [code(flagOf(name)), code(variableOf(name)), code(name), usual, text];
  });
  return [
    "## The proxy",
    `\`palimpsest proxy\`. Flags override the environment, the environment overrides the file, and the file overrides the defaults. The
file is \`${CONFIG_FILE}\`, or what \`--config\` or \`PALIMPSEST_CONFIG\` names. \`--check-config\` prints what is in force and where it comes from.`,
    markdownTable(["flag", "environment", "in the file", "default", "what it is"], rows),
  ];
}

/** Help texts end with the default, which has a column here. */
function splitDefault(help: string): readonly [text: string, usual: string] {
  const [, text = help, usual = "none"] = /^(.*) \(default: (.*)\)$/.exec(help) ?? [];
  return [text, usual];
}

function optionSection({ title, text, interfaces }: Section, root: string): string[] {
  const tables = interfaces.flatMap(([file, name]) => {
    const rows = documentedMembers(root, file, name).map(optionRow);
    return [...(interfaces.length > 1 ? [`### \`${name}\``] : []), markdownTable(["option", "type", "what it is"], rows)];
  });
  return [`## ${title}`, text, ...tables];
}

function optionRow({ name, type, isOptional, text }: DocumentedMember): string[] {
  return [`${code(name)}${isOptional ? "" : " (required)"}`, code(type.replace(/^readonly /, "")), text];
}

function numbersSection(root: string): string[] {
  const rows = documentedMembers(root, "src/policy/policy-options.ts", "PolicyNumbers").map(({ name, text }) => [
    code(name),
    ...Object.values(PRESETS).map((preset) => shownNumber(preset[name as keyof PolicyNumbers])),
    text,
  ]);
  return [
    "## Numbers of the presets",
    "Each can be set beside `preset`. [Presets](presets.md) says what they mean together.",
    markdownTable(["number", ...Object.keys(PRESETS).map(code), "what it is"], rows),
  ];
}

function targetSection(root: string): string[] {
  const rows = documentedMembers(root, "src/messages/target.ts", "Target").map(({ name, type, text }) => [
    code(name),
    code(type),
    code(JSON.stringify(DEFAULT_TARGET[name as keyof typeof DEFAULT_TARGET])),
    text,
  ]);
  return [
    "## Target",
    "What the model accepts. `targetFor(model)` of `palimpsest/pricing` returns it for a model; the defaults are the strictest.",
    markdownTable(["flag", "type", "default", "what it is"], rows),
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}

function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(" ", "-");
}
