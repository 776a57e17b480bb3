/** Threads and compactors that live in a store: several processes at once, and processes that are ended in the middle of their work. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createThread, openThread, type StoredThread } from "../src/agent/index.ts";
import { openCompactor, openHistory, type History } from "../src/history/index.ts";
import { LIVING_POLICY, livingRound } from "./support/history/living-rounds.ts";
import { hashOf, LIVING_THREAD, turnsIn } from "./support/history/living-turns.ts";
import { startPostgres } from "./support/postgres.ts";
import { kills, killTimeoutMs, seed } from "./support/run-settings.ts";
import { faults } from "./support/provider-judge.ts";
import { Dice } from "./support/threads/dice.ts";
import { result } from "./support/threads/speak.ts";

const programOf = (name: string): string => fileURLToPath(new URL(`support/history/${name}.ts`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "palimpsest-living-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const ROUNDS = 25;

/** A process that compacts a thread: what it has said so far, and the promise of its end. */
function startCompactor(store: string): { readonly said: () => readonly string[]; readonly ended: Promise<unknown> } {
  const compactor = spawn(process.execPath, [programOf("living-compactor"), store, "shared"], { stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  compactor.stdout.setEncoding("utf8").on("data", (chunk: string) => (out += chunk));
  const ended = once(compactor, "close").then(([code]: unknown[]) => assert.equal(code, 0));
  return { said: () => out.split("\n").slice(0, -1), ended };
}

/** Has this many processes compact one thread while this one writes it. Returns what each said, per length of the log. */
async function compactTogether(store: string, processes: number): Promise<void> {
  const history = await openHistory({ store, thread: "shared" });
  await history.user("Read all files.");
  const running = Array.from({ length: processes }, () => startCompactor(store));
  /** All have seen the log as it is; and they go on with it, so that what is written next comes in the middle of their work. */
  const allHaveSeen = async (length: number): Promise<void> => {
    const hasSeen = (lines: readonly string[]): boolean => lines.some((line) => line.startsWith(`${length} `));
    while (!running.every(({ said }) => hasSeen(said()))) await Promise.race([sleep(2), ...running.map(({ ended }) => ended)]);
  };
  let length = 1;
  for (let round = 1; round <= ROUNDS; round++) {
    await allHaveSeen(length);
    const messages = livingRound(round);
    await history.append(messages);
    length += messages.length;
  }
  await allHaveSeen(length);
  await history.append([
    { role: "assistant", content: "All is read." },
    { role: "user", content: "done" },
  ]);
  await Promise.all(running.map(({ ended }) => ended));
  await checkTogether(
    store,
    history,
    running.map(({ said }) => said()),
  );
  await history.close();
}

async function checkTogether(store: string, history: History, said: readonly (readonly string[])[]): Promise<void> {
  const byLength = new Map<string, Set<string>>();
  for (const line of said.flat()) {
    const [length = "", bytes = ""] = line.split(" ");
    byLength.set(length, (byLength.get(length) ?? new Set()).add(bytes));
  }
  for (const [length, bytes] of byLength) assert.equal(bytes.size, 1, `one view of ${length} messages`);
  const edits = await history.edits();
  assert.ok(edits.length > ROUNDS);
  assert.equal((await history.log({ kinds: ["edit"] })).length, edits.length, "one set of edits");
  assert.equal((await history.verify()).ok, true);
  // Another one, later, goes on from there.
  const compactor = await openCompactor({ ...LIVING_POLICY, store, thread: "shared" });
  const { messages } = await compactor.next();
  await compactor.close();
  assert.deepEqual(faults(messages), []);
}

describe("compactors on one thread, in several processes", { timeout: 240_000 }, () => {
  it("two, in SQLite", () => compactTogether(`sqlite:${join(folder, "two.db")}`, 2));
  it("four, in SQLite", () => compactTogether(`sqlite:${join(folder, "four.db")}`, 4));
  it("two and four, in PostgreSQL", async () => {
    const postgres = await startPostgres();
    try {
      await compactTogether(await postgres.createDatabase(), 2);
      await compactTogether(await postgres.createDatabase(), 4);
    } finally {
      await postgres.stop();
    }
  });
});

describe("an agent that is ended at any moment", { timeout: killTimeoutMs() }, () => {
  it("goes on where it was, again and again", async () => {
    const store = `sqlite:${join(folder, "killed.db")}`;
    const dice = new Dice(seed());
    let wasInTheMiddle = 0;
    let saved = { length: 0, hash: hashOf([]) };
    for (let time = 0; time < kills(); time++) {
      saved = (await runAndKill(store, dice.below(300))) ?? saved;
      const thread = await openThread({ ...LIVING_THREAD, store, thread: "t" });
      assert.equal(hashOf(thread.log().slice(0, saved.length)), saved.hash, "what was saved is there");
      if (thread.next().next !== "user") wasInTheMiddle += 1;
      checkWhole(thread);
      if (thread.log().length > 0) await checkHistory(store);
      await thread.close();
    }
    assert.ok(saved.length > 0 && wasInTheMiddle > 0, `${saved.length} messages, ended ${wasInTheMiddle} times in the middle of a turn`);
    await finish(store);
  });
});

async function checkHistory(store: string): Promise<void> {
  const history = await openHistory({ store, thread: "t" });
  assert.equal((await history.verify()).ok, true);
  await history.close();
}

async function finish(store: string): Promise<void> {
  const before = await openThread({ ...LIVING_THREAD, store, thread: "t" });
  const turns = turnsIn(before) + 2;
  await before.close();
  await promisify(execFile)(process.execPath, [programOf("living-agent"), store, "t", `${turns}`]);
  const thread = await openThread({ ...LIVING_THREAD, store, thread: "t" });
  assert.deepEqual([turnsIn(thread), thread.next().next], [turns, "user"]);
  assert.ok(thread.edits().some(({ pass }) => pass === "compact"));
  await thread.close();
}

/** Gives the last that the agent said was saved. */
async function runAndKill(store: string, afterMs: number): Promise<{ length: number; hash: string } | undefined> {
  const agent = spawn(process.execPath, [programOf("living-agent"), store, "t", "100000"], { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  agent.stdout.on("data", (data: Buffer) => {
    said += data.toString();
  });
  while (!said.includes("open\n")) await sleep(5);
  await sleep(afterMs);
  agent.kill("SIGKILL");
  await once(agent, "close");
  const [, length, hash] = [...said.matchAll(/^(\d+) (\w+)\n/gm)].at(-1) ?? [];
  return length === undefined || hash === undefined ? undefined : { length: Number(length), hash };
}

/** On a copy: what is missing is given, and the provider takes the request. */
function checkWhole(thread: StoredThread): void {
  if (thread.log().length === 0) return;
  const copy = createThread({ ...LIVING_THREAD, state: JSON.parse(JSON.stringify(thread)) as unknown });
  const { next, calls } = thread.next();
  assert.ok(calls.every(({ name }) => name !== "compact"));
  if (next === "tools") copy.toolResults(calls.map(({ id }) => result(id)));
  if (next === "user") copy.user("Go on.");
  assert.deepEqual(faults(copy.request().messages), []);
}
