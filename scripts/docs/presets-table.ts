/** The table of `docs/presets.md`, from the numbers of the presets. */
import { PRESETS, type PolicyNumbers } from "../../src/policy/policy-options.ts";
import { markdownTable } from "./markdown.ts";

const ROWS: readonly (readonly [what: string, shown: (numbers: PolicyNumbers) => string])[] = [
  ["A new result is shown whole up to", ({ firstSightTokens }) => tokens(firstSightTokens)],
  ["… if it is a piece of a file, up to", ({ firstSightFileTokens }) => tokens(firstSightFileTokens)],
  ["Old rounds become a digest above", ({ digestTokens }) => tokens(digestTokens)],
  ["… when the cache is cold anyway, above", ({ digestTokens }) => tokens(digestTokens / 2)],
  ["… but never the newest", ({ digestTailTurns, digestTailTokens }) => `${digestTailTurns} turns, ${tokens(digestTailTokens)}`],
  ["… and only if that pays off within", ({ digestWithinCalls }) => `${digestWithinCalls} calls`],
  ["Single old results are shortened, in batches, after", ({ tailTurns }) => `${tailTurns} turns`],
  ["… but never the newest", ({ tailTokens }) => tokens(tailTokens)],
  ["Arguments of old calls are shortened above", ({ inputTokens }) => tokens(inputTokens)],
];

export function presetsTable(): string {
  return markdownTable(
    ["", ...Object.keys(PRESETS).map((name) => `\`${name}\``)],
    ROWS.map(([what, shown]) => [what, ...Object.values(PRESETS).map(shown)]),
  );
}

function tokens(count: number): string {
  return `${shownNumber(count)} tokens`;
}

export function shownNumber(value: number | boolean): string {
  return typeof value === "number" ? value.toLocaleString("en-US") : String(value);
}
