import { boolean, oneOf, parseOptions, positiveInteger, type FieldsOf } from "../errors/parse-options.ts";

/** What the model that will read the messages accepts. Flags, not names: the pricing table maps a model to them. */
export interface Target {
  /** Thinking is signed together with everything before it (A4.8). */
  readonly bindsThinking: boolean;
  readonly thinking: "adaptive" | "manual" | "off";
  /** The request asks the provider to drop thinking whose prefix changed, instead of refusing it (A4.8). */
  readonly dropBlock: boolean;
  /** The conversation may end with an assistant message (A1.8). */
  readonly prefill: boolean;
  readonly windowTokens: number;
}

export const DEFAULT_TARGET: Target = {
  bindsThinking: true,
  thinking: "adaptive",
  dropBlock: false,
  prefill: false,
  windowTokens: 200_000,
};

export const TARGET_FIELDS: FieldsOf<Target> = {
  bindsThinking: boolean,
  thinking: oneOf("adaptive", "manual", "off"),
  dropBlock: boolean,
  prefill: boolean,
  windowTokens: positiveInteger,
};

/** `path`: the caller's path of the target, for errors. */
export function parseTarget(value: Partial<Target> | undefined, path = "target"): Target {
  return value === undefined ? DEFAULT_TARGET : withDefaults(parseOptions(value, path, TARGET_FIELDS));
}

/** Fills missing values from `DEFAULT_TARGET`. */
export function withDefaults(given: { readonly [K in keyof Target]?: Target[K] | undefined }): Target {
  return {
    bindsThinking: given.bindsThinking ?? DEFAULT_TARGET.bindsThinking,
    thinking: given.thinking ?? DEFAULT_TARGET.thinking,
    dropBlock: given.dropBlock ?? DEFAULT_TARGET.dropBlock,
    prefill: given.prefill ?? DEFAULT_TARGET.prefill,
    windowTokens: given.windowTokens ?? DEFAULT_TARGET.windowTokens,
  };
}

/** Says whether thinking may be shown only with the prefix it was signed for. */
export function bindsPrefix(target: Target): boolean {
  return target.bindsThinking && !target.dropBlock;
}
