/** Imports that meet other writers, or are killed: whatever happens, a thread is there as a whole or not at all, and nobody else's commits go. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { after, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openHistory, openStore, type Store } from "../src/history/index.ts";
import { runCli } from "./support/run-cli.ts";
import { storeKinds } from "./support/stores/open-stores.ts";

const MAIN = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
/** More than are written before a signal comes. */
const MESSAGES = 16_000;
const folder = mkdtempSync(join(tmpdir(), "palimpsest-import-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const SESSION = join(folder, "session.json");
const EXPORT = join(folder, "export.jsonl");
writeFileSync(SESSION, JSON.stringify(Array.from({ length: MESSAGES }, (_, n) => ({ role: n % 2 === 0 ? "user" : "assistant", content: `message ${n}` }))));

async function writeExport(): Promise<void> {
  if (existsSync(EXPORT)) return;
  const store = await openStore("memory");
  const history = await openHistory({ store, thread: "session" });
  await history.append(Array.from({ length: MESSAGES }, (_, n) => ({ role: n % 2 === 0 ? "user" : "assistant", content: `said ${n}` })));
  await history.record({ model: "m", atMs: 1 });
  writeFileSync(EXPORT, await history.export());
}

interface Ended {
  readonly ending: number | string | null;
  readonly err: string;
}

function start(file: string, address: string, ...more: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [MAIN, "import", file, "--thread", "t", "--store", address, ...more], { stdio: ["ignore", "ignore", "pipe"] });
  const err = textOf(child.stderr);
  const ended = once(child, "exit").then(async () => ({ ending: child.exitCode ?? child.signalCode, err: await err }));
  return { child, ended };
}

/** Waits until an import has written something, but not all. */
async function hasBegun(store: Store, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && !(await store.unfinished()).some(({ commits }) => commits > 0)) await sleep(5);
}

const commitsOf = async (store: Store): Promise<number | undefined> => (await store.threads()).find(({ id }) => id === "t")?.commits;

for (const kind of storeKinds().filter((one) => one.kind !== "memory"))
  describe(`an import into ${kind.kind}`, { timeout: 300_000 }, () => {
    const withPlace = async (body: (address: string, store: Store) => Promise<void>): Promise<void> => {
      const address = await kind.createPlace();
      const store = await openStore(address);
      try {
        await body(address, store);
      } finally {
        await store.close();
      }
    };

    for (const signal of ["SIGKILL", "SIGINT"] as const)
      for (const file of [SESSION, EXPORT])
        it(`${signal} during ${file === EXPORT ? "that of an export" : "that of a session"} leaves no thread that looks whole`, async () => {
          if (file === EXPORT) await writeExport();
          await withPlace(async (address, store) => {
            const { child, ended } = start(file, address);
            await hasBegun(store, child);
            child.kill(signal);
            assert.equal((await ended).ending, signal === "SIGINT" ? 130 : signal);
            assert.deepEqual(await store.threads(), []);
            const unfinished = await store.unfinished();
            assert.equal(unfinished.length, signal === "SIGINT" ? 0 : 1);
            if (signal === "SIGINT") return;
            for (const command of ["threads", "verify"]) {
              const said = await runCli([command, "--store", address]);
              assert.match(said.out, /The import of thread "t" is not finished: it began at .+ --resume goes on with it, --replace starts again/);
              assert.equal(said.code, command === "verify" ? 1 : 0);
            }
            const again = await runCli(["import", file, "--thread", "t", "--store", address]);
            assert.equal(again.code, 2);
            assert.match(again.err, /is not finished.+--resume/);
            const other = join(folder, "other.json");
            writeFileSync(other, JSON.stringify([{ role: "user", content: "something else" }]));
            assert.equal((await runCli(["import", other, "--thread", "t", "--store", address, "--resume"])).code, 2);
            const resumed = await runCli(["import", file, "--thread", "t", "--store", address, file === EXPORT ? "--resume" : "--replace"]);
            assert.deepEqual([resumed.code, resumed.err], [0, ""]);
            assert.equal(await commitsOf(store), MESSAGES);
            assert.deepEqual(await store.unfinished(), []);
            const history = await openHistory({ store, thread: "t" });
            assert.deepEqual((await history.verify()).faults, []);
            assert.equal((await history.steps()).length, file === EXPORT ? 1 : 0);
          });
        });

    it("that of a session is resumed where it was killed", async () => {
      await withPlace(async (address, store) => {
        const { child, ended } = start(SESSION, address);
        await hasBegun(store, child);
        child.kill("SIGKILL");
        await ended;
        const [before] = await store.unfinished();
        const [first] = await store.commits({ thread: before?.id ?? "", branch: "main" }, { limit: 1 });
        assert.equal((await runCli(["import", SESSION, "--thread", "t", "--store", address, "--resume"])).code, 0);
        const [kept] = await store.commits({ thread: "t", branch: "main" }, { limit: 1 });
        assert.deepEqual([kept, await commitsOf(store)], [first, MESSAGES]);
        assert.deepEqual((await (await openHistory({ store, thread: "t" })).verify()).faults, []);
      });
    });

    for (const how of ["runs to its end", "is interrupted"])
      it(`that ${how} leaves the commits of another writer alone who took the name`, async () => {
        await withPlace(async (address, store) => {
          const { child, ended } = start(SESSION, address);
          await hasBegun(store, child);
          const mine = await (await openHistory({ store, thread: "t" })).user("mine");
          if (how === "is interrupted") child.kill("SIGINT");
          const { ending, err } = await ended;
          assert.equal(ending, how === "is interrupted" ? 130 : 2, err);
          if (how !== "is interrupted") assert.match(err, /There is already a thread "t" in /);
          assert.deepEqual(
            (await store.commits({ thread: "t", branch: "main" })).map(({ hash }) => hash),
            [mine.hash],
          );
          assert.deepEqual(await store.unfinished(), []);
        });
      });

    it("that meets another one of the same file: one is imported, the other is refused", async () => {
      await withPlace(async (address, store) => {
        const both = [start(SESSION, address), start(SESSION, address)];
        const endings = (await Promise.all(both.map(({ ended }) => ended))).map(({ ending }) => Number(ending)).sort();
        assert.deepEqual(endings, [0, 2]);
        assert.equal(await commitsOf(store), MESSAGES);
        assert.deepEqual(await store.unfinished(), []);
        assert.deepEqual((await (await openHistory({ store, thread: "t" })).verify()).faults, []);
      });
    });

    it("that another process goes on with writes nothing more, and takes nothing away", async () => {
      await withPlace(async (address, store) => {
        const { child, ended } = start(SESSION, address);
        await hasBegun(store, child);
        assert.equal((await runCli(["import", SESSION, "--thread", "t", "--store", address, "--resume"])).code, 0);
        const { ending, err } = await ended;
        assert.equal(ending, 2);
        assert.match(err, /an import that no other process has taken over/);
        assert.equal(await commitsOf(store), MESSAGES);
        assert.deepEqual((await (await openHistory({ store, thread: "t" })).verify()).faults, []);
      });
    });
  });

describe("what an import has left behind", () => {
  it("is named by commands that are asked for its thread, and deleted by forget", async () => {
    const address = `sqlite:${join(folder, "left.db")}`;
    const store = await openStore(address);
    await store.beginImport("t");
    const asked = await runCli(["log", "--thread", "t", "--store", address]);
    assert.deepEqual([asked.code, asked.out], [2, ""]);
    assert.match(asked.err, /The import of thread "t" is not finished: .+ 0 commits\..+--resume/);
    const listed = await runCli(["threads", "--store", address, "--json"]);
    const { threads, unfinished } = JSON.parse(listed.out) as { readonly threads: unknown[]; readonly unfinished: { readonly thread: string }[] };
    assert.deepEqual([threads, unfinished.map(({ thread }) => thread)], [[], ["t"]]);
    assert.equal((await runCli(["forget", "t", "--yes", "--store", address])).code, 0);
    assert.deepEqual(await store.unfinished(), []);
    await store.close();
  });

  it("stays where both --resume and --replace are asked for", async () => {
    const address = `sqlite:${join(folder, "both.db")}`;
    const said = await runCli(["import", SESSION, "--thread", "t", "--store", address, "--resume", "--replace"]);
    assert.equal(said.code, 2);
    assert.match(said.err, /Only one of --resume and --replace/);
  });
});
