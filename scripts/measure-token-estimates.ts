/** Prints the errors of `estimateTokens` against o200k: on the sample texts, on all scripts, symbols and languages, and on tool results of the corpus, if present. */
import { estimateTokens } from "../src/tokens/estimate-tokens.ts";
import { readCorpusToolResults } from "../test/support/corpus-tool-results.ts";
import { countO200k } from "./tokens/o200k.ts";
import { declarationSamples, namedSamples, randomLetterSamples } from "./tokens/named-samples.ts";
import { calibrationSamples, unfittedSamples } from "./tokens/sample-texts.ts";
import { scriptSamples, symbolSamples } from "./tokens/script-samples.ts";

console.log("kind                    tokens  chars/token  error of the sum");
for (const [kind, texts] of Object.entries({ ...calibrationSamples(), ...unfittedSamples() })) print(kind, [texts].flat());

const SEED = 1;
console.log("\nlargest errors in each set of samples");
const sets = {
  scripts: scriptSamples(SEED),
  symbols: symbolSamples(SEED),
  named: namedSamples(SEED),
  letters: randomLetterSamples(SEED),
  languages: declarationSamples(),
};
for (const [set, samples] of Object.entries(sets)) {
  const ratios = samples.map(({ name, text }) => ({ name, ratio: estimateTokens(text) / countO200k(text) })).sort((a, b) => a.ratio - b.ratio);
  for (const { name, ratio } of [...ratios.slice(0, 2), ...ratios.slice(-2)]) console.log(`${set.padEnd(20)} ${ratio.toFixed(2)}  ${name}`);
}

const results = readCorpusToolResults()
  .map(({ file, text }) => ({ harness: file.replace(/\/.*/, ""), text, tokens: countO200k(text) }))
  .filter(({ tokens }) => tokens > 200);
console.log(`\n${results.length} tool results of the corpus over 200 tokens${results.length === 0 ? ": it is not there" : ""}`);
if (results.length > 0) {
  for (const [harness, ofHarness] of Map.groupBy(results, (result) => result.harness))
    print(
      harness,
      ofHarness.map(({ text }) => text),
    );
  const errors = results.map(({ text, tokens }) => Math.abs(estimateTokens(text) / tokens - 1));
  for (const limit of [0.05, 0.1, 0.25]) console.log(`within ${limit * 100} %: ${percent(errors.filter((error) => error <= limit).length / errors.length)}`);
}

function print(kind: string, texts: readonly string[]): void {
  const tokens = texts.reduce((sum, text) => sum + countO200k(text), 0);
  const estimated = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const chars = texts.reduce((sum, text) => sum + text.length, 0);
  console.log(`${kind.padEnd(20)} ${`${tokens}`.padStart(9)}  ${(chars / tokens).toFixed(2).padStart(11)}  ${percent(estimated / tokens - 1).padStart(16)}`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
