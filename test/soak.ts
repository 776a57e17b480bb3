/** Runs the properties on as many random cases as you like, with new ones each time. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE = `Runs every property on many random transcripts.

  npm run soak -- --cases <n> [--seed <s>]

  --cases <n>   random cases for each property (default 20000)
  --seed <s>    the same cases again (default: a new seed, which is printed)
  --help        this text
`;

const root = fileURLToPath(new URL("../", import.meta.url));
const properties = ["test/render.properties.test.ts", "test/functions.properties.test.ts"];

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  let options: { readonly cases: number; readonly seed: number } | undefined;
  try {
    options = parseCommandLine(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options === undefined) {
    console.log(USAGE);
    return 0;
  }
  const { cases, seed } = options;
  console.log(`${cases} cases for each property, seed ${seed}`);
  const env = { ...process.env, PALIMPSEST_CASES: String(cases), PALIMPSEST_SEED: String(seed) };
  const { status, error } = spawnSync(process.execPath, ["--test", ...properties], { cwd: root, env, stdio: "inherit" });
  if (error !== undefined) console.error(error.message);
  console.log(`The same cases again: npm run soak -- --cases ${cases} --seed ${seed}`);
  return status ?? 1;
}

/** Undefined where help is asked for. */
function parseCommandLine(args: readonly string[]): { readonly cases: number; readonly seed: number } | undefined {
  const { values } = parseArgs({ args: [...args], options: { cases: { type: "string" }, seed: { type: "string" }, help: { type: "boolean", short: "h" } } });
  if (values.help === true) return undefined;
  return {
    cases: wholeNumber("--cases", values.cases ?? "20000", 1),
    seed: wholeNumber("--seed", values.seed ?? String(Math.floor(Math.random() * 2 ** 31)), 0),
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
    throw new Error(`${name} must be a whole number, ${least} or more, found ${JSON.stringify(text)}`);
  return value;
}
