import {
  arrayOf,
  boolean,
  object,
  count,
  oneOf,
  parseField,
  parseOptions,
  positiveInteger,
  string,
  type Field,
  type FieldsOf,
} from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { parseTarget, type Target } from "../messages/target.ts";

export type PresetName = "gentle" | "balanced" | "tight";

/** All numbers of a preset. Sizes are estimated tokens. */
export interface PolicyNumbers {
  /** A result up to this size is shown whole when it arrives. A longer one shows this many tokens of its most telling lines. 0: nothing is cut. */
  readonly firstSightTokens: number;
  /** The same limit for a piece of a file, which the agent may be about to edit. */
  readonly firstSightFileTokens: number;
  /** Shorten messages that were already sent, in batches, when that pays. Off: only when results arrive, and on a cold cache. */
  readonly batches: boolean;
  /** The newest N tokens are never part of a batch. */
  readonly tailTokens: number;
  /** Results read within the last N turns of the assistant are never part of a batch. */
  readonly tailTurns: number;
  /** Results that the assistant used, or the user named, within the last N turns are never part of a batch. A recalled result counts as used when it arrives. */
  readonly usedTurns: number;
  /** A result smaller than this is never shortened in a batch. */
  readonly minResultTokens: number;
  /** The percentage of an old result's tokens that stay. A result that cannot be read again from a file keeps 1.5 times as much. */
  readonly keptPercent: number;
  /** A result that was never used, with this many tokens after it, becomes one line. */
  readonly stubTokens: number;
  /** The input of an old call that is longer than this keeps its short fields and the start of its long ones. 0: inputs are never shortened. */
  readonly inputTokens: number;
  /** A batch removes at least this many tokens. */
  readonly minBatchTokens: number;
  /** Above this size, the view is shortened even if that does not pay. 0: no such limit. */
  readonly highTokens: number;
  /** The size that it is then shortened to. */
  readonly lowTokens: number;
  /** Above this size, and when it pays, digests replace the messages before the newest ones. On a cold cache half of this size is enough. 0: no digests. */
  readonly digestTokens: number;
  /** Digests leave the newest N tokens as they are. */
  readonly digestTailTokens: number;
  /** Digests leave the newest N turns of the assistant as they are. */
  readonly digestTailTurns: number;
  /** Digests pay if they save more than they cost within the next N calls. */
  readonly digestWithinCalls: number;
  /** The number of future calls over which a batch may pay off, as a percentage of the calls so far. */
  readonly horizonPercent: number;
}

/** How the results of one tool are treated. */
export interface ToolSettings {
  /** Never shortened. */
  readonly protect?: boolean;
  /** Instead of `firstSightTokens` and `firstSightFileTokens`. */
  readonly limit?: number;
  /** Above the limit, keep the first or the last lines instead of the most telling ones. */
  readonly keep?: "head" | "tail";
  /** Above the limit, keep what these instructions ask for, as `extractive` of palimpsest/summarize understands them: "last 20 lines", "matching filenames only". */
  readonly instructions?: string;
}

export interface PolicyOptions extends Partial<PolicyNumbers> {
  /** Default "balanced". */
  readonly preset?: PresetName;
  /** A view has at most this many tokens: `highTokens`, with a batch below it. */
  readonly budget?: number;
  /** The model whose prices and cache rules apply, unless a step names another. */
  readonly model?: string;
  readonly target?: Partial<Target>;
  /** The scope of handles: two threads never share one. */
  readonly thread?: string;
  /** Settings by the name of the tool. */
  readonly tools?: Readonly<Record<string, ToolSettings>>;
  /** Positions of messages that are never shortened. */
  readonly pins?: readonly number[];
}

/** Where handles are named: in everything shortened; only in inputs, because somebody else names the results; nowhere. */
type Naming = "all" | "inputs" | "none";

export interface ParsedPolicy extends PolicyNumbers {
  readonly naming: Naming;
  /** Nobody can fetch back what is cut, so only lossless changes are made. See `withoutLoss`. */
  readonly lossless: boolean;
  readonly model: string;
  readonly target: Partial<Target>;
  readonly thread: string;
  readonly tools: Readonly<Record<string, ToolSettings>>;
  readonly pins: readonly number[];
}

/** How they were found: docs/lab/policy-numbers.md and docs/lab/first-sight.md. */
export const PRESETS: Readonly<Record<PresetName, PolicyNumbers>> = {
  gentle: {
    firstSightTokens: 8_000,
    firstSightFileTokens: 24_000,
    batches: true,
    tailTokens: 80_000,
    tailTurns: 60,
    usedTurns: 1,
    minResultTokens: 300,
    keptPercent: 40,
    stubTokens: 1_000_000,
    inputTokens: 300,
    minBatchTokens: 2_000,
    highTokens: 0,
    lowTokens: 0,
    digestTokens: 150_000,
    digestTailTokens: 30_000,
    digestTailTurns: 20,
    digestWithinCalls: 12,
    horizonPercent: 10,
  },
  balanced: {
    firstSightTokens: 4_000,
    firstSightFileTokens: 12_000,
    batches: true,
    tailTokens: 12_000,
    tailTurns: 10,
    usedTurns: 1,
    minResultTokens: 300,
    keptPercent: 40,
    stubTokens: 120_000,
    inputTokens: 200,
    minBatchTokens: 1_000,
    highTokens: 0,
    lowTokens: 0,
    digestTokens: 100_000,
    digestTailTokens: 15_000,
    digestTailTurns: 20,
    digestWithinCalls: 10,
    horizonPercent: 10,
  },
  tight: {
    firstSightTokens: 2_000,
    firstSightFileTokens: 6_000,
    batches: true,
    tailTokens: 40_000,
    tailTurns: 30,
    usedTurns: 1,
    minResultTokens: 200,
    keptPercent: 30,
    stubTokens: 200_000,
    inputTokens: 100,
    minBatchTokens: 500,
    highTokens: 0,
    lowTokens: 0,
    digestTokens: 70_000,
    digestTailTokens: 4_000,
    digestTailTurns: 14,
    digestWithinCalls: 16,
    horizonPercent: 10,
  },
};

const percent: Field<number> = {
  expected: "a whole number, 1 to 1000",
  accepts: (value): value is number => positiveInteger.accepts(value) && value <= 1_000,
};

const NUMBER_FIELDS: FieldsOf<PolicyNumbers> = {
  firstSightTokens: count,
  firstSightFileTokens: count,
  batches: boolean,
  tailTokens: count,
  tailTurns: count,
  usedTurns: count,
  minResultTokens: count,
  keptPercent: percent,
  stubTokens: count,
  inputTokens: count,
  minBatchTokens: count,
  highTokens: count,
  lowTokens: count,
  digestTokens: count,
  digestTailTokens: count,
  digestTailTurns: count,
  digestWithinCalls: positiveInteger,
  horizonPercent: percent,
};

const TOOL_FIELDS: FieldsOf<ToolSettings> = { protect: boolean, limit: count, keep: oneOf("head", "tail"), instructions: string };

/** A batch shortens down to this share of a budget. */
const LOW_SHARE = 0.7;

const aPreset: Field<PresetName> = oneOf("gentle", "balanced", "tight");

/** Parses a preset's name, or options. `path` is their name in errors. */
export function parsePolicyChoice(policy: PresetName | PolicyOptions, path: string): ParsedPolicy {
  return parsePolicy(typeof policy === "string" ? { preset: parseField(policy, path, aPreset) } : policy, path);
}

/** Former names of options, and what to set instead. */
const RENAMED: Readonly<Record<string, string>> = {
  ingestTokens: "firstSightTokens and firstSightFileTokens, the sizes up to which a new result is shown whole",
  ingestWorth: "firstSightTokens and firstSightFileTokens, the sizes up to which a new result is shown whole",
};

export function parsePolicy(options: PolicyOptions, path = "options"): ParsedPolicy {
  const renamed = Object.keys(RENAMED).find((name) => typeof options === "object" && (options as unknown) !== null && Object.hasOwn(options, name));
  if (renamed !== undefined) throw invalid("INVALID_OPTION", `${path}.${renamed}`, RENAMED[renamed] ?? "", renamed);
  const given = parseOptions(options, path, {
    ...NUMBER_FIELDS,
    preset: aPreset,
    budget: positiveInteger,
    model: string,
    target: object<Partial<Target>>(),
    thread: string,
    tools: object<Readonly<Record<string, ToolSettings>>>(),
    pins: arrayOf(count),
  });
  const { preset = "balanced", budget, model = "unknown", target = {}, thread = "", tools = {}, pins = [], ...numbers } = given;
  parseTarget(target, `${path}.target`);
  for (const [name, settings] of Object.entries(tools)) parseOptions(settings, `${path}.tools.${name}`, TOOL_FIELDS);
  const limits = budget === undefined ? {} : { highTokens: budget, lowTokens: Math.floor(budget * LOW_SHARE) };
  const set = Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined));
  const parsed: ParsedPolicy = { ...PRESETS[preset], ...limits, ...set, naming: "all", lossless: false, model, target, thread, tools, pins };
  if (parsed.lowTokens > parsed.highTokens) throw invalid("INVALID_OPTION", `${path}.lowTokens`, `at most highTokens, ${parsed.highTokens}`, parsed.lowTokens);
  if (parsed.digestTokens > 0 && parsed.digestTailTokens >= parsed.digestTokens)
    throw invalid("INVALID_OPTION", `${path}.digestTailTokens`, `below digestTokens, ${parsed.digestTokens}`, parsed.digestTailTokens);
  return parsed;
}
