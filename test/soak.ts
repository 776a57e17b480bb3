/** Runs the properties on as many random cases as you like, with new ones each time. */
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const USAGE = `Runs every property on many random transcripts.

  npm run soak -- [--cases <n>] [--seed <s>] [name ...]

  name          only files of properties with this in their name: policy, render, thread ... (default: all, which takes hours)
  --cases <n>   random cases for each property (default 20000)
  --seed <s>    the same cases again (default: a new seed, which is printed)
  --help        this text
`;

const root = fileURLToPath(new URL("../", import.meta.url));
const properties = globSync(["test/*.properties.test.ts", "src/**/*.properties.test.ts"], { cwd: root }).toSorted();

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  let options: Soak | undefined;
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
  const { cases, seed, files } = options;
  console.log(`${cases} cases for each property, seed ${seed}`);
  const env = { ...process.env, PALIMPSEST_CASES: String(cases), PALIMPSEST_SEED: String(seed) };
  const { status, error } = spawnSync(process.execPath, ["--test", ...files], { cwd: root, env, stdio: "inherit" });
  if (error !== undefined) console.error(error.message);
  console.log(`The same cases again: npm run soak -- ${["--cases", cases, "--seed", seed, ...options.names].join(" ")}`);
  return status ?? 1;
}

interface Soak {
  readonly cases: number;
  readonly seed: number;
  readonly names: readonly string[];
  readonly files: readonly string[];
}

/** Undefined where help is asked for. */
function parseCommandLine(args: readonly string[]): Soak | undefined {
  const { values, positionals: names } = parseArgs({
    args: [...args],
    options: { cases: { type: "string" }, seed: { type: "string" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  if (values.help === true) return undefined;
  return {
    cases: wholeNumber("--cases", values.cases ?? "20000", 1),
    seed: wholeNumber("--seed", values.seed ?? String(Math.floor(Math.random() * 2 ** 31)), 0),
    names,
    files: names.length === 0 ? properties : [...new Set(names.flatMap(filesNamed))],
  };
}

function filesNamed(name: string): readonly string[] {
  const files = properties.filter((file) => basename(file).includes(name));
  if (files.length === 0) throw new Error(`No file of properties has ${JSON.stringify(name)} in its name. There are:\n  ${properties.join("\n  ")}`);
  return files;
}

function wholeNumber(name: string, text: string, least: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least)
    throw new Error(`${name} must be a whole number, ${least} or more, found ${JSON.stringify(text)}`);
  return value;
}
