import { isRecord } from "../../errors/is-record.ts";
import { boolean, callback, object, oneOf, parseOptions, positiveInteger, string, type Field, type FieldsOf } from "../../errors/parse-options.ts";
import { parseTarget, type Target } from "../../messages/target.ts";
import { rescue } from "../../policy/shorteners.ts";
import type { ModelOptions, OnWarning } from "../../pricing/model-info.ts";
import type { ModelOverride } from "../../pricing/names/model-override.ts";
import type { PresetName } from "../../policy/policy-options.ts";
import { COMPACTION_FIELDS, parseCompaction, parsePolicies, type CompactionConfig, type ParsedCompaction } from "../../policy/shortening-options.ts";
import type { Store } from "../../store/store.ts";
import { redacting, type Redact } from "./redaction.ts";
import type { FrontEndEvent } from "./front-end-event.ts";

/** Options for clients that do not use a thread themselves. */
export interface FrontEndOptions extends CompactionConfig, ModelOptions {
  /** Checkpoints and the `compact` tool, in conversations with tools that are seen from their first request. Default false. */
  readonly compact?: boolean;
  /** The `recall` tool in these conversations, and handles where something was shortened. Default true. */
  readonly recall?: boolean;
  /** Presets also shorten conversations in which the model has no `recall`. Default false: those are shortened only without loss. */
  readonly lossy?: boolean;
  /**
   * Where conversations are kept: "sqlite:agent.db", "postgres://…", or an open store. They continue after a restart, or in another process, with the
   * same bytes. Default: in memory only.
   */
  readonly store?: string | Store;
  /** A compaction removes reminders and thinking after the first replacement ("after-edit", the default) or everywhere ("all"). */
  readonly strip?: "all" | "after-edit";
  /** Adds Anthropic's cache markers to the client's own: at the tail, and where the last edit ends. Default true. */
  readonly cache?: boolean;
  /** Shortens a request hard that is refused as too long, and sends it once more. Default true. */
  readonly rescue?: boolean;
  /** What the model accepts, overriding what is known about the model of the request. */
  readonly target?: Partial<Target>;
  /** A regular expression without lookaround: matches are stored as `[redacted]`. Requests are sent unchanged. */
  readonly redact?: string;
  /** About how much memory conversations may take; the least recently used are dropped first. Default 256. */
  readonly maxMemoryMb?: number;
  /** Called synchronously with every event. Its errors are ignored. */
  readonly onEvent?: (event: FrontEndEvent) => void;
}

export interface ParsedFrontEndOptions {
  /** Creates the policies of one conversation. `policy`: the name of a preset that replaces the policy of the options. */
  readonly policiesOf: (policy: string | undefined) => ParsedCompaction["policies"];
  /** Whether handles can be used other than by the model's own tool. */
  readonly isServed: () => boolean;
  readonly compact: boolean;
  readonly recall: boolean;
  readonly strip: "all" | "after-edit";
  readonly cache: boolean;
  readonly target: Partial<Target>;
  readonly maxMemoryMb: number;
  readonly lossy: boolean;
  readonly store: string | Store | undefined;
  readonly redact: Redact | undefined;
  /** `compress`, `collapse`, `prune` or `budget` were given, so conversations without tools are shortened too. */
  readonly isExplicit: boolean;
  /** The name of the preset, or "custom" for any other policy. */
  readonly policyName: string | undefined;
  readonly models: ModelOptions;
  readonly onEvent: (event: FrontEndEvent) => void;
}

const aStore: Field<string | Store> = {
  expected: 'the address of a store, such as "sqlite:agent.db", or an open store',
  accepts: (value): value is string | Store => (typeof value === "string" ? value !== "" : isRecord(value) && "append" in value),
};

const FIELDS: FieldsOf<FrontEndOptions> = {
  ...COMPACTION_FIELDS,
  compact: boolean,
  recall: boolean,
  strip: oneOf("all", "after-edit"),
  cache: boolean,
  rescue: boolean,
  target: object<Partial<Target>>(),
  lossy: boolean,
  store: aStore,
  redact: string,
  maxMemoryMb: positiveInteger,
  onEvent: callback<(event: FrontEndEvent) => void>("a function"),
  models: object<Readonly<Record<string, ModelOverride>>>(),
  onWarning: callback<OnWarning>("a function"),
};

export function parseFrontEndOptions(options: FrontEndOptions): ParsedFrontEndOptions {
  const given = parseOptions(options, "options", FIELDS) as FrontEndOptions;
  const { target = {}, models, onWarning, onEvent } = given;
  parseTarget(target, "options.target");
  const compaction = parseCompaction(given);
  const rescues = given.rescue === false ? [] : [rescue];
  return {
    policiesOf: (policy) => {
      const { policies } = policy === undefined ? compaction : parsePolicies(policy as PresetName, "policy");
      return (place) => [...policies(place), ...rescues.map((make) => make())];
    },
    isServed: () => false,
    compact: given.compact ?? false,
    recall: given.recall ?? true,
    strip: given.strip ?? "after-edit",
    cache: given.cache ?? true,
    target,
    maxMemoryMb: given.maxMemoryMb ?? 256,
    lossy: given.lossy ?? false,
    store: given.store,
    redact: given.redact === undefined ? undefined : redacting(given.redact, "options.redact"),
    isExplicit: isExplicit(given),
    policyName: policyName(given),
    models: { ...(models === undefined ? {} : { models }), ...(onWarning === undefined ? {} : { onWarning }) },
    onEvent: (event) => {
      try {
        onEvent?.(event);
      } catch {
        // A listener must not cost the client its answer.
      }
    },
  };
}

/** A policy given in parts is carried out as given, even without `recall`. */
function isExplicit({ policy, compress, collapse, prune, budget }: FrontEndOptions): boolean {
  const isShort = [compress, collapse, prune, budget].some((part) => part !== undefined);
  return isShort || Array.isArray(policy);
}

function policyName({ policy, ...options }: FrontEndOptions): string | undefined {
  if (typeof policy === "string") return policy;
  if (isRecord(policy) && typeof policy["preset"] === "string" && Object.keys(policy).length === 1) return policy["preset"];
  return policy !== undefined || isExplicit(options) ? "custom" : undefined;
}
