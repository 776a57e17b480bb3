import assert from "node:assert/strict";
import type { BranchRef, Derivation, Note, NoteQuery, Store } from "../../../src/store/store.ts";
import { chain, sha256 } from "./commits.ts";

const MAIN: BranchRef = { thread: "t", branch: "main" };
const ANYTHING: Derivation = { isWhole: () => true, searchOf: () => undefined };

/** What a test says of a note; the rest is filled in. */
function note(fields: Partial<Note>): Note {
  return { thread: "t", kind: "k", key: "key", at: 1000, value: `${fields.thread ?? "t"} ${fields.key ?? "key"}`, ...fields };
}

async function put(store: Store, ...notes: readonly Partial<Note>[]): Promise<Note[]> {
  const made = notes.map(note);
  await store.putNotes(made);
  return made;
}

const keys = async (store: Store, query: Omit<NoteQuery, "kind"> = {}): Promise<string[]> =>
  (await store.notes({ kind: "k", ...query })).map(({ thread, key }) => `${thread} ${key}`);

/** Characters of three bytes each, in no order. */
function chineseText(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(0x4e00 + (Number.parseInt(sha256(`${index}`).slice(0, 8), 16) % 20_000))).join("");
}

/** The order of code points, and with it that of UTF-8: not that of UTF-16 units. */
const SORTED = [
  "",
  " ",
  "1",
  "10",
  "2",
  "A",
  "a",
  "a\u0000",
  "a\ud83d",
  "aa",
  "ab",
  "a\uffee",
  "a😀",
  "a\u{10ffff}",
  "a\u{10ffff}\u{10ffff}z",
  "b",
  "é",
  "\uffee",
  "😀",
];

/** Each runs on a new store of every kind. */
export const NOTE_TESTS: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  "notes are read as they were put, and a store without notes has none": async (store) => {
    assert.deepEqual(await store.notes({ kind: "k" }), []);
    assert.deepEqual(await store.notes({ kind: "k", thread: "t", keys: ["key"] }), []);
    assert.equal(await store.dropNotes("k", Number.MAX_SAFE_INTEGER), 0);
    await store.putNotes([]);
    const values = ["", "{}", "\u0000", "half \ud83d", "\ufeff", "語 😀", "x".repeat(5_000), `${"long ".repeat(500)}\ude00`, "y".repeat(200_000)];
    const made = await put(store, ...values.map((value, index) => ({ key: `${index}`, at: index, value })));
    assert.deepEqual(await store.notes({ kind: "k" }), made);
    assert.deepEqual(await store.notes({ kind: "k", thread: "t" }), made);
    assert.deepEqual(await store.notes({ kind: "other" }), []);
    assert.deepEqual(await store.notes({ kind: "k", thread: "other" }), []);
    assert.deepEqual(await store.audit(ANYTHING, "t"), []);
    assert.deepEqual(await store.audit(ANYTHING), []);
  },

  "a note replaces the one with the same thread, kind and key, also in one call": async (store) => {
    await put(store, { value: "1", at: 1 }, { value: "2", at: 2 }, { key: "other", value: "3" }, { kind: "l", value: "4" }, { thread: "u", value: "5" });
    assert.deepEqual(await store.notes({ kind: "k", thread: "t" }), [note({ value: "2", at: 2 }), note({ key: "other", value: "3" })]);
    await put(store, { value: "6", at: 9000 });
    assert.deepEqual(await store.notes({ kind: "k", thread: "t", keys: ["key"] }), [note({ value: "6", at: 9000 })]);
    assert.deepEqual(await keys(store), ["t other", "u key", "t key"]);
    await put(store, { value: "7", at: 0 });
    assert.deepEqual(await keys(store), ["t key", "t other", "u key"], "also with an older time");
    assert.deepEqual(await store.notes({ kind: "l" }), [note({ kind: "l", value: "4" })]);
  },

  "notes of a thread are in the order of their keys, by code points": async (store) => {
    await put(store, ...SORTED.toReversed().map((key, index) => ({ key, at: index })), { thread: "u", key: "aa" });
    const read = async (query: Omit<NoteQuery, "kind" | "thread">): Promise<string[]> =>
      (await store.notes({ kind: "k", thread: "t", ...query })).map(({ key }) => key);
    assert.deepEqual(await read({}), SORTED);
    assert.deepEqual(await read({ newestFirst: true }), SORTED.toReversed());
    assert.deepEqual(await read({ limit: 3 }), SORTED.slice(0, 3));
    assert.deepEqual(await read({ limit: 0 }), []);
    assert.deepEqual(
      await read({ prefix: "a" }),
      SORTED.filter((key) => key.startsWith("a")),
    );
    assert.deepEqual(await read({ prefix: "a\u{10ffff}" }), ["a\u{10ffff}", "a\u{10ffff}\u{10ffff}z"]);
    assert.deepEqual(await read({ prefix: "" }), SORTED);
    assert.deepEqual(await read({ prefix: "ax" }), []);
    assert.deepEqual(await read({ prefix: "%" }), []);
    assert.deepEqual(await read({ prefix: "a", newestFirst: true, limit: 2 }), ["a\u{10ffff}\u{10ffff}z", "a\u{10ffff}"]);
    assert.deepEqual(await read({ keys: ["b", "nowhere", "2", "b", ""] }), ["", "2", "b"]);
    assert.deepEqual(await read({ keys: [] }), []);
    assert.deepEqual(await read({ keys: ["b", "a", "aa"], prefix: "a" }), ["a", "aa"]);
    for (const [index, key] of SORTED.entries()) {
      const after = { thread: "anything", at: 0, key };
      assert.deepEqual(await read({ after, limit: 2 }), SORTED.slice(index + 1, index + 3));
      assert.deepEqual(await read({ after, newestFirst: true, limit: 2 }), SORTED.slice(0, index).reverse().slice(0, 2));
      assert.deepEqual(await read({ keys: [key] }), [key]);
    }
    assert.deepEqual(await read({ after: { thread: "t", at: 0, key: "a!" }, prefix: "a", limit: 1 }), ["aa"], "the one before need not be there");
  },

  "notes of all threads are in the order of their times, then of threads and keys": async (store) => {
    const sorted = [
      note({ thread: "b", key: "z", at: 0 }),
      note({ thread: "\uffee", key: "a", at: 5 }),
      note({ thread: "😀", key: "a", at: 5 }),
      note({ thread: "😀", key: "b", at: 5 }),
      note({ thread: "a", key: "y", at: 6 }),
      note({ thread: "a", key: "a", at: Number.MAX_SAFE_INTEGER }),
    ];
    await put(store, ...sorted.toReversed(), { kind: "l", at: 5 });
    assert.deepEqual(await store.notes({ kind: "k" }), sorted);
    assert.deepEqual(await store.notes({ kind: "k", newestFirst: true }), sorted.toReversed());
    assert.deepEqual(await store.notes({ kind: "k", newestFirst: true, limit: 2 }), sorted.toReversed().slice(0, 2));
    assert.deepEqual(
      await store.notes({ kind: "k", keys: ["a"] }),
      sorted.filter(({ key }) => key === "a"),
    );
    assert.deepEqual(await store.notes({ kind: "k", keys: ["a", "y"], newestFirst: true, limit: 2 }), [sorted[5], sorted[4]]);
    assert.deepEqual(await store.notes({ kind: "k", prefix: "z" }), [sorted[0]]);
    for (const [index, after] of sorted.entries()) {
      assert.deepEqual(await store.notes({ kind: "k", after }), sorted.slice(index + 1));
      assert.deepEqual(await store.notes({ kind: "k", after, newestFirst: true }), sorted.slice(0, index).reverse());
    }
    assert.deepEqual(await store.notes({ kind: "k", after: { thread: "", key: "", at: 6 }, keys: ["a", "y"], limit: 1 }), [sorted[4]]);
  },

  "a thousand keys are looked up at once, and more are refused": async (store) => {
    const names = Array.from({ length: 1_200 }, (_, index) => `key ${String(index).padStart(4, "0")}`);
    const made = await put(store, ...names.map((key) => ({ key })));
    assert.deepEqual(await store.notes({ kind: "k", thread: "t", keys: names.slice(100, 1_100) }), made.slice(100, 1_100));
    assert.deepEqual(await store.notes({ kind: "k", keys: names.slice(200) }), made.slice(200));
    await assert.rejects(store.notes({ kind: "k", keys: names.slice(0, 1_001) }), { code: "INVALID_INPUT" });
    assert.deepEqual(await store.notes({ kind: "k", thread: "t" }), made);
  },

  "a thread that has notes alone is none of the threads": async (store) => {
    await put(store, {});
    assert.deepEqual([await store.threads(), await store.branches("t"), await store.head(MAIN), await store.rename("t", "u")], [[], [], undefined, false]);
    assert.deepEqual(await store.append(MAIN, null, [], [note({ key: "second" })]), { appended: true, length: 0 });
    assert.deepEqual([await store.threads(), await keys(store)], [[], ["t key", "t second"]]);
    assert.deepEqual(await store.append(MAIN, null, chain(null, {})), { appended: true, length: 1 });
    assert.deepEqual(await keys(store, { thread: "t" }), ["t key", "t second"]);
  },

  "notes are put with the commits that they came with, or not at all": async (store) => {
    const [first, second] = [chain(null, { text: "1" }), chain("x", { text: "2" })];
    assert.deepEqual(await store.append(MAIN, null, first, [note({ value: "1" }), note({ thread: "u", value: "1" })]), { appended: true, length: 1 });
    const head = { hash: first[0]?.hash ?? "", length: 1 };
    for (const added of [second, []]) {
      assert.deepEqual(await store.append(MAIN, null, added, [note({ value: "2" })]), { appended: false, head });
      assert.deepEqual(await store.append(MAIN, "another", added, [note({ value: "2" })]), { appended: false, head });
      assert.deepEqual(await store.append({ ...MAIN, branch: "new" }, "another", added, [note({ value: "2" })]), {
        appended: false,
        head: { hash: null, length: 0 },
      });
    }
    assert.deepEqual(await store.notes({ kind: "k" }), [note({ value: "1" }), note({ thread: "u", value: "1" })]);
    assert.deepEqual(await store.append(MAIN, head.hash, [], [note({ value: "3" })]), { appended: true, length: 1 });
    assert.deepEqual(await store.append(MAIN, head.hash, second, [note({ value: "4", at: 2 })]), { appended: true, length: 2 });
    assert.deepEqual(await store.notes({ kind: "k", thread: "t" }), [note({ value: "4", at: 2 })]);
    assert.deepEqual(await store.threads(), [{ id: "t", commits: 2, time: 1000 }], "the time of the newest commit");
    const tooLong = note({ key: "x".repeat(501) });
    await assert.rejects(store.append(MAIN, second[0]?.hash ?? "", chain("y", { text: "3" }), [tooLong]), { code: "INVALID_INPUT" });
    assert.equal((await store.head(MAIN))?.length, 2);
    assert.deepEqual(await store.audit(ANYTHING, "t"), []);
  },

  "of writers that race on one head, the winner's notes are there": async (store) => {
    await Promise.all(["a", "b", "c"].map((text) => store.append(MAIN, null, chain(null, { text }), [note({ value: text })])));
    const [winner] = await store.commits(MAIN);
    const [text] = [...(await store.contents([winner?.contentHash ?? ""])).values()];
    assert.deepEqual(await store.notes({ kind: "k" }), [note({ value: text ?? "" })]);
  },

  "many writers put notes at once": async (store) => {
    const names = Array.from({ length: 40 }, (_, index) => `${index}`);
    const writers = Array.from({ length: 10 }, (_, writer) => names.map((key) => note({ key, value: `${writer}` })));
    await Promise.all(writers.map((notes, writer) => store.putNotes(writer % 2 === 0 ? notes : notes.toReversed())));
    const found = await store.notes({ kind: "k", thread: "t" });
    assert.deepEqual([found.length, new Set(found.map(({ value }) => value)).size], [40, 1], "all of one writer");
  },

  "notes of a kind are dropped by their age": async (store) => {
    await put(store, { key: "1", at: 1 }, { key: "2", at: 2 }, { key: "3", at: 3 }, { thread: "u", key: "1", at: 1 }, { kind: "l", key: "1", at: 1 });
    assert.equal(await store.dropNotes("k", 1), 0);
    assert.equal(await store.dropNotes("k", 3, "t"), 2);
    assert.deepEqual(await keys(store), ["u 1", "t 3"]);
    assert.equal(await store.dropNotes("k", 4, "nowhere"), 0);
    assert.equal(await store.dropNotes("k", 4), 2);
    assert.deepEqual(await store.notes({ kind: "k" }), []);
    assert.equal((await store.notes({ kind: "l" })).length, 1);
  },

  "forget takes the notes of the thread along, of all kinds, and of no other": async (store) => {
    await store.append(MAIN, null, chain(null, {}), [note({}), note({ kind: "l" })]);
    await put(store, { thread: "u" }, { thread: "alone" }, { thread: "t\u0000" });
    assert.equal(await store.forget("t", 2), false);
    assert.deepEqual(await keys(store), ["alone key", "t key", "t\u0000 key", "u key"]);
    assert.equal(await store.forget("t", 1), true);
    assert.deepEqual([await keys(store), await store.notes({ kind: "l" })], [["alone key", "t\u0000 key", "u key"], []]);
    assert.equal(await store.forget("t"), false);
    assert.equal(await store.forget("alone", 1), false);
    assert.equal(await store.forget("alone", 0), true, "there was something of it");
    assert.equal(await store.forget("alone"), false);
    assert.deepEqual(await keys(store), ["t\u0000 key", "u key"]);
  },

  "rename takes the notes of the thread along": async (store) => {
    const id = await store.beginImport("t");
    await store.append({ thread: id, branch: "main" }, null, chain(null, {}), [note({ thread: id, value: "imported" }), note({ thread: id, kind: "l" })]);
    await put(store, { value: "there before" }, { key: "stays" }, { thread: "u" });
    assert.equal(await store.rename(id, "t"), true);
    assert.deepEqual(await store.notes({ kind: "k", thread: "t" }), [note({ value: "imported" }), note({ key: "stays" })]);
    assert.deepEqual(await keys(store), ["t key", "t stays", "u key"]);
    assert.equal((await store.notes({ kind: "l", thread: "t" })).length, 1);
    assert.deepEqual(await store.audit(ANYTHING, "t"), []);
    assert.deepEqual(await store.append({ thread: id, branch: "main" }, null, [], [note({ thread: id })]), {
      appended: false,
      head: { hash: null, length: 0 },
    });
    assert.deepEqual(await store.notes({ kind: "k", thread: id }), [], "what is put with an import that is gone is not written");
  },

  "retain keeps a thread as long as its newest note is not old": async (store) => {
    for (const thread of ["a", "b", "c"]) await store.append({ thread, branch: "main" }, null, chain(null, { time: 5 }));
    await put(store, { thread: "a", at: 4 }, { thread: "b", at: 9 }, { thread: "b", key: "old", at: 4 }, { thread: "alone", at: 4 }, { thread: "new", at: 9 });
    const id = await store.beginImport("t");
    await put(store, { thread: id, at: 1 });
    assert.deepEqual(await store.retain(5), ["alone"]);
    assert.deepEqual(await store.retain(9, ["c", "b", "new"]), ["c"]);
    assert.deepEqual(await store.retain(9), ["a"]);
    assert.deepEqual((await keys(store)).slice(1), ["b old", "b key", "new key"]);
    assert.deepEqual(await store.retain(10), ["b", "new"]);
    assert.deepEqual([await store.threads(), (await store.notes({ kind: "k" })).length], [[], 1], "somebody imports that one");
    assert.equal(await store.forget(id), true);
    assert.deepEqual(await store.notes({ kind: "k" }), []);
  },

  "what no index could hold, and what is no note, is refused, and nothing is put": async (store) => {
    // 2,500 bytes in all, which no index can make smaller.
    const longest = chineseText(833);
    const made = await put(store, { key: longest.slice(0, 500) }, { thread: longest.slice(0, 500), key: longest.slice(500) });
    await put(store, { thread: await store.beginImport(longest.slice(0, 333)), key: longest.slice(333), kind: "l" });
    const bad: readonly Partial<Record<keyof Note, unknown>>[] = [
      { thread: "x".repeat(501) },
      { kind: "x".repeat(501) },
      { key: "x".repeat(501) },
      { thread: longest.slice(0, 500), key: longest.slice(499) },
      { thread: undefined },
      { key: 1 },
      { value: {} },
      { at: 0.5 },
      { at: -1 },
      { at: Number.NaN },
      { at: "1" },
    ];
    for (const fields of bad) {
      const notes = [note({ key: "good" }), { ...note({}), ...fields } as Note];
      await assert.rejects(store.putNotes(notes), { code: "INVALID_INPUT" }, JSON.stringify(fields));
    }
    await assert.rejects(store.putNotes([null as unknown as Note]), { code: "INVALID_INPUT" });
    await assert.rejects(store.putNotes("notes" as unknown as Note[]), { code: "INVALID_INPUT" });
    for (const olderThanMs of [Number.NaN, Number.POSITIVE_INFINITY, "5"])
      await assert.rejects(store.dropNotes("k", olderThanMs as number), { code: "INVALID_INPUT" }, String(olderThanMs));
    const queries: readonly unknown[] = [
      {},
      { kind: 1 },
      { kind: "k", limit: -1 },
      { kind: "k", keys: "a" },
      { kind: "k", keys: [1] },
      { kind: "k", order: 1 },
      null,
    ];
    for (const query of queries) await assert.rejects(store.notes(query as NoteQuery), { code: "INVALID_OPTION" }, JSON.stringify(query));
    for (const after of [{}, { thread: "t", key: "k" }, { thread: 1, key: "k", at: 1 }])
      await assert.rejects(store.notes({ kind: "k", after: after as unknown as Note }), { code: "INVALID_INPUT" }, JSON.stringify(after));
    assert.deepEqual(await store.notes({ kind: "k" }), made);
  },

  "a note that was handed in or out can be changed, and the store stays as it was": async (store) => {
    const mine = { ...note({}) };
    await store.putNotes([mine]);
    mine.value = "changed";
    const read = await store.notes({ kind: "k" });
    assert.deepEqual(read, [note({})]);
    read.length = 0;
    assert.deepEqual(await store.notes({ kind: "k" }), [note({})]);
  },

  "notes of a store that is closed": async (store) => {
    await store.close();
    await assert.rejects(store.putNotes([note({})]), { code: "STORE_FAILED", data: { store: store.name, operation: "putNotes" } });
    await assert.rejects(store.notes({ kind: "k" }), { code: "STORE_FAILED", data: { store: store.name, operation: "notes" } });
    await assert.rejects(store.dropNotes("k", 1), { code: "STORE_FAILED", data: { store: store.name, operation: "dropNotes" } });
  },
};
