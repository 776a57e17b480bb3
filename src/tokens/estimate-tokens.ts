import { buildPieceMachine } from "./build-piece-machine.ts";
import { FITTED_PRICES } from "./fitted-prices.ts";

const MACHINE = buildPieceMachine(FITTED_PRICES);

/** About as many tokens as the text has in o200k, the vocabulary of OpenAI's models: in one pass over it, whatever it contains. */
export function estimateTokens(text: string): number {
  return text === "" ? 0 : Math.max(1, Math.round(MACHINE.costOf(text) / 100));
}
