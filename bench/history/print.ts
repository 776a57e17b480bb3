import { formatTable } from "../table.ts";
import type { AppendSpeed, WritersSpeed } from "./appends.ts";
import type { CallCost, CompactionTime } from "./calls.ts";
import type { Goal } from "./goals.ts";
import type { NoteTimes } from "./notes.ts";
import type { OpeningTime } from "./opening.ts";
import type { QuerySpeeds } from "./queries.ts";
import type { Retention } from "./retention.ts";
import type { StoredBytes } from "./stored-bytes.ts";

export function printAppends(speeds: readonly AppendSpeed[]): string {
  const rows = speeds.map((speed) => [
    speed.database,
    `${speed.batch}`,
    whole(speed.barePerSecond),
    whole(speed.storePerSecond),
    whole(speed.historyPerSecond),
    speed.store.toFixed(2),
    speed.history.toFixed(2),
  ]);
  const header = ["commits per second", "at a time", "bare inserts", "store", "history", "store / bare", "history / bare"];
  return `Appends; the last two columns are ratios of times\n\n${formatTable(header, rows)}\n`;
}

export function printWriters(speeds: readonly WritersSpeed[]): string {
  const rows = speeds.map(({ database, writers, threads, perSecond }) => [database, `${writers}`, `${threads}`, whole(perSecond)]);
  return `Several histories at once, through one store, a commit at a time\n\n${formatTable(["", "histories", "threads", "commits per second"], rows)}\n`;
}

export function printNotes(all: readonly NoteTimes[]): string {
  const rows = (all[0]?.operations ?? []).map(({ operation }, index) => [
    operation,
    ...all.flatMap(({ operations }) => [whole(operations[index]?.medianUs ?? Number.NaN), whole(operations[index]?.p99Us ?? Number.NaN)]),
  ]);
  const header = ["microseconds", ...all.flatMap(({ database }) => [database, "99th percentile"])];
  return `Notes\n\n${formatTable(header, rows)}\n`;
}

export function printStoredBytes(source: string, all: readonly StoredBytes[]): string {
  const rows = all.map(({ database, conversationBytes, storedBytes, tables }) => [
    database,
    megabytes(conversationBytes),
    megabytes(storedBytes),
    (storedBytes / conversationBytes).toFixed(2),
    ...tables.map(({ bytes }) => megabytes(bytes)),
  ]);
  const tables = all[0]?.tables.map(({ table }) => table.replace("palimpsest_", "")) ?? [];
  const header = [source, "JSON", "stored", "stored / JSON", ...tables];
  return `Room, in megabytes; a table with its indexes\n\n${formatTable(header, rows)}\n`;
}

export function printOpening(times: readonly OpeningTime[]): string {
  const rows = times.map(({ database, ms, parse, searchMs }) => [database, ms.toFixed(0), parse.toFixed(1), searchMs.toFixed(1)]);
  const [first] = times;
  const title = `Open a thread of ${first?.messages.toLocaleString("en") ?? ""} messages (${first?.megabytes.toFixed(1) ?? ""} MB) and render it`;
  return `${title}\n\n${formatTable(["", "ms", "/ JSON.parse", "a search in it, ms"], rows)}\n`;
}

export function printCalls(source: string, costs: readonly CallCost[]): string {
  const lines: [string, (cost: CallCost) => string][] = [
    ["calls", ({ calls }) => whole(calls)],
    ["sessions", ({ sessions }) => whole(sessions)],
    ["bytes of conversation", ({ conversationBytes }) => whole(conversationBytes)],
    ["bytes stored", ({ storedBytes }) => whole(storedBytes)],
    ["bytes of the write-ahead log", ({ logBytes }) => whole(logBytes)],
    ...["commits", "contents", "words", "marks", "steps"].map((table): [string, (cost: CallCost) => string] => [
      `rows of ${table}`,
      ({ rows }) => (rows[table] ?? 0).toFixed(2),
    ]),
    ["ms to append", ({ times }) => times.append.toFixed(2)],
    ["ms to commit edits", ({ times }) => times.edits.toFixed(2)],
    ["ms to view", ({ times }) => times.view.toFixed(2)],
    ["ms to record", ({ times }) => times.record.toFixed(2)],
    ["ms in all, 99th percentile", ({ slowMs }) => slowMs.toFixed(1)],
  ];
  const rows = lines.map(([name, show]) => [name, ...costs.map(show)]);
  return `A call of the model: ${source}, played again under a policy; times are medians\n\n${formatTable(["per call", ...costs.map(({ database }) => database)], rows)}\n`;
}

export function printCompaction(times: readonly CompactionTime[]): string {
  const rows = times.map(({ database, messages, edits, commitMs, viewMs }) => [
    database,
    messages.toLocaleString("en"),
    edits.toLocaleString("en"),
    commitMs.toFixed(2),
    viewMs.toFixed(2),
  ]);
  return `A compaction step: commitEdits and view, at the end of a thread\n\n${formatTable(["", "messages", "edits", "commitEdits ms", "view ms"], rows)}\n`;
}

export function printQueries({ threadCommits, storeCommits, queries, fillSeconds }: QuerySpeeds): string {
  const rows = queries.map(({ database, query, found, aloneMs, fullMs, ratio }) => [
    database,
    query,
    `${found}`,
    aloneMs.toFixed(2),
    fullMs.toFixed(2),
    ratio.toFixed(2),
  ]);
  const filled = Object.entries(fillSeconds).map(([name, seconds]) => `${name} was filled in ${seconds.toFixed(0)} s`);
  const title = `A query in a thread of ${threadCommits.toLocaleString("en")} commits, alone in the store and among ${storeCommits.toLocaleString("en")} (${filled.join(", ")})`;
  return `${title}\n\n${formatTable(["", "query", "found", "alone ms", "full ms", "full / alone"], rows)}\n`;
}

export function printRetention(all: readonly Retention[]): string {
  const rows = all.map(({ database, forgetMs, retainMs, fullBytes, forgottenBytes, vacuumedBytes }) => [
    database,
    forgetMs.toFixed(0),
    retainMs.toFixed(0),
    ...[fullBytes, forgottenBytes, vacuumedBytes].map(megabytes),
  ]);
  const [first] = all;
  const title = `Retention: ${first?.threads ?? ""} threads of ${first?.threadCommits.toLocaleString("en") ?? ""} commits with short contents, of which half are old`;
  return `${title}\n\n${formatTable(["", "forget one, ms", "retain, ms", "MB before", "MB after", "MB after VACUUM"], rows)}\n`;
}

export function printGoals(goals: readonly Goal[]): string {
  return `Goals\n\n${formatTable(
    ["goal", "value", ""],
    goals.map(({ goal, value, isMet }) => [goal, value.toFixed(2), isMet ? "met" : "missed"]),
  )}`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
