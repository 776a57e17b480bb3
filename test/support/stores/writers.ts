import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openStore } from "../../../src/store/open-store.ts";
import type { Durability } from "../../../src/store/sqlite-database.ts";
import type { BranchRef } from "../../../src/store/store.ts";
import { sha256 } from "./commits.ts";
import { WAITING } from "./meeting.ts";

type Program = "commits" | "rounds";
/** They take a store, the name of the writer, how much it has to write, before which of it all meet, and perhaps a durability. */
const PROGRAMS: Readonly<Record<Program, string>> = {
  commits: fileURLToPath(new URL("writer.ts", import.meta.url)),
  rounds: fileURLToPath(new URL("../history/write-rounds.ts", import.meta.url)),
};
const FOREVER = 1_000_000;

interface Writer {
  readonly process: ChildProcess;
  /** Settled when it waits for the others. */
  readonly waiting: Promise<unknown>;
  /** Settled by its first acknowledged commit, or by its end. */
  readonly started: Promise<unknown>;
  /** The hashes it has printed, once it has ended by itself or by the signal. */
  readonly acknowledged: Promise<string[]>;
}

interface WriterOptions {
  readonly meetAt?: number;
  readonly durability?: Durability;
}

function startWriter(program: Program, where: string, name: string, count: number, { meetAt, durability = "full" }: WriterOptions = {}): Writer {
  const writer = spawn(process.execPath, [PROGRAMS[program], where, name, `${count}`, `${meetAt}`, durability], { stdio: "pipe" });
  const waiting = Promise.withResolvers<undefined>();
  let out = "";
  let complaints = "";
  writer.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    if (out.includes(WAITING)) waiting.resolve(undefined);
  });
  writer.stderr.setEncoding("utf8").on("data", (chunk: string) => (complaints += chunk));
  const ended = once(writer, "close").then(([code, signal]: unknown[]) => {
    if (code !== 0 && signal !== "SIGKILL") throw new Error(`writer ${name} failed:\n${complaints}`);
    // What is after the last line end was cut off by the kill.
    const lines = out.split("\n").slice(0, -1);
    return lines.filter((line) => line !== WAITING);
  });
  return { process: writer, waiting: Promise.race([waiting.promise, ended]), started: Promise.race([once(writer.stdout, "data"), ended]), acknowledged: ended };
}

/** Runs this many processes at once, each with this many commits or rounds of tools; halfway each waits for the others. Returns all hashes. */
export async function runWriters(program: Program, where: string, writers: number, count: number): Promise<string[]> {
  const started = Array.from({ length: writers }, (_, index) => startWriter(program, where, `writer ${index}`, count, { meetAt: Math.floor(count / 2) }));
  await Promise.all(started.map(({ waiting }) => waiting));
  for (const writer of started) writer.process.stdin?.write("go on\n");
  return (await Promise.all(started.map(({ acknowledged }) => acknowledged))).flat();
}

/** Starts writers, `lanes` of them side by side, and kills each at a random moment of its work. Gives what was acknowledged. */
export async function killWriters(program: Program, where: string, kills: number, lanes: number, durability: Durability = "full"): Promise<string[]> {
  let left = kills;
  const lane = async (): Promise<string[]> => {
    const acknowledged: string[] = [];
    while (left-- > 0) {
      const writer = startWriter(program, where, `victim ${left}`, FOREVER, { durability });
      await writer.started;
      await sleep(Math.random() * 20);
      writer.process.kill("SIGKILL");
      acknowledged.push(...(await writer.acknowledged));
    }
    return acknowledged;
  };
  return (await Promise.all(Array.from({ length: lanes }, lane))).flat();
}

/** Every acknowledged commit is in the branch, once; each follows the one before it; its content can be read and found; and it has its note. */
export async function assertKept(where: string, ref: BranchRef, acknowledged: readonly string[]): Promise<void> {
  const store = await openStore(where);
  try {
    const commits = await store.commits(ref);
    const hashes = new Set(commits.map(({ hash }) => hash));
    assert.equal(hashes.size, commits.length, "a commit is there twice");
    for (const hash of acknowledged) assert.ok(hashes.has(hash), `${hash} was acknowledged, and is lost`);
    for (const [index, commit] of commits.entries()) {
      assert.equal(commit.sequence, index);
      assert.equal(commit.parent, commits[index - 1]?.hash ?? null, `commit ${index} does not follow the one before it`);
    }
    const contents = await store.contents(commits.map(({ contentHash }) => contentHash));
    for (const { contentHash, callId = "" } of commits) {
      assert.equal(contents.get(contentHash), callId);
      assert.equal(contentHash, sha256(callId));
    }
    assert.deepEqual(await store.head(ref), { hash: commits.at(-1)?.hash, length: commits.length });
    const notes = await store.notes({ kind: "appended", thread: ref.thread });
    assert.deepEqual(new Map(notes.map(({ key, value }) => [key, value])), new Map(commits.map(({ hash, callId = "" }) => [hash, callId])));
    const last = commits.at(-1)?.callId ?? "";
    assert.deepEqual(await store.commits(ref, { callId: last, words: [last.replaceAll(" ", "")] }), commits.slice(-1));
  } finally {
    await store.close();
  }
}
