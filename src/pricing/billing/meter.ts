import { invalid } from "../../errors/palimpsest-error.ts";
import { count } from "../../errors/parse-options.ts";
import type { Block } from "../../messages/message.ts";
import { contentTokens } from "../../tokens/message-tokens.ts";
import { contentJson } from "./content-json.ts";
import { digestOf, type Digest } from "./prefix-hash.ts";
import { pathOf, type PromptPlace } from "./prompt-place.ts";

/** Returns the tokens of a tool or a block, as a whole number. */
export type TokensOf = (block: unknown, at: PromptPlace) => number;

export interface Measure {
  readonly digest: Digest;
  readonly tokens: number;
}

export interface Meter {
  /** `source`: the identity that is the same in each request: the block itself, or the string that it was made from. */
  measure(value: unknown, source: object | string, at: PromptPlace): Measure;
}

/** Reads every block once, because an agent sends the same objects repeatedly. They must not change in between. */
export function createMeter(tokenFactor: number, tokensOf: TokensOf | undefined): Meter {
  const objects = new WeakMap<object, Measure>();
  const strings = new Map<string, Measure>();

  const read = (value: unknown, at: PromptPlace): Measure => {
    const json = contentJson(value, pathOf(at));
    const digest = digestOf(json);
    if (tokensOf !== undefined) return { digest, tokens: 0 };
    // A tool is not a block: it is sent as its JSON.
    const tokens = contentTokens(at.part === "tools" ? json : [value as Block]);
    return { digest, tokens: Math.round(tokens * tokenFactor) };
  };

  const remembered = (value: unknown, source: object | string, at: PromptPlace): Measure => {
    const known = typeof source === "string" ? strings.get(source) : objects.get(source);
    if (known !== undefined) return known;
    const measure = read(value, at);
    if (typeof source === "string") strings.set(source, measure);
    else objects.set(source, measure);
    return measure;
  };

  return {
    measure(value, source, at) {
      const measure = remembered(value, source, at);
      return tokensOf === undefined ? measure : { digest: measure.digest, tokens: counted(tokensOf(value, at)) };
    },
  };
}

function counted(tokens: unknown): number {
  if (!count.accepts(tokens)) throw invalid("INVALID_OPTION", "options.tokensOf", `a function that returns ${count.expected}`, tokens);
  return tokens;
}
