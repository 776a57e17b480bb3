import { modelInfo } from "../pricing/model-info.ts";
import type { ModelInfo } from "../pricing/models/model.ts";

/** Where neither the file nor the caller names a model. */
export const DEFAULT_MODEL = "claude-sonnet-5";

/** Whose tokens and prices are used for a trajectory. */
export interface CountedAs {
  /** The model whose prices are used. */
  readonly model: string;
  readonly info: ModelInfo;
  /** From the estimate to the tokens of the model. 1 where no model is named: the estimate itself. */
  readonly tokenFactor: number;
  /** Why the prices are a guess, in a sentence. */
  readonly guess?: string;
}

/** `named`: by the file or by the user. */
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
