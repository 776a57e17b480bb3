/** Runs the tests: `npm test`. Files share processes where possible, one process per core, and all share one PostgreSQL. */
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { run } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { POSTGRES_SERVER, startPostgres, type Postgres } from "../test/support/postgres.ts";
import { cases, CASES, kills, seed, SEED } from "../test/support/run-settings.ts";
import { planProcesses, writeEntries, type TestProcess } from "./test/processes.ts";
import { TestReport, type View } from "./test/test-report.ts";

const USAGE = `Runs the tests.

  npm test -- [--names | --times | --verbose] [--random] [part of a path ...]

  part          only test files with this in their path: render, src/policy, history ...
  --random      only test files with random cases or kills
  --verbose     print every test, not only those that fail
  --names       print the names of all tests, and nothing else
  --times       list the slowest files at the end
  --help        this text

Environment:
  ${CASES}   random cases of every property (default 100); writers are killed a tenth as often
  ${SEED}    repeat the random cases of this seed (default: from the commit)
`;

const root = fileURLToPath(new URL("../", import.meta.url));
process.chdir(root);
process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  let settings: Settings;
  try {
    settings = parseSettings(args);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}. See npm test -- --help.`);
    return 2;
  }
  const { help, view, processes } = settings;
  if (help) {
    console.log(USAGE);
    return 0;
  }
  // Every process uses the same cases, even outside git.
  process.env[SEED] = String(seed());
  // Tests start hundreds of processes, and most of the time of each goes into compiling the same sources.
  process.env["NODE_COMPILE_CACHE"] ??= join(root, "reports", "compile-cache");
  if (view === "names") console.error("The names are those of the tests that ran: this takes as long as the tests.");
  else console.log(`Node ${process.version}, ${cases()} cases of each property, ${kills()} kills, seed ${seed()} (the same again: ${SEED}=${seed()})`);
  return await withPostgres(processes, () => runTests(processes, view));
}

interface Settings {
  readonly help: boolean;
  readonly view: View;
  readonly processes: readonly TestProcess[];
}

function parseSettings(args: readonly string[]): Settings {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      names: { type: "boolean" },
      times: { type: "boolean" },
      verbose: { type: "boolean" },
      random: { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
    allowPositionals: true,
  });
  // Both throw if the environment has something other than a number: here, before the first test.
  cases();
  seed();
  const processes = planProcesses(root, { parts: positionals, random: values.random === true });
  if (processes.length === 0) throw new Error(`No test file has ${positionals.map((part) => JSON.stringify(part)).join(" or ")} in its path`);
  const view = values.names === true ? "names" : values.times === true ? "times" : values.verbose === true ? "all" : "failures";
  return { help: values.help === true, view, processes };
}

/** Starting PostgreSQL takes longer than most tests that need it. Tests that crash their server start their own. */
async function withPostgres<T>(processes: readonly TestProcess[], body: () => Promise<T>): Promise<T> {
  if (!processes.some(({ files }) => files.some((file) => /store|history/.test(file)))) return body();
  const postgres: Postgres = await startPostgres();
  process.env[POSTGRES_SERVER] = postgres.address;
  const stopAndExit = (signal: NodeJS.Signals): void => {
    void postgres.stop().finally(() => process.exit(signal === "SIGINT" ? 130 : 143));
  };
  process.once("SIGINT", stopAndExit).once("SIGTERM", stopAndExit);
  try {
    return await body();
  } finally {
    process.off("SIGINT", stopAndExit).off("SIGTERM", stopAndExit);
    await postgres.stop();
  }
}

async function runTests(processes: readonly TestProcess[], view: View): Promise<number> {
  const report = new TestReport(view, (file) => relative(root, file).replaceAll("\\", "/"));
  const entries = writeEntries(root, processes);
  try {
    const events = run({ files: entries.files, concurrency: Math.max(2, availableParallelism()) }) as AsyncIterable<TestEvent>;
    for await (const event of events) report.add(event);
  } finally {
    entries.remove();
  }
  return await report.finish(`${SEED}=${seed()} ${CASES}=${cases()}`);
}
