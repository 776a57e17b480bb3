import { readFile } from "node:fs/promises";
import { isRecord } from "../../errors/is-record.ts";
import { maskedAddress } from "../../errors/masked-address.ts";
import { invalid } from "../../errors/palimpsest-error.ts";
import type { Field } from "../../errors/parse-options.ts";
import { isLoopbackHost } from "../../access/own-host.ts";
import { DEFAULTS, SETTINGS, type ProxySettings } from "../../proxy/index.ts";
import { CliError } from "../cli-error.ts";
import { defaultStore } from "./default-store.ts";
import type { Environment } from "../command-io.ts";

export type SettingName = keyof ProxySettings;
type Value = string | number | boolean | undefined;

/** A setting in force, and where it comes from. */
export interface Setting {
  readonly name: SettingName;
  readonly value: Value;
  /** "--port", "PALIMPSEST_PORT", a file, or "default". */
  readonly from: string;
}

export interface SettingSources {
  /** As commander read them: strings, and booleans for `--observe`. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Environment;
  /** Returns the path to open for one that the user gave. */
  readonly resolve: (path: string) => string;
}

export const SETTING_NAMES: readonly SettingName[] = Object.keys(SETTINGS) as SettingName[];
export const CONFIG_FILE = "palimpsest.config.json";

/** Returns every setting: flags override the environment, which overrides the file, which overrides the defaults. */
export async function readSettings({ flags, env, resolve }: SettingSources): Promise<readonly Setting[]> {
  const [file, values] = await readConfigFile(flags["config"] ?? env["PALIMPSEST_CONFIG"], resolve);
  const settings = SETTING_NAMES.map((name): Setting => {
    const flag = flags[name];
    if (flag !== undefined) return { name, value: parsed(name, fromText(name, flag), flagOf(name)), from: flagOf(name) };
    const variable = env[variableOf(name)];
    if (variable !== undefined) return { name, value: parsed(name, fromText(name, variable), variableOf(name)), from: variableOf(name) };
    if (values[name] !== undefined) return { name, value: parsed(name, values[name], `${file}.${name}`), from: file };
    const usual = name === "token" || name === "redact" ? undefined : name === "store" ? defaultStore(env) : DEFAULTS[name];
    return { name, value: usual, from: "default" };
  });
  requireToken(settings);
  return settings;
}

/** Returns the settings as options of `createProxy`. */
export function optionsOf(settings: readonly Setting[]): ProxySettings {
  return Object.fromEntries(settings.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]));
}

/** Returns a setting's value for the screen, without secrets. */
export function shownValue({ name, value }: Setting): string {
  if (value === undefined) return "(none)";
  if (name === "token") return "(set)";
  if (name === "store") return maskedAddress(String(value));
  const isUpstream = name === "anthropicUpstream" || name === "openaiUpstream";
  return isUpstream ? maskedAddress(String(value)).replace(/\/$/, "") : String(value);
}

export function flagOf(name: SettingName): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export function variableOf(name: SettingName): string {
  return `PALIMPSEST_${name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

function requireToken(settings: readonly Setting[]): void {
  const { host = DEFAULTS.host, token } = optionsOf(settings);
  if (isLoopbackHost(host) || token !== undefined) return;
  throw new CliError(
    `Other machines can reach ${host}, so the proxy needs a token there.`,
    `Set PALIMPSEST_TOKEN or --token, and send it as x-palimpsest-token; or listen on ${DEFAULTS.host}.`,
  );
}

/** Reads the named file, or the default one if it exists. */
async function readConfigFile(named: unknown, resolve: SettingSources["resolve"]): Promise<readonly [file: string, values: Readonly<Record<string, unknown>>]> {
  const file = typeof named === "string" ? named : CONFIG_FILE;
  let text: string;
  try {
    text = await readFile(resolve(file), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (named === undefined && code === "ENOENT") return [file, {}];
    throw new CliError(`Cannot read the settings in ${file} (${String(code)}).`, "Give the path of a JSON file after --config.", error);
  }
  const values = parsedJson(text, file);
  for (const name of Object.keys(values))
    if (!Object.hasOwn(SETTINGS, name)) throw invalid("INVALID_OPTION", `${file}.${name}`, `one of ${SETTING_NAMES.join(", ")}`, name, SETTING_NAMES);
  return [file, values];
}

function parsedJson(text: string, file: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // The parser's message may quote the file, which may hold the token.
    throw new CliError(`${file} is not JSON.`, 'Write one object, such as { "port": 4141 }.', error);
  }
  if (!isRecord(value)) throw new CliError(`${file} does not hold a JSON object.`, 'Write one, such as { "port": 4141 }.');
  return value;
}

/** Converts text from flags and the environment. Text that is not of the setting's type stays text, and is refused later. */
function fromText(name: SettingName, text: unknown): unknown {
  if (typeof text !== "string") return text;
  const kind = name === "token" || name === "redact" ? "string" : typeof DEFAULTS[name];
  if (kind === "number") return /^\d+$/.test(text) ? Number(text) : text;
  if (kind === "boolean") return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : text;
  return text;
}

function parsed(name: SettingName, value: unknown, path: string): Value {
  const field = SETTINGS[name] as Field<Value>;
  if (!field.accepts(value)) throw invalid("INVALID_OPTION", path, field.expected, isSecret(name, value) ? hidden(value) : value, field.names);
  return value;
}

function hidden(value: unknown): string {
  return typeof value === "string" ? "*".repeat(value.length) : `a ${typeof value}`;
}

/** No message repeats a password, and what only resembles an address may hold one anywhere. */
function isSecret(name: SettingName, value: unknown): boolean {
  return name === "token" || (typeof value === "string" && value.includes("@"));
}
