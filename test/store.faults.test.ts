import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inspect, promisify } from "node:util";
import pg from "pg";
import { PalimpsestError } from "../src/errors/palimpsest-error.ts";
import { verifyStore } from "../src/history/verify.ts";
import { openStore } from "../src/store/open-store.ts";
import { SqliteDatabase } from "../src/store/sqlite-database.ts";
import { createSqliteStore } from "../src/store/sqlite-store.ts";
import type { Note, Store } from "../src/store/store.ts";
import { passTime } from "./support/pass-time.ts";
import { POSTGRES_PASSWORD, startPostgres, type Postgres } from "./support/postgres.ts";
import { kills, killTimeoutMs } from "./support/run-settings.ts";
import { appendNext, SHARED_BRANCH } from "./support/stores/append-next.ts";
import { chain, sha256 } from "./support/stores/commits.ts";
import { startDroppingProxy } from "./support/stores/dropping-proxy.ts";
import { assertKept, killWriters, runWriters } from "./support/stores/writers.ts";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-faults-"));
let files = 0;
const newFile = (): string => join(folder, `${++files}.db`);
after(() => rmSync(folder, { recursive: true, force: true }));

describe("SQLite", () => {
  test("8 processes open a new file and append to one branch: no commit is lost or doubled", { timeout: 120_000 }, async () => {
    const where = `sqlite:${newFile()}`;
    const acknowledged = await runWriters("commits", where, 8, 25);
    assert.equal(acknowledged.length, 200);
    await assertKept(where, SHARED_BRANCH, acknowledged);
  });

  test("writers killed again and again: what was acknowledged is there", { timeout: killTimeoutMs() }, async () => {
    const where = `sqlite:${newFile()}`;
    const acknowledged = await killWriters("commits", where, kills(), 4);
    assert.ok(acknowledged.length >= kills());
    await assertKept(where, SHARED_BRANCH, acknowledged);
  });

  test("writers that do not wait for the disk, killed again and again: what was acknowledged is there", { timeout: killTimeoutMs() }, async () => {
    const where = `sqlite:${newFile()}`;
    const acknowledged = await killWriters("commits", where, kills(), 4, "normal");
    assert.ok(acknowledged.length >= kills());
    await assertKept(where, SHARED_BRANCH, acknowledged);
    const store = await openStore(where);
    assert.deepEqual(await verifyStore(store), []);
    await store.close();
  });

  for (const [durability, synchronous] of [
    [undefined, 2],
    ["full", 2],
    ["normal", 1],
  ] as const) {
    test(`durability ${durability ?? "that nobody gave"} is what SQLite is told, for a new file and for one that is there`, async () => {
      const path = newFile();
      for (let time = 0; time < 2; time++) {
        const db = await SqliteDatabase.open(path, true, "x", durability);
        assert.deepEqual([db.get("PRAGMA synchronous")?.["synchronous"], db.get("PRAGMA journal_mode")?.["journal_mode"]], [synchronous, "wal"]);
        db.close();
      }
      const store = await openStore(`sqlite:${path}`, durability === undefined ? {} : { durability });
      await appendNext(store, SHARED_BRANCH, "first");
      await store.close();
      await assertKept(`sqlite:${path}`, SHARED_BRANCH, []);
    });
  }

  test("a new file is its owner's alone, with its log and the index of that; one that is there keeps its mode", async () => {
    const modes = (path: string): string[] => ["", "-wal", "-shm"].map((end) => (statSync(`${path}${end}`).mode & 0o777).toString(8));
    const before = process.umask(0);
    try {
      const [made, there] = [newFile(), newFile()];
      writeFileSync(there, "");
      chmodSync(there, 0o640);
      for (const [path, mode] of [
        [made, "600"],
        [there, "640"],
      ] as const) {
        for (const time of ["first", "second"]) {
          const store = await openStore(`sqlite:${path}`);
          await appendNext(store, SHARED_BRANCH, time);
          assert.deepEqual(modes(path), [mode, mode, mode]);
          await store.close();
        }
      }
      chmodSync(made, 0o644);
      const store = await openStore(`sqlite:${made}`);
      await appendNext(store, SHARED_BRANCH, "third");
      assert.deepEqual(modes(made), ["644", "644", "644"]);
      await store.close();
    } finally {
      process.umask(before);
    }
  });

  test("a disk that is full: refused, still readable, and written again when there is room", async () => {
    const path = newFile();
    const db = await SqliteDatabase.open(path);
    const store = createSqliteStore(db);
    await appendNext(store, SHARED_BRANCH, "first");
    const pages = Number(db.get("PRAGMA page_count")?.["page_count"]);
    db.get(`PRAGMA max_page_count = ${pages + 2}`);
    await assertFullDisk(store, "the disk is full");
    db.get("PRAGMA max_page_count = 1000000");
    await appendNext(store, SHARED_BRANCH, "again");
    await store.close();
    await assertKept(`sqlite:${path}`, SHARED_BRANCH, []);
  });

  test("a file system that is full", async (t) => {
    const mounted = join(folder, "small");
    mkdirSync(mounted);
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=512k", "tmpfs", mounted], { stdio: "ignore" });
    } catch {
      t.skip("not permitted to mount a file system");
      return;
    }
    try {
      const store = await openStore(`sqlite:${join(mounted, "full.db")}`);
      await appendNext(store, SHARED_BRANCH, "first");
      await assertFullDisk(store, "");
      await store.close();
    } finally {
      execFileSync("umount", [mounted]);
    }
  });

  const unwritable: Readonly<Record<string, { files: readonly string[]; file: number; folder: number }>> = {
    "a file that may only be read": { files: [""], file: 0o444, folder: 0o777 },
    "such a file with its log": { files: ["", "-wal"], file: 0o444, folder: 0o777 },
    "a folder that may only be read": { files: [""], file: 0o444, folder: 0o555 },
    "such a folder, and a file that may be written": { files: [""], file: 0o666, folder: 0o555 },
    "such a folder, with a log": { files: ["", "-wal"], file: 0o444, folder: 0o555 },
    "such a folder, with a log and its index": { files: ["", "-wal", "-shm"], file: 0o444, folder: 0o555 },
  };
  Object.entries(unwritable).forEach(([what, situation], number) => {
    test(`${what}: refused, and readable`, async () => {
      const written = newFile();
      const store = await openStore(`sqlite:${written}`);
      await appendNext(store, SHARED_BRANCH, "first");
      // While it is open, what was written is in the log; when it is closed, in the file.
      if (situation.files.length === 1) await store.close();
      const shared = join(folder, `unwritable ${number}?#%`);
      mkdirSync(shared);
      chmodSync(folder, 0o755);
      const path = join(shared, "x.db");
      for (const end of situation.files) {
        copyFileSync(`${written}${end}`, `${path}${end}`);
        chmodSync(`${path}${end}`, situation.file);
      }
      await store.close();
      chmodSync(shared, situation.folder);
      try {
        assert.deepEqual(await readOnlyUser(path), {
          read: 1,
          refused: ["STORE_FAILED", "append", `sqlite:${path}: append failed: the file or its folder is read-only`],
          readAgain: 1,
        });
      } finally {
        chmodSync(shared, 0o777);
      }
    });
  });

  test("a file that is no database, or cannot be opened", async () => {
    const path = newFile();
    writeFileSync(path, "This is a letter, and no database.\n".repeat(100));
    const bytes = readFileSync(path);
    await assert.rejects(openStore(`sqlite:${path}`), {
      code: "STORE_FAILED",
      message: `sqlite:${path}: open failed: the file is not an SQLite database`,
      data: { store: `sqlite:${path}`, operation: "open" },
    });
    assert.deepEqual(readFileSync(path), bytes);
    await assert.rejects(openStore(`sqlite:${join(folder, "nowhere", "x.db")}`), { code: "STORE_FAILED", message: /the file cannot be opened$/ });
    await assert.rejects(openStore(`sqlite:${folder}`), { code: "STORE_FAILED" });
  });

  test("another process keeps the lock: it is waited for", async () => {
    const path = newFile();
    const store = await openStore(`sqlite:${path}`);
    const other = new DatabaseSync(path);
    other.exec("BEGIN IMMEDIATE");
    setTimeout(() => other.exec("COMMIT"), 500);
    await appendNext(store, SHARED_BRANCH, "first");
    other.close();
    await store.close();
  });

  test("a newer schema is refused, and nothing is written", async () => {
    const path = newFile();
    await (await openStore(`sqlite:${path}`)).close();
    const db = new DatabaseSync(path);
    db.exec("UPDATE palimpsest_schema SET version = 99");
    db.close();
    const bytes = readFileSync(path);
    await assert.rejects(openStore(`sqlite:${path}`), { code: "SCHEMA_NEWER", data: { store: `sqlite:${path}`, found: 99, known: 3 } });
    assert.deepEqual(readFileSync(path), bytes);
  });
});

describe("PostgreSQL", () => {
  let postgres: Postgres;
  before(async () => {
    postgres = await startPostgres({ own: true });
  });
  after(() => postgres.stop());

  test("8 processes open a new database and append to one branch: no commit is lost or doubled", { timeout: 120_000 }, async () => {
    const where = await postgres.createDatabase();
    const acknowledged = await runWriters("commits", where, 8, 25);
    assert.equal(acknowledged.length, 200);
    await assertKept(where, SHARED_BRANCH, acknowledged);
  });

  test("writers killed again and again: what was acknowledged is there", { timeout: killTimeoutMs() }, async () => {
    const where = await postgres.createDatabase();
    const acknowledged = await killWriters("commits", where, kills(), 3);
    assert.ok(acknowledged.length >= kills());
    await assertKept(where, SHARED_BRANCH, acknowledged);
  });

  test("the server crashes in mid-work and comes back: the store recovers, and nothing acknowledged is lost", { timeout: 120_000 }, async () => {
    const where = await postgres.createDatabase();
    const store = await openStore(where);
    let isOver = false;
    const acknowledged: string[] = [];
    const write = async (name: string): Promise<void> => {
      for (let count = 0; !isOver; count++) acknowledged.push(await appendNext(store, SHARED_BRANCH, `${name}: ${count}`));
    };
    const read = async (): Promise<void> => {
      for (let length = 0; !isOver;) {
        const found = (await store.commits(SHARED_BRANCH)).length;
        assert.ok(found >= length, `${length} commits were there, and now there are ${found}`);
        length = found;
      }
    };
    const work = Promise.all([write("a"), write("b"), write("c"), read()]);
    for (let crash = 0; crash < 3; crash++) {
      const done = acknowledged.length;
      await until(() => acknowledged.length > done + 20, work);
      await postgres.crash();
      await sleep(100);
      await postgres.start();
    }
    const recovered = acknowledged.length;
    await until(() => acknowledged.length > recovered + 20, work);
    isOver = true;
    await work;
    await store.close();
    await assertKept(where, SHARED_BRANCH, acknowledged);
  });

  test(
    "the server does not answer any more: what is under way is refused when the store is closed, which does not take long",
    { timeout: 20_000 },
    async (context) => {
      const proxy = await startDroppingProxy(await postgres.createDatabase());
      const store = await openStore(proxy.url);
      await appendNext(store, SHARED_BRANCH, "1");
      proxy.hang();
      context.mock.timers.enable({ apis: ["setTimeout"] });
      const refused = [appendNext(store, SHARED_BRANCH, "2"), store.notes({ kind: "k" })].map((work) =>
        assert.rejects(work, (error) => PalimpsestError.isInstance(error) && error.code === "STORE_FAILED"),
      );
      await sleep(100);
      const waitedMs = await passTime(context, store.close());
      assert.ok(waitedMs < 20_000, `${waitedMs} ms`);
      await Promise.all(refused);
      await proxy.close();
    },
  );

  for (const moment of ["before COMMIT", "after COMMIT"] as const) {
    test(`the connection breaks ${moment}: everything is done once, and its answer is right`, async () => {
      const proxy = await startDroppingProxy(await postgres.createDatabase());
      const store = await openStore(proxy.url);
      const during = <T>(operation: () => Promise<T>): Promise<T> => {
        proxy.dropNext(moment);
        return operation();
      };
      try {
        const [first, second] = [chain(null, { text: "1" }), chain("x", { text: "2" }, { text: "3" })];
        const head = first[0]?.hash ?? "";
        assert.deepEqual(await during(() => store.append(SHARED_BRANCH, null, first)), { appended: true, length: 1 });
        assert.deepEqual(await during(() => store.append(SHARED_BRANCH, head, second)), { appended: true, length: 3 });
        assert.deepEqual(await during(() => store.append(SHARED_BRANCH, head, second)), { appended: false, head: { hash: second[1]?.hash, length: 3 } });
        assert.equal(await during(() => store.fork(SHARED_BRANCH, 2, "fork")), true);
        assert.equal(await during(() => store.fork(SHARED_BRANCH, 2, "fork")), false);
        await during(() => store.addStep(SHARED_BRANCH, { length: 3, value: "step" }));
        assert.equal(await during(() => store.setMemo("key", "value")), "value");
        const note = (value: string, key = "key"): Note => ({ thread: "t", kind: "k", key, at: 1, value });
        await during(() => store.putNotes([note("1"), note("2", "old")]));
        assert.deepEqual(await store.notes({ kind: "k" }), [note("1"), note("2", "old")]);
        const last = second[1]?.hash ?? "";
        assert.deepEqual(await during(() => store.append(SHARED_BRANCH, last, [], [note("3")])), { appended: true, length: 3 });
        assert.deepEqual(await during(() => store.append(SHARED_BRANCH, "x", [], [note("4")])), { appended: false, head: { hash: last, length: 3 } });
        assert.deepEqual(await store.notes({ kind: "k" }), [note("3"), note("2", "old")]);
        assert.equal(await during(() => store.dropNotes("k", 2)), 2);
        assert.equal(proxy.drops(), 11);
        await store.putNotes([note("5"), { ...note("6"), thread: "alone" }]);
        assert.deepEqual(
          (await store.commits(SHARED_BRANCH)).map(({ hash }) => hash),
          [...first, ...second].map(({ hash }) => hash),
        );
        assert.deepEqual(await store.steps(SHARED_BRANCH), [{ length: 3, value: "step" }]);
        assert.deepEqual(
          (await store.branches("t")).map(({ name }) => name),
          ["main", "fork"],
        );
        assert.equal(await during(() => store.forget("t")), true);
        assert.equal(await during(() => store.forget("t")), false);
        await store.append(SHARED_BRANCH, null, first, [note("7")]);
        assert.deepEqual(await during(() => store.retain(5000)), ["alone", "t"]);
        assert.equal(proxy.drops(), 14);
        assert.deepEqual(await store.notes({ kind: "k" }), []);
        assert.deepEqual(await store.contents([...first, ...second].map(({ content }) => content.hash)), new Map());
      } finally {
        await store.close();
        await proxy.close();
      }
    });
  }

  test("many processes' worth of connections at once share the pool", async () => {
    const store = await openStore(await postgres.createDatabase());
    const refs = Array.from({ length: 40 }, (_, index) => ({ thread: `t${index % 4}`, branch: `b${index}` }));
    await Promise.all(refs.map((ref) => appendNext(store, ref, "the same content everywhere")));
    await Promise.all(["t0", "t1", "t2"].map((thread) => store.forget(thread)));
    assert.deepEqual(
      (await store.threads()).map(({ id }) => id),
      ["t3"],
    );
    assert.equal((await store.contents([sha256("the same content everywhere")])).size, 1);
    await store.forget("t3");
    assert.equal((await store.contents([sha256("the same content everywhere")])).size, 0);
    await store.close();
  });

  test("what forgets a content and what adds it, at the same time: no commit without its content", async () => {
    const store = await openStore(await postgres.createDatabase());
    for (let round = 0; round < 20; round++) {
      await appendNext(store, { thread: "old", branch: "main" }, "shared");
      await Promise.all([store.forget("old"), appendNext(store, { thread: `new ${round}`, branch: "main" }, "shared")]);
      assert.equal((await store.contents([sha256("shared")])).size, 1);
      await store.forget(`new ${round}`);
    }
    await store.close();
  });

  test("a database that may only be read: refused, and readable", async () => {
    const where = await postgres.createDatabase();
    const writer = await openStore(where);
    await appendNext(writer, SHARED_BRANCH, "first");
    await writer.close();
    const store = await openStore(`${where}?options=${encodeURIComponent("-c default_transaction_read_only=on")}`);
    await assert.rejects(appendNext(store, SHARED_BRANCH, "second"), { code: "STORE_FAILED", data: { store: store.name, operation: "append" } });
    assert.equal((await store.commits(SHARED_BRANCH)).length, 1);
    await store.close();
  });

  test("without create, a database without histories is refused, and nothing is written", async () => {
    const where = await postgres.createDatabase();
    await assert.rejects(openStore(where, { create: false }), (error) => {
      assert.ok(PalimpsestError.isInstance(error));
      assert.deepEqual([error.code, error.data["operation"], error.data["missing"]], ["STORE_FAILED", "open", true]);
      assert.match(error.message, /^postgres:\/\/127[^ ]*: open failed: it is not a store of histories\./);
      return true;
    });
    const client = new pg.Client(where);
    await client.connect();
    assert.deepEqual((await client.query("SELECT relname FROM pg_class WHERE relname LIKE 'palimpsest%'")).rows, []);
    await client.end();
    await (await openStore(where)).close();
    const store = await openStore(where, { create: false });
    await appendNext(store, SHARED_BRANCH, "first");
    await store.close();
  });

  test("a newer schema is refused, and nothing is written", async () => {
    const where = await postgres.createDatabase();
    await (await openStore(where)).close();
    const client = new pg.Client(where);
    await client.connect();
    await client.query("UPDATE palimpsest_schema SET version = 99");
    await assert.rejects(openStore(where), { code: "SCHEMA_NEWER" });
    assert.deepEqual((await client.query("SELECT version FROM palimpsest_schema")).rows, [{ version: "99" }]);
    await client.end();
  });

  test("an address where nothing is, a wrong password, a database that is not there: said without the password", async () => {
    const right = new URL(await postgres.createDatabase());
    const wrong = (change: (url: URL) => void): string => {
      const url = new URL(right);
      change(url);
      return url.href;
    };
    const addresses = [
      wrong((url) => (url.port = "1")),
      wrong((url) => (url.password = `${POSTGRES_PASSWORD}-wrong`)),
      wrong((url) => (url.pathname = "/nowhere")),
    ];
    for (const where of addresses) {
      await assert.rejects(openStore(where), (error) => {
        assert.equal((error as { code?: unknown }).code, "STORE_FAILED");
        assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(POSTGRES_PASSWORD));
        return true;
      });
    }
    const store = await openStore(right.href);
    assert.equal(store.name, `postgres://127.0.0.1:${right.port}${right.pathname}`);
    await store.close();
  });
});

/** Gives up when the work fails, which would otherwise never bring it about. */
async function until(isSo: () => boolean, work: Promise<unknown>): Promise<void> {
  while (!isSo()) await Promise.race([sleep(5), work]);
}

/** Fills the store until it refuses; afterwards everything that was acknowledged can still be read. */
async function assertFullDisk(store: Store, reason: string): Promise<void> {
  const acknowledged = 1 + (await appendUntilRefused(store, reason));
  const commits = await store.commits(SHARED_BRANCH);
  assert.equal(commits.length, acknowledged);
  assert.equal((await store.contents(commits.map(({ contentHash }) => contentHash))).size, acknowledged);
}

async function appendUntilRefused(store: Store, reason: string): Promise<number> {
  for (let count = 0; count < 1000; count++) {
    try {
      // Nothing that can be compressed.
      await appendNext(store, SHARED_BRANCH, Array.from({ length: 4000 }, () => String.fromCharCode(33 + Math.random() * 90)).join(""));
    } catch (error) {
      assert.ok(error instanceof Error);
      assert.equal("code" in error && error.code, "STORE_FAILED");
      assert.ok(error.message.includes(reason), error.message);
      assert.ok(error.cause instanceof Error);
      return count;
    }
  }
  return assert.fail("the disk never filled");
}

/** Root may write everything, so that the test hands the file to someone who may not. */
async function readOnlyUser(path: string): Promise<unknown> {
  const script = fileURLToPath(new URL("support/stores/read-only-user.ts", import.meta.url));
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout } = await promisify(execFile)(process.execPath, [script, `sqlite:${path}`], nobody);
  return JSON.parse(stdout);
}
