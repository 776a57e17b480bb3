import { modelInfo } from "../pricing/model-info.ts";
import type { ModelInfo } from "../pricing/models/model.ts";

/** Used if neither the file nor the caller names a model. */
export const DEFAULT_MODEL = "claude-sonnet-5";

/** The model whose tokens and prices are used for a trajectory. */
export interface CountedAs {
  /** The model whose prices are used. */
  readonly model: string;
  readonly info: ModelInfo;
  /** The model's tokens per estimated token; 1 if no model is named. */
  readonly tokenFactor: number;
  /** A sentence about why the prices are a guess. */
  readonly guess?: string;
}

/** `named`: the model that the file or the user names. */
export function countedAs(named: string | undefined): CountedAs {
  let guess = named === undefined ? guessOf(DEFAULT_MODEL) : undefined;
  const model = named ?? DEFAULT_MODEL;
  const info = modelInfo(model, {
    onWarning: (warning) => {
      guess = warning;
    },
  });
  return { model, info, tokenFactor: named === undefined ? 1 : info.tokenFactor, ...(guess === undefined ? {} : { guess }) };
}

export function guessOf(model: string): string {
  return `The file names no model: the prices are a guess, those of ${model}. --model names another.`;
}
