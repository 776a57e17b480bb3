/** What was damaged in the database file: said, and never passed off as whole. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import { openHistory, openStore, type History, type Note, type Verification } from "../src/history/index.ts";
import { verifyStore, verifyThread } from "../src/history/verify.ts";
import { checkMessages, type PalimpsestError } from "../src/index.ts";
import { runCli } from "./support/run-cli.ts";
import { use } from "./support/build.ts";

const DAMAGES: Readonly<Record<string, string>> = {
  "bytes that cannot be unpacked": "UPDATE palimpsest_contents SET packed = X'01ffffff' WHERE number = 2",
  "a content that is gone": "DELETE FROM palimpsest_contents WHERE number = 2",
  "a content that is another one's": "UPDATE palimpsest_contents SET packed = (SELECT packed FROM palimpsest_contents WHERE number = 1) WHERE number = 2",
};

describe("a damaged file", () => {
  for (const [name, sql] of Object.entries(DAMAGES))
    it(`${name}: verify names the commit, and nothing is exported`, async () => {
      const folder = await mkdtemp(join(tmpdir(), "palimpsest-damage-"));
      try {
        const path = join(folder, "a.db");
        const written = await openHistory({ store: `sqlite:${path}`, thread: "t" });
        await written.user("first");
        const second = await written.user("second");
        await written.close();
        const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
        database.exec(sql);
        database.close();
        const history = await openHistory({ store: `sqlite:${path}`, thread: "t" });
        const { ok, faults } = await history.verify();
        assert.equal(ok, false);
        assert.ok(faults.every(({ hash, sequence }) => hash === second.hash && sequence === 1) && faults.length > 0, JSON.stringify(faults));
        for (const read of [history.export(), history.view(), history.getContent(second.hash)])
          await assert.rejects(read, (error: PalimpsestError) => error.code === "STORE_FAILED" && error.message.includes(second.hash.slice(0, 12)));
        await history.close();
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
});

/** Two in the thread, one where there is no thread. */
const NOTES: readonly Note[] = [
  { thread: "t", kind: "about", key: "main", at: 1, value: JSON.stringify({ title: "first question" }) },
  { thread: "t", kind: "about", key: "other", at: 2, value: "{}" },
  { thread: "alone", kind: "about", key: "main", at: 3, value: "{}" },
];

/** A store with one thread, changed behind its back by this SQL. */
async function withDamage(sql: string, body: (history: History, path: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-damage-"));
  try {
    const path = join(folder, "a.db");
    const written = await openHistory({ store: `sqlite:${path}`, thread: "t" });
    await written.user("first question");
    await written.assistant([use("c1", "grep"), use("c2", "read")]);
    const result = await written.toolResult("c1", "grep", "found here and there");
    await written.toolResult("c2", "read", "no such file", { isError: true });
    await written.toolResult("c1", "grep", "found", { edit: result });
    await written.record({ model: "m", atMs: 1 });
    await written.record({ model: "m", atMs: 2 });
    await written.assistant("the answer");
    await written.branch("other", { at: result });
    const store = await openStore(`sqlite:${path}`);
    await store.putNotes(NOTES);
    await store.close();
    await written.switch("other");
    await written.user("last words");
    await written.close();
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    database.exec(sql);
    database.close();
    const history = await openHistory({ store: `sqlite:${path}`, thread: "t" });
    await body(history, path);
    await history.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const TAIL = "segment = 1 AND sequence = 5";

/** What verify missed; and whether it can be made anew. */
const CHANGES: Readonly<Record<string, readonly [sql: string, isDerived: boolean]>> = {
  "marks that are deleted": ["DELETE FROM palimpsest_marks", true],
  "a mark that is added": ["INSERT INTO palimpsest_marks VALUES (1, X'00112233', 0)", true],
  "words that are changed": ["UPDATE palimpsest_words SET words = replace(words, 'first', 'frist')", true],
  "words that are deleted": ["DELETE FROM palimpsest_words", true],
  "tokens that are changed": ["UPDATE palimpsest_commits SET tokens = tokens + 1 WHERE sequence = 0", true],
  "a role that is changed": ["UPDATE palimpsest_commits SET role = 'tool' WHERE sequence = 0", true],
  "an error that is none any more": ["UPDATE palimpsest_commits SET is_error = 0", true],
  "a kind that is changed": ["UPDATE palimpsest_commits SET kind = 'edit' WHERE sequence = 0", true],
  "a commit of another thread": ["UPDATE palimpsest_commits SET thread = 9 WHERE sequence = 0", true],
  "a number of commits": ["UPDATE palimpsest_threads SET commits = 3", true],
  "a time": ["UPDATE palimpsest_threads SET time = 3", true],
  "a step that is changed": ["UPDATE palimpsest_steps SET packed = X'007b7d' WHERE number = 1", false],
  "a step that is deleted": ["DELETE FROM palimpsest_steps WHERE number = 2", false],
  "steps that are in another order": ["UPDATE palimpsest_steps SET number = 10 - number", false],
  "the name of a branch": ["UPDATE palimpsest_branches SET name = 'Other' WHERE name = 'other'", false],
  "where a branch left another": ["UPDATE palimpsest_shared SET last_step = 99", false],
  "a tail that was cut off, with the length and the head": [
    `UPDATE palimpsest_branches SET length = 5, head = (SELECT hash FROM palimpsest_commits WHERE segment = 1 AND sequence = 4) WHERE number = 1;
     DELETE FROM palimpsest_commits WHERE ${TAIL}; DELETE FROM palimpsest_marks WHERE ${TAIL}; UPDATE palimpsest_threads SET commits = commits - 1`,
    false,
  ],
  "the value of a note": ["UPDATE palimpsest_notes SET packed = X'007b7d' WHERE at = 1", false],
  "half of a note": ["UPDATE palimpsest_notes SET packed = substr(packed, 1, 9) WHERE at = 1", false],
  "the time of a note": ["UPDATE palimpsest_notes SET at = 9 WHERE at = 1", false],
  "the key of a note": ["UPDATE palimpsest_notes SET key = 'mail' WHERE at = 1", false],
  "the kind of a note": ["UPDATE palimpsest_notes SET kind = 'call' WHERE at = 1", false],
  "a note of another thread": ["UPDATE palimpsest_notes SET thread = 't', key = 'third' WHERE at = 3", false],
  "the seal of a note": ["UPDATE palimpsest_notes SET seal = X'' WHERE at = 1", false],
  "a branch that is gone": [
    "DELETE FROM palimpsest_branches WHERE number = 2; DELETE FROM palimpsest_shared; DELETE FROM palimpsest_commits WHERE segment = 2",
    false,
  ],
};

describe("verify finds", () => {
  const faultsOf = ({ faults }: Verification): readonly string[] => faults.map(({ fault }) => fault);

  it("nothing where nothing was changed", async () => {
    await withDamage("SELECT 1", async (history) => assert.deepEqual((await history.verify()).faults, []));
  });

  for (const [name, [sql, isDerived]] of Object.entries(CHANGES))
    it(`${name}${isDerived ? ", and makes it anew" : ""}`, async () => {
      await withDamage(sql, async (history) => {
        const before = await history.verify();
        assert.equal(before.ok, false);
        assert.equal(
          before.faults.every(({ repairable }) => repairable === true),
          isDerived,
          JSON.stringify(before.faults),
        );
        const after = await history.verify({ repair: true });
        assert.equal(after.ok, isDerived, JSON.stringify(after.faults));
        if (!isDerived)
          assert.deepEqual(
            faultsOf(after).toSorted(),
            faultsOf(before)
              .filter((_, n) => before.faults[n]?.repairable !== true)
              .toSorted(),
          );
        if (isDerived) assert.equal((await history.findToolResults({ name: "grep", text: "here" })).length, 1);
      });
    });

  it("a damaged note by its names, wherever it is; it is left out when notes are read, and not made anew", async () => {
    await withDamage("UPDATE palimpsest_notes SET packed = X'00' WHERE key = 'main'", async (_, path) => {
      const { code, out } = await runCli(["verify", "--repair", "--json", "--store", `sqlite:${path}`]);
      const { ok, threads, faults } = JSON.parse(out) as { ok: boolean; threads: readonly Verification[]; faults: Verification["faults"] };
      assert.deepEqual([code, ok], [1, false]);
      const named = (thread: string): string => `the note "about" "main" of thread "${thread}" is not what was written`;
      assert.deepEqual([threads.map(faultsOf), faults.map(({ fault }) => fault)], [[[named("t")]], [named("alone")]]);
      const store = await openStore(`sqlite:${path}`);
      assert.deepEqual(await store.notes({ kind: "about" }), [NOTES[1]]);
      assert.deepEqual(await store.notes({ kind: "about", limit: 1 }), [NOTES[1]], "another one takes its place");
      assert.deepEqual(await store.notes({ kind: "about", limit: 1, newestFirst: true }), [NOTES[1]]);
      assert.deepEqual(await store.notes({ kind: "about", keys: ["main"] }), []);
      await store.putNotes(NOTES);
      assert.deepEqual([await store.notes({ kind: "about" }), await verifyStore(store), (await verifyThread(store, "t")).faults], [NOTES, [], []]);
      await store.close();
    });
  });

  it("a commit that was expected, and only if it is not there", async () => {
    await withDamage("SELECT 1", async (history, path) => {
      const [first] = await history.log();
      assert.equal((await history.verify({ expect: first?.hash ?? "" })).ok, true);
      assert.equal((await history.verify({ expect: "0".repeat(64) })).ok, false);
      const there = await runCli(["verify", "--store", `sqlite:${path}`, "--expect", (first?.hash ?? "").slice(0, 12)]);
      const gone = await runCli(["verify", "--store", `sqlite:${path}`, "--expect", "0123456789ab"]);
      assert.deepEqual([there.code, gone.code], [0, 1]);
      assert.match(gone.out.replaceAll(/\s+/g, " "), /this commit was expected and is missing/);
    });
  });

  it("nothing while others go on writing", async () => {
    await withDamage("SELECT 1", async (history, path) => {
      const other = await openHistory({ store: `sqlite:${path}`, thread: "t" });
      let isDone = false;
      const writing = (async () => {
        for (let n = 0; n < 60; n++) {
          await other.user(`more ${n}`);
          await other.record({ model: "m" });
        }
        isDone = true;
      })();
      while (!isDone) assert.deepEqual((await history.verify()).faults, []);
      await writing;
      await other.close();
    });
  });
});

const LOSSES: Readonly<Record<string, readonly [sql: string, missing: RegExp]>> = {
  "a question": ["UPDATE palimpsest_contents SET packed = X'01ffffff' WHERE number = 1", /its content is missing: a note replaces it/],
  "a message with calls": ["UPDATE palimpsest_contents SET packed = X'007b7d' WHERE number = 2", /its content does not match its hash: a note/],
  "a result": ["DELETE FROM palimpsest_contents WHERE number = 3", /its content is missing: a note/],
  "a joined result": ["UPDATE palimpsest_contents SET packed = X'007b7d' WHERE number = 4", /a note replaces it/],
  "an edit": ["UPDATE palimpsest_contents SET packed = X'007b7d' WHERE number = 5", /the edit is left out/],
  "a record": [
    "UPDATE palimpsest_commits SET record = '{' WHERE segment = 1 AND sequence = 2",
    /its hash is not that of its fields: it is saved as it was read/,
  ],
  "a commit": ["DELETE FROM palimpsest_commits WHERE segment = 1 AND sequence = 5", /the commit is missing/],
  "a step": ["UPDATE palimpsest_steps SET packed = X'00ff'", /recorded call/],
};

describe("export --salvage", () => {
  for (const [name, [sql, missing]] of Object.entries(LOSSES))
    it(`saves the rest where ${name} is lost, in a form that import takes, and names it`, async () => {
      await withDamage(sql, async (_, path) => {
        const store = ["--store", `sqlite:${path}`];
        const refused = await runCli(["export", ...store]);
        assert.deepEqual([refused.code, refused.out], [2, ""]);
        assert.match(refused.err, /--salvage/);
        const saved = await runCli(["export", "--salvage", ...store]);
        assert.equal(saved.code, 1);
        assert.match(saved.err, missing);
        const imported = await openHistory({ store: await openStore("memory"), thread: "t" });
        await imported.import(saved.out);
        assert.deepEqual((await imported.verify()).faults, []);
        for (const branch of ["main", "other"]) {
          await imported.switch(branch);
          assert.deepEqual(checkMessages(await imported.view(), { history: true }), [], branch);
        }
        assert.match(JSON.stringify(await imported.view()), /last words/);
      });
    });

  it("writes what export writes where nothing is lost", async () => {
    await withDamage("SELECT 1", async (history) => {
      assert.deepEqual(await history.salvage(), { jsonl: await history.export(), commits: 7, missing: [] });
    });
  });
});
