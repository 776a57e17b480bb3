import { callback, count, object, parseOptions, type Field, type FieldsOf } from "../errors/parse-options.ts";
import { isRecord } from "../errors/is-record.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import type { CompactionNotice } from "../stateless/compact-old-tool-results.ts";
import { COMPRESSOR_FIELDS, type CompressorConfig } from "../stateless/compressor-config.ts";
import { parsePrunerConfig, type PrunerConfig } from "../stateless/pruner-config.ts";
import type { Policy } from "./policy.ts";
import { parsePolicyChoice, type ParsedPolicy, type PolicyOptions, type PresetName } from "./policy-options.ts";
import { PresetPolicy } from "./preset-policy.ts";
import { withoutLoss } from "./without-loss.ts";
import { budget, cap, collapse, prune } from "./shorteners.ts";

/** Automatic shortening of a conversation. Each part is off unless given. */
export interface CompactionConfig {
  /** Decides what to shorten and when: a preset, its options, or a list of policies that run one after the other. See `palimpsest/policy`. */
  readonly policy?: PolicyChoice;
  /** Cuts longer tool results when they come in: the model never saw more of them, so no cache is lost. */
  readonly compress?: Pick<CompressorConfig, "maxToolResultTokens">;
  /** At the start of each call, replaces each old call and its result by one line. */
  readonly collapse?: Omit<CompressorConfig, "maxToolResultTokens">;
  /** At the start of each call, removes whole messages. */
  readonly prune?: PrunerConfig;
  /** After a response to a request of more than `inputTokenBudget` tokens, cuts the results of all rounds but the newest. */
  readonly budget?: ThreadBudget;
}

export interface ThreadBudget {
  /** Default 40,000. 0: never. */
  readonly inputTokenBudget?: number;
  /** Default 500. */
  readonly toolResultRetentionChars?: number;
  /** Called if something was cut. Default: nothing is printed. */
  readonly onCompact?: (notice: CompactionNotice) => void;
}

export type PolicyChoice = PresetName | PolicyOptions | readonly PolicyPart[];

/** One policy of a list. A function returns a new policy for each conversation. */
export type PolicyPart = PresetName | PolicyOptions | Omit<CompactionConfig, "policy"> | (() => Policy);

/** The conversation that policies are made for. */
export interface PolicyPlace {
  /** The conversation's id. Handles are valid only within it. */
  readonly thread: string;
  /** Whether shortened pieces name a handle. */
  readonly named: boolean;
  /** Limits presets to lossless changes, because neither the model nor the caller can recall: they tidy, and drop what is shown again later. Default false. */
  readonly lossless?: boolean;
}

export interface ParsedCompaction {
  /** Returns the policies for one conversation. */
  readonly policies: (place: PolicyPlace) => readonly Policy[];
}

type Make = (place: PolicyPlace) => Policy;

const BUDGET_FIELDS: FieldsOf<ThreadBudget> = {
  inputTokenBudget: count,
  toolResultRetentionChars: count,
  onCompact: callback<(notice: CompactionNotice) => void>("a function"),
};

const aPolicy: Field<PolicyChoice> = {
  expected: "a preset, the options of a policy, or a list of policies",
  accepts: (value): value is PolicyChoice => typeof value === "string" || isRecord(value) || Array.isArray(value),
};

const SHORT_FIELDS: FieldsOf<Omit<CompactionConfig, "policy">> = { compress: object(), collapse: object(), prune: object(), budget: object() };

export const COMPACTION_FIELDS: FieldsOf<CompactionConfig> = { policy: aPolicy, ...SHORT_FIELDS };

/** `path`: the name of the options in errors. */
export function parseCompaction({ policy, ...short }: CompactionConfig, path = "options"): ParsedCompaction {
  const other = Object.entries(short as Readonly<Record<string, unknown>>).find(([key, value]) => Object.hasOwn(SHORT_FIELDS, key) && value !== undefined);
  if (policy !== undefined && other !== undefined)
    throw invalid("INVALID_OPTION", `${path}.${other[0]}`, "nothing here beside `policy`, which decides all of this itself", other[1]);
  if (policy !== undefined) return parsePolicies(policy, `${path}.policy`);
  const makes = parseShort(short, path);
  return { policies: (place) => makes.map((make) => make(place)) };
}

/** `path`: the name of the policy in errors. */
export function parsePolicies(policy: PolicyChoice, path: string): ParsedCompaction {
  const makes = parseChoice(policy, path);
  return { policies: (place) => makes.map((make) => make(place)) };
}

function parseChoice(choice: PolicyChoice, path: string): readonly Make[] {
  if (!isList(choice)) return [ofPreset(parsePolicyChoice(choice, path))];
  return Array.from(choice).flatMap((part, number) => parsePart(part, `${path}.${number}`));
}

function parsePart(part: PolicyPart, path: string): readonly Make[] {
  if (typeof part === "function") return [(): Policy => parseMade(part(), `${path}()`)];
  if (!aPolicy.accepts(part) || isList(part))
    throw invalid(
      "INVALID_OPTION",
      path,
      "a preset, the options of a policy, one of compress, collapse, prune and budget, or a function that returns a policy",
      part,
    );
  // A `budget` that is a number belongs to a preset.
  const isShort = isRecord(part) && Object.entries(part).some(([key, value]) => Object.hasOwn(SHORT_FIELDS, key) && isRecord(value));
  return isShort ? parseShort(parseOptions(part as CompactionConfig, path, SHORT_FIELDS) as CompactionConfig, path) : [ofPreset(parsePolicyChoice(part, path))];
}

function parseMade(made: unknown, path: string): Policy {
  if (!isRecord(made)) throw invalid("INVALID_OPTION", path, "a policy", made);
  return made;
}

function ofPreset(parsed: ParsedPolicy): Make {
  return ({ thread, named, lossless = false }) => new PresetPolicy({ ...(lossless ? withoutLoss(parsed) : parsed), thread, naming: named ? "inputs" : "none" });
}

/** Returns the policies in the order in which they run. */
function parseShort({ compress, collapse: rounds, prune: messages, budget: limit }: Omit<CompactionConfig, "policy">, path: string): readonly Make[] {
  return [...parseCompress(compress, path), ...parseCollapse(rounds, path), ...parsePrune(messages, path), ...parseBudget(limit, path)];
}

function parseCompress(config: CompactionConfig["compress"] = {}, path: string): readonly Make[] {
  const { maxToolResultTokens } = parseOptions(config, `${path}.compress`, { maxToolResultTokens: COMPRESSOR_FIELDS.maxToolResultTokens });
  return maxToolResultTokens === undefined ? [] : [(): Policy => cap(maxToolResultTokens)];
}

function parseCollapse(config: CompactionConfig["collapse"] = {}, path: string): readonly Make[] {
  const { maxToolResultTokens: _, ...fields } = COMPRESSOR_FIELDS;
  const { collapseAfterTurns: afterTurns, collapseMultiToolTurns = false, collapseGistChars = 0 } = parseOptions(config, `${path}.collapse`, fields);
  if (afterTurns === undefined) return [];
  return [(): Policy => collapse({ afterTurns, multiToolTurns: collapseMultiToolTurns, gistChars: collapseGistChars })];
}

function parsePrune(config: CompactionConfig["prune"], path: string): readonly Make[] {
  if (config === undefined) return [];
  const parsed = parsePrunerConfig(config, `${path}.prune`);
  return [(): Policy => prune(parsed)];
}

function parseBudget(config: CompactionConfig["budget"], path: string): readonly Make[] {
  if (config === undefined) return [];
  const { inputTokenBudget = 40_000, toolResultRetentionChars = 500, onCompact } = parseOptions(config, `${path}.budget`, BUDGET_FIELDS);
  return [(): Policy => budget({ inputTokenBudget, toolResultRetentionChars, onCompact: onCompact ?? ((): void => undefined) })];
}

function isList(choice: PolicyChoice | PolicyPart): choice is readonly PolicyPart[] {
  return Array.isArray(choice);
}
