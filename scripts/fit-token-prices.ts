/** Fits what `estimateTokens` knows of the vocabulary, and writes it to src/tokens/fitted-prices.ts. Run it again when pieces or training texts change. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { fitPrices } from "./tokens/fit-prices.ts";
import { trainingTexts } from "./tokens/training-texts.ts";

const target = fileURLToPath(new URL("../src/tokens/fitted-prices.ts", import.meta.url));
const prices = fitPrices(trainingTexts());
const source = `import type { PiecePrices } from "./piece-prices.ts";

/** Made by scripts/fit-token-prices.ts from the o200k vocabulary: change that, not this. */
export const FITTED_PRICES: PiecePrices = ${JSON.stringify(prices)};
`;
writeFileSync(target, await format(source, { ...(await resolveConfig(target)), parser: "typescript" }));
console.log(`written: ${target}`);
