/** Several writers on one thread: nothing is lost, nothing is torn, and all see the same. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openHistory, type History } from "../src/history/index.ts";
import { openStore } from "../src/store/open-store.ts";
import { use } from "./support/build.ts";
import { agentRun } from "./support/history/agent-run.ts";
import { startPostgres, type Postgres } from "./support/postgres.ts";
import { kills, killTimeoutMs } from "./support/run-settings.ts";
import { killWriters, runWriters } from "./support/stores/writers.ts";

const WRITERS = 8;
const ROUNDS = 20;

const folder = mkdtempSync(join(tmpdir(), "palimpsest-writers-"));
after(() => rmSync(folder, { recursive: true, force: true }));

describe("processes on one thread", { timeout: killTimeoutMs() }, () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres();
  });
  after(() => postgres.stop());

  it("write all that they have to say, in SQLite", () => writeTogether(`sqlite:${join(folder, "together.db")}`));
  it("write all that they have to say, in PostgreSQL", async () => writeTogether(await postgres.createDatabase()));

  it("are killed again and again: what was acknowledged is there, and every hash is right", async () => {
    const store = `sqlite:${join(folder, "killed.db")}`;
    const acknowledged = await killWriters("rounds", store, kills(), 4);
    assert.ok(acknowledged.length >= kills());
    await assertWhole(store, acknowledged);
  });
});

async function writeTogether(store: string): Promise<void> {
  const acknowledged = await runWriters("rounds", store, WRITERS, ROUNDS);
  const commits = await assertWhole(store, acknowledged);
  assert.equal(commits, WRITERS * (ROUNDS * 2 + ROUNDS / 2));
  const history = await openHistory({ store, thread: "shared" });
  for (let writer = 0; writer < WRITERS; writer++) {
    const name = `writer ${writer}`;
    const turns = await history.findToolTurns({ name });
    assert.deepEqual(
      turns.map(({ results }) => results.map(({ metadata, kind }) => `${metadata.toolCallId} ${kind}`)),
      Array.from({ length: ROUNDS }, (_, round) => [`${name}-${round} ${round % 2 === 0 ? "edit" : "append"}`]),
    );
  }
  const names = (await history.findToolResults()).map(({ name }) => name);
  assert.ok(names.filter((name, number) => name !== names[number - 1]).length > WRITERS, "they wrote at the same time");
  await history.close();
}

/** Every acknowledged commit is there, once and in one order. Gives how many there are. */
async function assertWhole(store: string, acknowledged: readonly string[]): Promise<number> {
  const history = await openHistory({ store, thread: "shared" });
  const commits = await history.log();
  assert.deepEqual(await history.verify(), { ok: true, commits: commits.length, faults: [] });
  assert.deepEqual(
    commits.map(({ parent }) => parent),
    [null, ...commits.slice(0, -1).map(({ hash }) => hash)],
  );
  const hashes = new Set(commits.map(({ hash }) => hash));
  assert.deepEqual([hashes.size, new Set(acknowledged).size], [commits.length, acknowledged.length]);
  assert.deepEqual(
    acknowledged.filter((hash) => !hashes.has(hash)),
    [],
  );
  await history.close();
  return commits.length;
}

describe("histories of one thread", () => {
  const both = async (): Promise<[History, History]> => {
    const store = await openStore("memory");
    return [await openHistory({ store, thread: "t" }), await openHistory({ store, thread: "t" })];
  };

  it("write in the order in which they are told to, without waiting", async () => {
    const [history] = await both();
    await Promise.all([history.user("1"), history.assistant("2"), history.user("3"), history.assistant("4")]);
    assert.deepEqual(
      (await history.messages()).map(({ content }) => content),
      ["1", "2", "3", "4"],
    );
  });

  it("notice that a thread was forgotten and begun again", async () => {
    const [a, b] = await both();
    await a.append([
      { role: "user", content: "old" },
      { role: "assistant", content: "old" },
    ]);
    await b.forget("t");
    await b.append([
      { role: "user", content: "new 1" },
      { role: "assistant", content: "new 2" },
      { role: "user", content: "new 3" },
    ]);
    assert.deepEqual(await a.view(), await b.view());
    assert.equal((await a.view()).length, 3);
  });

  it("take one result for a call, whoever is first", async () => {
    const [a, b] = await both();
    await a.assistant([use("c", "read")]);
    const outcomes = await Promise.allSettled([a.toolResult("c", "read", "a"), b.toolResult("c", "read", "b")]);
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    assert.equal((await a.findToolResults()).length, 1);
  });

  it("join the results of a round that they answer together", async () => {
    const [a, b] = await both();
    await a.assistant([use("c1", "read"), use("c2", "read"), use("c3", "read")]);
    await Promise.all([a.toolResult("c1", "read", "1"), b.toolResult("c2", "read", "2"), a.toolResult("c3", "read", "3")]);
    assert.equal((await b.messages()).length, 2);
  });

  it("that compress the same at once make one set of edits, and show the same bytes", async () => {
    const store = await openStore("memory");
    let waiting = 0;
    const gate = Promise.withResolvers<undefined>();
    /** Both are asked before either is answered. */
    const summarizer = (name: string) => async (): Promise<string> => {
      waiting += 1;
      if (waiting === 2) gate.resolve(undefined);
      await gate.promise;
      return `summary of ${name}`;
    };
    const a = await openHistory({ store, thread: "t", summarizer: summarizer("a") });
    const b = await openHistory({ store, thread: "t", summarizer: summarizer("b") });
    const { grep, grepResult } = await agentRun(a);
    const [first, second] = await Promise.all([a.compress({ commits: [grep, grepResult] }), b.compress({ commits: [grep, grepResult] })]);
    assert.deepEqual(first.edits, second.edits, "the first commit for a target wins");
    assert.deepEqual([(await a.edits()).length, await a.view()], [1, await b.view()]);
    assert.deepEqual(first.summaries, second.summaries);
  });
});
