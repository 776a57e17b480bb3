/** Checks that nothing takes more than linear time. Runs each subject on a large input and on one eight times as large. */
import { parseArgs } from "node:util";
import { SUBJECTS, type Subject } from "./growth/subjects.ts";
import { median } from "./statistics.ts";
import { formatTable } from "./table.ts";
import { optionsOr, progressOf } from "./terminal.ts";

const HELP = `npm run bench:growth -- [options] [part of a name ...]

Times functions that must take linear time, on an input and on one eight times as large. Linear is 8, quadratic is 64; above 32 is a
fault (exit code 1).

  --json     print the measurements as JSON
  --help     this text
`;

const TIMES = 8;
const MOST_TIMES = 32;
const SAMPLES = 5;
/** Shorter times say nothing about growth, and nobody would notice them. */
const SHORT_MS = 50;

interface Options {
  readonly help: boolean;
  readonly json: boolean;
  readonly parts: readonly string[];
}

interface Growth {
  readonly name: string;
  readonly smallMs: number;
  readonly largeMs: number;
  readonly times: number;
  readonly isLinear: boolean;
}

const { help, json, parts } = optionsOr(parse, HELP);
if (help) {
  console.log(HELP);
  process.exit(0);
}
const progress = progressOf("growth");
const measured: Growth[] = [];
const chosen = SUBJECTS.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
for (const [number, subject] of chosen.entries()) {
  progress(`${number + 1} of ${chosen.length}: ${subject.name}`);
  measured.push(await growthOf(subject));
}
progress("");
const faults = measured.filter(({ isLinear }) => !isLinear);
if (json) console.log(JSON.stringify(measured, null, 2));
else {
  const rows = measured.map(({ name, smallMs, largeMs, times, isLinear }) => [
    name,
    smallMs.toFixed(1),
    largeMs.toFixed(1),
    times.toFixed(1),
    isLinear ? "" : "too much",
  ]);
  console.log(formatTable(["", "ms", `ms, ${TIMES} times the size`, "times", ""], rows));
  console.log(`\n${faults.length === 0 ? "Nothing" : faults.map(({ name }) => name).join(", ")} takes more than time in proportion to its input.`);
}
process.exitCode = faults.length === 0 ? 0 : 1;

function parse(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({ args: [...args], options: { json: { type: "boolean" }, help: { type: "boolean" } }, allowPositionals: true });
  return { help: values.help === true, json: values.json === true, parts: positionals };
}

async function growthOf({ name, size, prepare }: Subject): Promise<Growth> {
  const [small, large] = [prepare(size), prepare(TIMES * size)];
  await small();
  const smallMs = await medianMs(small);
  const largeMs = await medianMs(large);
  const times = largeMs / smallMs;
  return { name, smallMs, largeMs, times, isLinear: largeMs < SHORT_MS || times <= MOST_TIMES };
}

async function medianMs(run: () => unknown): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const start = performance.now();
    await run();
    samples.push(performance.now() - start);
  }
  return median(samples);
}
