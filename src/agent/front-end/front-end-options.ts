import { boolean, callback, object, oneOf, parseOptions, positiveInteger, type FieldsOf } from "../../errors/parse-options.ts";
import { parseTarget, type Target } from "../../messages/target.ts";
import { rescue } from "../../policy/shorteners.ts";
import type { ModelOptions, OnWarning } from "../../pricing/model-info.ts";
import type { ModelOverride } from "../../pricing/names/model-override.ts";
import { COMPACTION_FIELDS, parseCompaction, type CompactionConfig, type ParsedCompaction } from "../../policy/shortening-options.ts";
import type { FrontEndEvent } from "./front-end-event.ts";

/** For clients that know nothing of a thread: what stands between them and the model. */
export interface FrontEndOptions extends CompactionConfig, ModelOptions {
  /** Checkpoints, and the `compact` tool, for conversations with tools that are seen from their first request on. Default true. */
  readonly compact?: boolean;
  /** The `recall` tool, for the same conversations, and handles where something was shortened. Default true. */
  readonly recall?: boolean;
  /** With a compaction, reminders and thinking go behind the first replacement ("after-edit", the default) or everywhere ("all"). */
  readonly strip?: "all" | "after-edit";
  /** Anthropic's cache markers at the tail and where the last edit ends, beside the client's own. Default true. */
  readonly cache?: boolean;
  /** A request that is refused as too long is shortened hard and sent once more. Default true. */
  readonly rescue?: boolean;
  /** What the model accepts, over what is known of the model that the request names. */
  readonly target?: Partial<Target>;
  /** So many conversations are remembered; the one that was not used for the longest time goes first. Default 100. */
  readonly maxThreads?: number;
  /** Called at once with everything that happens. What it throws is ignored. */
  readonly onEvent?: (event: FrontEndEvent) => void;
}

export interface ParsedFrontEndOptions extends ParsedCompaction {
  readonly compact: boolean;
  readonly recall: boolean;
  readonly strip: "all" | "after-edit";
  readonly cache: boolean;
  readonly target: Partial<Target>;
  readonly maxThreads: number;
  readonly models: ModelOptions;
  readonly onEvent: (event: FrontEndEvent) => void;
}

const FIELDS: FieldsOf<FrontEndOptions> = {
  ...COMPACTION_FIELDS,
  compact: boolean,
  recall: boolean,
  strip: oneOf("all", "after-edit"),
  cache: boolean,
  rescue: boolean,
  target: object<Partial<Target>>(),
  maxThreads: positiveInteger,
  onEvent: callback<(event: FrontEndEvent) => void>("a function"),
  models: object<Readonly<Record<string, ModelOverride>>>(),
  onWarning: callback<OnWarning>("a function"),
};

export function parseFrontEndOptions(options: FrontEndOptions): ParsedFrontEndOptions {
  const given = parseOptions(options, "options", FIELDS) as FrontEndOptions;
  const { target = {}, models, onWarning, onEvent } = given;
  parseTarget(target, "options.target");
  const compaction = parseCompaction(given);
  return {
    policies: (place) => [...compaction.policies(place), ...(given.rescue === false ? [] : [rescue()])],
    compact: given.compact ?? true,
    recall: given.recall ?? true,
    strip: given.strip ?? "after-edit",
    cache: given.cache ?? true,
    target,
    maxThreads: given.maxThreads ?? 100,
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
