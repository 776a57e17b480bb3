import fc from "fast-check";
import { cases, seed } from "./run-settings.ts";

/** A mutant only has to be caught: looking for its smallest counterexample is time lost. */
const isMutant: boolean = process.env["__STRYKER_ACTIVE_MUTANT__"] !== undefined;

/** How long to look for a smaller counterexample: of a long transcript there are very many. */
const SHRINK_MS = 20_000;

type Arbitraries = readonly [fc.Arbitrary<unknown>, ...fc.Arbitrary<unknown>[]];
type ValuesOf<A extends Arbitraries> = { -readonly [K in keyof A]: A[K] extends fc.Arbitrary<infer T> ? T : never };

/** Runs `predicate` on `cases()` random values; it fails by throwing or by returning false. A failure names the seed, the shrunk counterexample and how to run it again. */
export function checkProperty<const A extends Arbitraries>(name: string, arbitraries: A, predicate: (...values: ValuesOf<A>) => unknown): void {
  const property = fc.property(fc.tuple(...arbitraries), (values) => predicate(...(values as ValuesOf<A>)) !== false);
  const outcome = fc.check(property, find());
  throwIfFailed(name, outcome.failed && !isMutant ? smallerOf(outcome, fc.check(property, shrinkFrom(outcome))) : outcome);
}

/** The same for predicates that return a promise. */
export async function checkAsyncProperty<const A extends Arbitraries>(
  name: string,
  arbitraries: A,
  predicate: (...values: ValuesOf<A>) => Promise<unknown>,
): Promise<void> {
  const property = fc.asyncProperty(fc.tuple(...arbitraries), async (values) => (await predicate(...(values as ValuesOf<A>))) !== false);
  const outcome = await fc.check(property, find());
  throwIfFailed(name, outcome.failed && !isMutant ? smallerOf(outcome, await fc.check(property, shrinkFrom(outcome))) : outcome);
}

function find(): { numRuns: number; seed: number; endOnFailure: boolean } {
  return { numRuns: cases(), seed: seed(), endOnFailure: true };
}

type Outcome = fc.RunDetails<[unknown[]]>;

function shrinkFrom(outcome: Outcome): fc.Parameters<[unknown[]]> {
  return { numRuns: 1, seed: outcome.seed, path: outcome.counterexamplePath ?? "", plugins: [fc.interruptAfterTimeLimit(SHRINK_MS) as fc.Plugin<[unknown[]]>] };
}

function smallerOf(found: Outcome, shrunk: Outcome): Outcome {
  return shrunk.failed && shrunk.counterexample !== null ? { ...shrunk, numRuns: found.numRuns } : found;
}

function throwIfFailed(name: string, outcome: Outcome): void {
  if (!outcome.failed) return;
  const counterexample = JSON.stringify(outcome.counterexample?.[0] ?? null, null, 1);
  const error = outcome.errorInstance instanceof Error ? outcome.errorInstance.message : "no error";
  const lines = [
    `${name}: failed after ${outcome.numRuns} cases and ${outcome.numShrinks} shrinks`,
    error,
    `run again with PALIMPSEST_SEED=${outcome.seed} PALIMPSEST_CASES=${cases()} (path ${outcome.counterexamplePath ?? "-"})`,
    `counterexample: ${counterexample.length > 20_000 ? `${counterexample.slice(0, 20_000)}…` : counterexample}`,
  ];
  throw new Error(lines.join("\n"), { cause: outcome.errorInstance });
}

export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

/** The same JSON, byte for byte, key order included. */
export function sameBytes(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
