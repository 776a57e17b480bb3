import { boolean, callback, count, oneOf, parseOptions, positiveInteger, type Field, type FieldsOf } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { Script } from "./protocol.ts";

export interface ProviderDoubleOptions {
  /** The model's answers: a list of turns, or a function of the request. */
  readonly script: Script;
  /** The port on 127.0.0.1. Default 0: any free port. */
  readonly port?: number;
  /** Returns the tokens of a tool, a system block or a message block. Default: a quarter of the characters of its JSON. */
  readonly tokensOf?: (piece: unknown) => number;
  /** A longer request is refused. Default 200 000. */
  readonly windowTokens?: number;
  readonly rules?: ProviderRules;
  /** The clock of the prompt cache, in milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
  /** The delay before every answer. Default 0. */
  readonly latencyMs?: number;
  /** "by-request": the same request gets the same ids again, from every double, so that two runs can be compared byte by byte. Default "unique". */
  readonly ids?: "unique" | "by-request";
}

/** Rules that differ between models. The defaults are strict. */
export interface ProviderRules {
  /** Thinking is bound to everything before it (A4.8). Default true. */
  readonly bindsThinking?: boolean;
  /** The last message may be the assistant's (A1.8). Default false. */
  readonly prefill?: boolean;
  /** A shorter prefix is not cached (F). Default 1024. */
  readonly minimumCacheTokens?: number;
}

export type ParsedOptions = Required<Omit<ProviderDoubleOptions, "rules">> & { readonly rules: Required<ProviderRules> };

const script: Field<Script> = {
  expected: "a list of turns, or a function of the request",
  accepts: (value): value is Script => Array.isArray(value) || typeof value === "function",
};
const record: Field<ProviderRules> = { expected: "an object", accepts: (value) => typeof value === "object" && value !== null };

const FIELDS: FieldsOf<ProviderDoubleOptions> = {
  script,
  port: count,
  tokensOf: callback("a function of a piece of the prompt"),
  windowTokens: positiveInteger,
  rules: record,
  now: callback("a function that returns milliseconds"),
  latencyMs: count,
  ids: oneOf("unique", "by-request"),
};
const RULES: FieldsOf<ProviderRules> = { bindsThinking: boolean, prefill: boolean, minimumCacheTokens: count };

export function parseDoubleOptions(options: ProviderDoubleOptions): ParsedOptions {
  const given = parseOptions(options, "options", FIELDS);
  const rules = parseOptions(given.rules ?? {}, "options.rules", RULES);
  if (given.script === undefined) throw invalid("INVALID_OPTION", "options.script", script.expected, undefined);
  return {
    script: given.script,
    port: given.port ?? 0,
    tokensOf: given.tokensOf ?? quarterOfJson,
    windowTokens: given.windowTokens ?? 200_000,
    rules: { bindsThinking: rules.bindsThinking ?? true, prefill: rules.prefill ?? false, minimumCacheTokens: rules.minimumCacheTokens ?? 1024 },
    now: given.now ?? Date.now,
    latencyMs: given.latencyMs ?? 0,
    ids: given.ids ?? "unique",
  };
}

/** Throws if the value is not a script. */
export function parseScript(value: Script): Script {
  if (!script.accepts(value)) throw invalid("INVALID_OPTION", "script", script.expected, value);
  return value;
}

function quarterOfJson(piece: unknown): number {
  return Math.ceil(JSON.stringify(piece).length / 4);
}
