import { lineageOf } from "../names/lineage.ts";
import { ANTHROPIC_MODELS } from "./anthropic-models.ts";
import { claudeTraits } from "./claude-traits.ts";
import { DEEPSEEK_MODELS } from "./deepseek-models.ts";
import { GEMINI_MODELS } from "./gemini-models.ts";
import type { ModelInfo } from "./model.ts";
import { OLDER_MODELS, type OlderModel } from "./older-models.ts";
import { OPENAI_MODELS } from "./openai-models.ts";

const LISTED: readonly ModelInfo[] = [...ANTHROPIC_MODELS, ...OPENAI_MODELS, ...GEMINI_MODELS, ...DEEPSEEK_MODELS];

/** Every model whose prices are known. */
export const MODELS: readonly ModelInfo[] = [...LISTED, ...OLDER_MODELS.flatMap(olderModel)];

function olderModel({ id, like, prices, minimumTokens, windowTokens, source }: OlderModel): ModelInfo[] {
  return LISTED.filter((model) => model.id === like).map((model) => ({
    ...model,
    ...traitsOf(id, model),
    id,
    prices,
    cache: { ...model.cache, minimumTokens: minimumTokens ?? model.cache.minimumTokens },
    windowTokens: windowTokens ?? model.windowTokens,
    source,
    assumptions: [`everything except the prices is the same as for ${like}`, ...model.assumptions],
  }));
}

/** Returns the traits of a model that borrows the rest from `relative`. The version of a Claude decides what it accepts. */
export function traitsOf(name: string, relative: ModelInfo): Pick<ModelInfo, "thinking" | "prefill" | "tokenFactor"> {
  const { thinking, prefill, tokenFactor } = relative;
  return relative.provider === "anthropic" ? claudeTraits(lineageOf(name)) : { thinking, prefill, tokenFactor };
}
