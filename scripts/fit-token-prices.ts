/** Fits the tables of `estimateTokens` to the vocabulary, and writes them to src/tokens/. Run it again when pieces, pages or training texts change. */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { fitCharacters } from "./tokens/fit-characters.ts";
import { fitPrices } from "./tokens/fit-prices.ts";
import { trainingTexts } from "./tokens/training-texts.ts";

const texts = trainingTexts();
const characters = fitCharacters(texts);
const { prices, ...latin } = fitPrices(texts, characters);
await write("fitted-prices.ts", "FITTED_PRICES: PiecePrices", "PiecePrices", "./piece-prices.ts", prices);
await write("fitted-characters.ts", "FITTED_CHARACTERS: FittedCharacters", "FittedCharacters", "./fitted-table.ts", { ...characters, ...latin });

async function write(file: string, constant: string, type: string, from: string, value: unknown): Promise<void> {
  const target = fileURLToPath(new URL(`../src/tokens/${file}`, import.meta.url));
  const source = `import type { ${type} } from "${from}";

/** Made by scripts/fit-token-prices.ts from the o200k vocabulary: change the script, not this file. */
export const ${constant} = ${JSON.stringify(value)};
`;
  const formatted = await format(source, { ...(await resolveConfig(target)), parser: "typescript" });
  writeFileSync(target, formatted);
  console.log(`written: ${target}, ${formatted.length} characters`);
}
