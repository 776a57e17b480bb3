/** How many random cases and kills a run has, and which ones. */
import { execFileSync } from "node:child_process";

export const CASES = "PALIMPSEST_CASES";
export const SEED = "PALIMPSEST_SEED";

const DEFAULT_CASES = 100;
const LEAST_KILLS = 10;

/** Returns the number of random cases of every property. */
export function cases(): number {
  return wholeNumber(CASES, 1) ?? DEFAULT_CASES;
}

/** Returns how often writers are killed: the same number scales both. */
export function kills(): number {
  return Math.max(LEAST_KILLS, Math.ceil(cases() / 10));
}

/** Returns how long a test with kills may take: far longer than it does. */
export function killTimeoutMs(): number {
  return 60_000 + kills() * 5_000;
}

/** Returns the seed of the random cases. Every commit has its own, so that the cases of a failure are the same ones until it is fixed. */
export function seed(): number {
  const given = wholeNumber(SEED, 0);
  if (given !== undefined) return given;
  chosenSeed ??= commitSeed() ?? Math.floor(Math.random() * 2 ** 31);
  return chosenSeed;
}

let chosenSeed: number | undefined;

/** Returns undefined outside of a repository. */
function commitSeed(): number | undefined {
  try {
    const hash = execFileSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const number = Number.parseInt(hash.slice(0, 7), 16);
    return Number.isNaN(number) ? undefined : number;
  } catch {
    return undefined;
  }
}

function wholeNumber(name: string, least: number): number | undefined {
  const value = process.env[name];
  if (value === undefined || value === "") return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < least)
    throw new Error(`${name} must be a whole number, ${least} or more, found ${JSON.stringify(value)}`);
  return number;
}
