/**
 * Checks the layers (`.dependency-cruiser.mjs`). dependency-cruiser reports success when it could not read the sources at all
 * (it does so with a TypeScript it does not know), so this also checks that it saw every one of them.
 */
import { globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cruise, type ICruiseResult, type IForbiddenRuleType } from "dependency-cruiser";
import extractDepcruiseConfig from "dependency-cruiser/config-utl/extract-depcruise-config";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";

process.chdir(fileURLToPath(new URL("../", import.meta.url)));

const { forbidden = [], options } = await extractDepcruiseConfig("./.dependency-cruiser.mjs");
const { output } = await cruise(["src"], { ...options, ruleSet: { forbidden }, validate: true }, undefined, { tsConfig: extractTSConfig("tsconfig.json") });
if (typeof output === "string") throw new Error("dependency-cruiser returned text where a result was expected");

const problems = [...violations(output, forbidden), ...unseenSources(output)];
for (const problem of problems) console.error(problem);

const modules = output.modules.filter((module) => module.source.startsWith("src/")).length;
console.log(`layers: ${modules} modules, ${output.summary.totalDependenciesCruised ?? 0} dependencies, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;

function violations(result: ICruiseResult, rules: readonly IForbiddenRuleType[]): string[] {
  return result.summary.violations.map(({ rule, from, to, cycle }) => {
    const path = cycle === undefined ? to : cycle.map((step) => step.name).join(" -> ");
    const why = rules.find(({ name }) => name === rule.name)?.comment;
    return `${rule.name}: ${from} -> ${path}${why === undefined ? "" : `  (${why})`}`;
  });
}

function unseenSources(result: ICruiseResult): string[] {
  const seen = new Set(result.modules.map((module) => module.source));
  const sources = globSync("src/**/*.{ts,tsx}").map((file) => file.replaceAll("\\", "/"));
  if (sources.length === 0) return ["there are no sources in src/"];
  return sources.filter((file) => !seen.has(file)).map((file) => `not seen by dependency-cruiser: ${file}`);
}
