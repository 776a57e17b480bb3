/** Runs the properties and the kills on any number of new random cases: `npm run soak`. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { CASES, SEED } from "../test/support/run-settings.ts";

const USAGE = `Runs every property on many random transcripts, and kills writers a tenth as often.

  npm run soak -- [--cases <n>] [--seed <s>] [part of a path ...]

  part          only test files with this in their path: policy, render, thread ... (default: all, which takes hours)
  --cases <n>   random cases for each property (default 20000)
  --seed <s>    repeat the cases of this seed (default: a new seed, which is printed)
  --help        this text
`;

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  let soak: Soak;
  try {
    soak = parseCommandLine(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}. See npm run soak -- --help.`);
    return 2;
  }
  if (soak.help) {
    console.log(USAGE);
    return 0;
  }
  const { cases, seed, parts } = soak;
  const env = { ...process.env, [CASES]: cases, [SEED]: seed };
  const test = fileURLToPath(new URL("test.ts", import.meta.url));
  const { status, error } = spawnSync(process.execPath, [test, "--random", ...parts], { env, stdio: "inherit" });
  if (error !== undefined) console.error(error.message);
  // Status 2: the run did not start.
  if (status !== 2) console.log(`To repeat these cases: npm run soak -- ${["--cases", cases, "--seed", seed, ...parts].join(" ")}`);
  return status ?? 1;
}

interface Soak {
  readonly help: boolean;
  readonly cases: string;
  readonly seed: string;
  readonly parts: readonly string[];
}

/** Numbers are checked where they are used, before the first test. */
function parseCommandLine(args: readonly string[]): Soak {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { cases: { type: "string" }, seed: { type: "string" }, help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  const { help = false, cases = "20000", seed = String(Math.floor(Math.random() * 2 ** 31)) } = values;
  return { help, cases, seed, parts: positionals };
}
