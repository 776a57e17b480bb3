import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { BranchRef, CommitQuery, Derivation, NewCommit, Store, StoredCommit } from "../src/store/store.ts";
import { chain, sha256, stored, type CommitSpec } from "./support/stores/commits.ts";
import { NOTE_TESTS } from "./support/stores/note-tests.ts";
import { storeKinds, withStore, type StoreKind } from "./support/stores/open-stores.ts";

const MAIN: BranchRef = { thread: "t", branch: "main" };
const on = (branch: string, thread = "t"): BranchRef => ({ thread, branch });

async function append(store: Store, ref: BranchRef, parent: string | null, ...specs: readonly CommitSpec[]): Promise<NewCommit[]> {
  const commits = chain(parent, ...specs);
  const { length = 0 } = (await store.head(ref)) ?? {};
  assert.deepEqual(await store.append(ref, parent, commits), { appended: true, length: length + commits.length });
  return commits;
}

const storedFrom = (start: number, commits: readonly NewCommit[]): StoredCommit[] => commits.map((commit, index) => stored(commit, start + index));
const hashes = (commits: readonly { readonly hash: string }[]): string[] => commits.map(({ hash }) => hash);
const texts = (...list: readonly string[]): CommitSpec[] => list.map((text) => ({ text }));

/** For tests that compare no hashes: the hashes of these commits are made up. */
const ANYTHING: Derivation = { isWhole: () => true, searchOf: () => undefined };

/** Each runs on a new store of every kind. */
const TESTS: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  "a new store is empty": async (store) => {
    assert.deepEqual(await store.threads(), []);
    assert.deepEqual(await store.branches("t"), []);
    assert.equal(await store.head(MAIN), undefined);
    assert.deepEqual(await store.commits(MAIN), []);
    assert.deepEqual(await store.byHash("t", "", 10), []);
    assert.deepEqual(await store.contents([sha256("text")]), new Map());
    assert.deepEqual(await store.steps(MAIN), []);
    assert.equal(await store.memo("key"), undefined);
    assert.equal(await store.forget("t"), false);
    assert.deepEqual(await store.retain(Number.MAX_SAFE_INTEGER), []);
    assert.equal(await store.fork(MAIN, 0, "fork"), false);
    await assert.rejects(store.addStep(MAIN, { length: 0, value: "{}" }), { code: "INVALID_INPUT" });
  },

  "append makes thread and branch, and what was appended is read as it was": async (store) => {
    const commits = await append(
      store,
      MAIN,
      null,
      { text: "hello", time: 5 },
      {
        role: "assistant",
        calls: [
          { id: "c1", name: "read" },
          { id: "c2", name: "bash" },
        ],
        reason: "",
        text: "",
      },
      { role: "tool", name: "read", callId: "c1", isError: false, tokens: 0, time: 9 },
      { role: "tool", name: "bash", callId: "c2", isError: true, tokens: 123_456_789 },
      { kind: "edit", role: "tool", edits: "e", author: "", reason: "too long", calls: [], text: "short", time: 1_800_000_000_123 },
    );
    assert.deepEqual(await store.commits(MAIN), storedFrom(0, commits));
    assert.deepEqual(await store.head(MAIN), { hash: commits[4]?.hash, length: 5 });
    assert.deepEqual(await store.branches("t"), [{ name: "main", hash: commits[4]?.hash, length: 5 }]);
    assert.deepEqual(await store.threads(), [{ id: "t", commits: 5, time: 1_800_000_000_123 }]);
    assert.deepEqual(
      await store.contents([sha256("hello"), sha256(""), sha256("nowhere"), sha256("hello")]),
      new Map([
        [sha256("hello"), "hello"],
        [sha256(""), ""],
      ]),
    );
  },

  "append after another head writes nothing, and gives the head": async (store) => {
    const [first] = await append(store, MAIN, null, { text: "first" });
    const head = { hash: first?.hash ?? null, length: 1 };
    const late = chain(null, { text: "late" });
    assert.deepEqual(await store.append(MAIN, null, late), { appended: false, head });
    assert.deepEqual(await store.append(MAIN, "another", late), { appended: false, head });
    assert.deepEqual(await store.append(on("new"), "another", late), { appended: false, head: { hash: null, length: 0 } });
    assert.deepEqual(await store.append(on("main", "u"), "another", late), { appended: false, head: { hash: null, length: 0 } });
    assert.deepEqual(await store.head(MAIN), head);
    assert.deepEqual(await store.threads(), [{ id: "t", commits: 1, time: 1000 }]);
    assert.deepEqual(await store.contents([sha256("late")]), new Map());
  },

  "of appends that race on one branch one wins": async (store) => {
    const answers = await Promise.all(["a", "b", "c", "d"].map((text) => store.append(MAIN, null, chain(null, { text }))));
    assert.equal(answers.filter(({ appended }) => appended).length, 1);
    const [winner] = await store.commits(MAIN);
    for (const answer of answers)
      assert.deepEqual(answer, answer.appended ? { appended: true, length: 1 } : { appended: false, head: { hash: winner?.hash, length: 1 } });
  },

  "append of nothing makes the branch": async (store) => {
    assert.deepEqual(await store.append(MAIN, null, []), { appended: true, length: 0 });
    assert.deepEqual(await store.append(MAIN, null, []), { appended: true, length: 0 });
    assert.deepEqual(await store.head(MAIN), { hash: null, length: 0 });
    assert.deepEqual(await store.threads(), [{ id: "t", commits: 0, time: 0 }]);
    assert.deepEqual(await store.commits(MAIN), []);
    assert.deepEqual(await store.retain(1), ["t"]);
  },

  "a name that no index could hold is refused": async (store) => {
    const long = "x".repeat(501);
    const [commit] = chain(null, {}) as [NewCommit];
    await append(store, MAIN, null, {});
    await assert.rejects(store.append(on(long), null, [commit]), {
      code: "INVALID_INPUT",
      data: { path: "ref.branch", expected: "at most 500 characters", found: "a string of 501 characters" },
    });
    await assert.rejects(store.append(on("main", long), null, [commit]), { code: "INVALID_INPUT" });
    await assert.rejects(store.append(on("b"), null, [{ ...commit, hash: long }]), { code: "INVALID_INPUT" });
    await assert.rejects(store.append(on("b"), null, [{ ...commit, content: { hash: long, text: "" } }]), { code: "INVALID_INPUT" });
    await assert.rejects(store.fork(MAIN, 1, long), { code: "INVALID_INPUT" });
    assert.equal(await store.head(on(long)), undefined);
    for (const edge of ["y".repeat(500), "\u0000".repeat(500), "語".repeat(500)]) {
      const ref = on(edge, edge);
      assert.deepEqual(await store.append(ref, null, [{ ...commit, hash: edge, content: { hash: edge, text: edge } }]), { appended: true, length: 1 });
      assert.deepEqual(hashes(await store.byHash(edge, edge, 2)), [edge]);
    }
  },

  "an import is not among the threads until it gets its name, and takes no name that is there": async (store) => {
    const id = await store.beginImport("t");
    assert.deepEqual([await store.threads(), await store.branches("t"), await store.branches(id)], [[], [], []]);
    const commits = await append(store, on("main", id), null, ...texts("1", "2"));
    assert.equal(await store.fork(on("main", id), 1, "fork"), true);
    await store.addStep(on("main", id), { length: 2, value: "{}" });
    const [unfinished, ...others] = await store.unfinished();
    assert.deepEqual([unfinished?.id, unfinished?.thread, unfinished?.commits, others], [id, "t", 2, []]);
    assert.ok(Math.abs((unfinished?.beganAt ?? 0) - Date.now()) < 60_000);
    assert.deepEqual(await store.retain(Number.MAX_SAFE_INTEGER), [], "somebody writes it");
    await append(store, on("main", "taken"), null, { text: "other" });
    assert.equal(await store.rename(id, "taken"), false);
    assert.equal(await store.rename("nowhere", "free"), false);
    assert.equal(await store.rename(id, "t"), true);
    assert.deepEqual(await store.commits(MAIN), storedFrom(0, commits));
    assert.deepEqual(await store.steps(MAIN), [{ length: 2, value: "{}" }]);
    assert.deepEqual(hashes(await store.byHash("t", commits[1]?.hash ?? "", 1)), [commits[1]?.hash]);
    assert.deepEqual([await store.unfinished(), (await store.threads()).map((thread) => thread.id)], [[], ["t", "taken"]]);
    assert.deepEqual(await store.audit(ANYTHING, "t"), []);
  },

  "of two imports that get the same name at the same time one has it": async (store) => {
    const ids = await Promise.all(["a", "b", "c"].map(() => store.beginImport("t")));
    for (const [number, id] of ids.entries()) await append(store, on("main", id), null, { text: `${number}` });
    const renamed = await Promise.all(ids.map((id) => store.rename(id, "t")));
    assert.equal(renamed.filter((isDone) => isDone).length, 1);
    assert.deepEqual([(await store.unfinished()).length, (await store.threads()).length], [2, 1]);
  },

  "what is appended to an import that is gone is not written": async (store) => {
    const id = await store.beginImport("t");
    assert.equal(await store.rename(id, "t"), true);
    assert.deepEqual(await store.append(on("main", id), null, chain(null, { text: "late" })), { appended: false, head: { hash: null, length: 0 } });
    assert.deepEqual(await store.unfinished(), []);
  },

  "a thread that others have written to meanwhile is not forgotten, and only what was named is retained": async (store) => {
    const [first] = await append(store, MAIN, null, { text: "1", time: 5 });
    await append(store, on("main", "u"), null, { text: "2", time: 5 });
    await append(store, MAIN, first?.hash ?? "", { text: "3", time: 5 });
    assert.equal(await store.forget("t", 1), false);
    assert.deepEqual(await store.retain(9, ["u", "v"]), ["u"]);
    assert.deepEqual([(await store.threads()).map(({ id }) => id), await store.forget("t", 2), await store.threads()], [["t"], true, []]);
  },

  "a fork shares what was before it, and nothing after": async (store) => {
    const common = await append(store, MAIN, null, ...texts("1", "2", "3"));
    assert.equal(await store.fork(MAIN, 2, "fork"), true);
    const forkedAt = common[1]?.hash ?? "";
    assert.deepEqual(await store.head(on("fork")), { hash: forkedAt, length: 2 });
    const own = await append(store, on("fork"), forkedAt, ...texts("3b", "4b"));
    const later = await append(store, MAIN, common[2]?.hash ?? "", ...texts("4"));
    assert.deepEqual(await store.commits(MAIN), storedFrom(0, [...common, ...later]));
    assert.deepEqual(await store.commits(on("fork")), storedFrom(0, [...common.slice(0, 2), ...own]));
    assert.deepEqual(await store.branches("t"), [
      { name: "main", hash: later[0]?.hash, length: 4 },
      { name: "fork", hash: own[1]?.hash, length: 4, from: { branch: "main", length: 2 } },
    ]);
    assert.deepEqual(await store.threads(), [{ id: "t", commits: 6, time: 1000 }]);
  },

  "forks of forks, inside what they share and after it": async (store) => {
    const a = await append(store, MAIN, null, ...texts("1", "2", "3"));
    await store.fork(MAIN, 2, "b");
    const b = await append(store, on("b"), a[1]?.hash ?? "", ...texts("b3", "b4"));
    assert.equal(await store.fork(on("b"), 3, "c"), true);
    assert.equal(await store.fork(on("b"), 1, "d"), true);
    assert.equal(await store.fork(on("d"), 0, "e"), true);
    assert.equal(await store.fork(on("b"), 4, "f"), true);
    const c = await append(store, on("c"), b[0]?.hash ?? "", ...texts("c4"));
    const d = await append(store, on("d"), a[0]?.hash ?? "", ...texts("d2"));
    const e = await append(store, on("e"), null, ...texts("e1"));
    assert.deepEqual(hashes(await store.commits(on("c"))), hashes([...a.slice(0, 2), ...b.slice(0, 1), ...c]));
    assert.deepEqual(hashes(await store.commits(on("d"))), hashes([...a.slice(0, 1), ...d]));
    assert.deepEqual(hashes(await store.commits(on("e"))), hashes(e));
    assert.deepEqual(hashes(await store.commits(on("f"))), hashes([...a.slice(0, 2), ...b]));
    assert.deepEqual(hashes(await store.commits(on("c"), { from: 1, to: 3, newestFirst: true })), hashes([...b.slice(0, 1), ...a.slice(1, 2)]));
    assert.deepEqual(hashes(await store.commits(on("c"), { limit: 2, newestFirst: true })), hashes([...c, ...b.slice(0, 1)]));
    assert.deepEqual(
      (await store.branches("t")).map(({ name, from }) => [name, from]),
      [
        ["main", undefined],
        ["b", { branch: "main", length: 2 }],
        ["c", { branch: "b", length: 3 }],
        ["d", { branch: "b", length: 1 }],
        ["e", { branch: "d", length: 0 }],
        ["f", { branch: "b", length: 4 }],
      ],
    );
  },

  "a fork that cannot be is refused": async (store) => {
    await append(store, MAIN, null, ...texts("1", "2"));
    assert.equal(await store.fork(MAIN, 2, "fork"), true);
    assert.equal(await store.fork(MAIN, 1, "fork"), false);
    assert.equal(await store.fork(MAIN, 1, "main"), false);
    assert.equal(await store.fork(MAIN, 3, "longer"), false);
    assert.equal(await store.fork(on("nowhere"), 0, "x"), false);
    assert.equal(await store.fork(on("main", "nowhere"), 0, "x"), false);
    for (const length of [-1, 0.5, Number.NaN]) await assert.rejects(store.fork(MAIN, length, "x"), { code: "INVALID_INPUT" });
    assert.deepEqual(
      (await store.branches("t")).map(({ name }) => name),
      ["main", "fork"],
    );
  },

  "the same commit in two branches is one commit": async (store) => {
    const [first] = (await append(store, MAIN, null, { text: "1" })) as [NewCommit];
    await store.fork(MAIN, 1, "fork");
    const [second] = (await append(store, MAIN, first.hash, { text: "2" })) as [NewCommit];
    await append(store, on("fork"), first.hash, { text: "2" });
    await append(store, on("other"), null, { text: "1" });
    assert.deepEqual(await store.threads(), [{ id: "t", commits: 2, time: 1000 }]);
    assert.deepEqual(await store.byHash("t", first.hash, 10), [stored(first, 0)]);
    assert.deepEqual(await store.byHash("t", second.hash.slice(0, 20), 10), [stored(second, 1)]);
  },

  "commits by the beginning of their hash, in their thread only": async (store) => {
    const [commit] = chain(null, {}) as [NewCommit];
    const named = (hash: string): NewCommit => ({ ...commit, hash });
    await store.append(MAIN, null, ["abc1", "abd2", "ab", "b", "a%", "a_"].map(named));
    await store.append(on("main", "u"), null, ["abc9"].map(named));
    assert.deepEqual(hashes(await store.byHash("t", "ab", 10)), ["ab", "abc1", "abd2"]);
    assert.deepEqual(hashes(await store.byHash("t", "ab", 2)), ["ab", "abc1"]);
    assert.deepEqual(hashes(await store.byHash("t", "abc1", 10)), ["abc1"]);
    assert.deepEqual(hashes(await store.byHash("t", "a%", 10)), ["a%"]);
    assert.deepEqual(hashes(await store.byHash("t", "", 10)), ["a%", "a_", "ab", "abc1", "abd2", "b"]);
    assert.deepEqual(await store.byHash("t", "ab", 0), []);
    assert.deepEqual(await store.byHash("t", "abc12", 10), []);
    assert.deepEqual(await store.byHash("nowhere", "", 10), []);
    await assert.rejects(store.byHash("t", "", -1), { code: "INVALID_INPUT" });
  },

  "threads page by page, in the order of code points": async (store) => {
    const ids = ["", " ", "A", "B", "a", "b", "é", "\uffee", "😀"];
    for (const id of ids.toReversed()) await append(store, on("main", id), null, {});
    const all = await store.threads();
    assert.deepEqual(
      all.map(({ id }) => id),
      ids,
    );
    assert.deepEqual(await store.threads({ limit: 2 }), all.slice(0, 2));
    assert.deepEqual(await store.threads({ limit: 2, after: " " }), all.slice(2, 4));
    assert.deepEqual(await store.threads({ after: "" }), all.slice(1));
    assert.deepEqual(await store.threads({ after: "AA", limit: 100 }), all.slice(3));
    assert.deepEqual(await store.threads({ limit: 0 }), []);
    await assert.rejects(store.threads({ limit: -1 }), { code: "INVALID_OPTION" });
  },

  "steps, and those that a fork shares": async (store) => {
    await append(store, MAIN, null, ...texts("1", "2", "3"));
    const step = (length: number, value: string): { length: number; value: string } => ({ length, value });
    await store.addStep(MAIN, step(1, "a"));
    await store.addStep(MAIN, step(3, "b"));
    await store.addStep(MAIN, step(2, "c"));
    await store.fork(MAIN, 2, "fork");
    await store.addStep(MAIN, step(2, "after the fork"));
    await store.addStep(on("fork"), step(2, "d"));
    await store.fork(on("fork"), 1, "short");
    await store.fork(on("fork"), 2, "long");
    await store.addStep(on("fork"), step(2, "after that fork"));
    await store.addStep(on("long"), step(9, '{"odd":"\u0000\ud83d"}'));
    assert.deepEqual(await store.steps(MAIN), [step(1, "a"), step(3, "b"), step(2, "c"), step(2, "after the fork")]);
    assert.deepEqual(await store.steps(on("fork")), [step(1, "a"), step(2, "c"), step(2, "d"), step(2, "after that fork")]);
    assert.deepEqual(await store.steps(on("short")), [step(1, "a")]);
    assert.deepEqual(await store.steps(on("long")), [step(1, "a"), step(2, "c"), step(2, "d"), step(9, '{"odd":"\u0000\ud83d"}')]);
    await assert.rejects(store.addStep(on("nowhere"), step(0, "x")), { code: "INVALID_INPUT" });
    await assert.rejects(store.addStep(MAIN, step(-1, "x")), { code: "INVALID_INPUT" });
  },

  "the first memo wins, also in a race": async (store) => {
    assert.equal(await store.setMemo("key", "one"), "one");
    assert.equal(await store.setMemo("key", "two"), "one");
    assert.equal(await store.memo("key"), "one");
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => store.setMemo("raced", `${index}`)));
    assert.deepEqual(new Set(answers), new Set([await store.memo("raced")]));
    const long = "k".repeat(100_000);
    assert.equal(await store.setMemo(long, ""), "");
    assert.equal(await store.memo(long), "");
    assert.equal(await store.memo(`${long}k`), undefined);
  },

  "forget takes everything of the thread, and contents that no other has": async (store) => {
    const specs = [
      { text: "shared", search: ["both"] },
      { text: "own", search: ["one"], role: "tool", name: "read", callId: "c" },
    ] as const;
    await append(store, MAIN, null, ...specs);
    await store.fork(MAIN, 1, "fork");
    await store.addStep(MAIN, { length: 2, value: "s" });
    await append(store, on("main", "u"), null, { text: "shared", search: ["both"] });
    assert.equal(await store.forget("t"), true);
    assert.equal(await store.forget("t"), false);
    assert.deepEqual(await store.branches("t"), []);
    assert.deepEqual(await store.commits(MAIN), []);
    assert.deepEqual(await store.commits(on("fork")), []);
    assert.deepEqual(await store.steps(MAIN), []);
    assert.deepEqual(await store.byHash("t", "", 10), []);
    assert.deepEqual(await store.threads(), [{ id: "u", commits: 1, time: 1000 }]);
    assert.deepEqual(await store.contents([sha256("shared"), sha256("own")]), new Map([[sha256("shared"), "shared"]]));
    assert.equal((await store.commits(on("main", "u"), { words: ["both"] })).length, 1);
    await store.forget("u");
    assert.deepEqual(await store.contents([sha256("shared")]), new Map());
    // As if it had never been there.
    const again = await append(store, MAIN, null, ...specs);
    assert.deepEqual(hashes(await store.commits(MAIN, { words: ["one"] })), [again[1]?.hash]);
    assert.deepEqual(await store.steps(MAIN), []);
  },

  "a content that a thread has twice, and forgets": async (store) => {
    await append(store, MAIN, null, ...texts("same", "same"));
    await store.fork(MAIN, 1, "fork");
    await append(store, on("fork"), (await store.head(on("fork")))?.hash ?? null, ...texts("same"));
    await append(store, on("main", "u"), null, ...texts("same", "same"));
    await store.forget("t");
    assert.deepEqual(await store.contents([sha256("same")]), new Map([[sha256("same"), "same"]]));
    await store.forget("u");
    assert.deepEqual(await store.contents([sha256("same")]), new Map());
  },

  "retain forgets what is older": async (store) => {
    const newestBy = { c: 300, a: 100, b: 200 };
    for (const [id, time] of Object.entries(newestBy)) await append(store, on("main", id), null, { time, text: id }, { time: 50, text: `${id} again` });
    assert.deepEqual(
      (await store.threads()).map(({ time }) => time),
      [100, 200, 300],
    );
    assert.deepEqual(await store.retain(100), []);
    assert.deepEqual(await store.retain(201), ["a", "b"]);
    assert.deepEqual(
      (await store.threads()).map(({ id }) => id),
      ["c"],
    );
    assert.deepEqual(await store.contents([sha256("a"), sha256("c")]), new Map([[sha256("c"), "c"]]));
  },

  "content of 10 MB, with very many words": async (store) => {
    const words = Array.from({ length: 150_000 }, (_, index) => `word${index}of-many`);
    const text = `${words.join(" ")}\n`.repeat(5).slice(0, 10_000_000).padEnd(10_000_000, "z");
    await append(store, MAIN, null, { text, search: words }, { text: "small", search: ["word7of-many"] });
    assert.equal((await store.contents([sha256(text)])).get(sha256(text)) === text, true);
    assert.equal((await store.commits(MAIN, { words: ["word7of-many"] })).length, 2);
    assert.equal((await store.commits(MAIN, { words: ["word0of-many", "word149999of-many", "word75000*"] })).length, 1);
    assert.equal((await store.commits(MAIN, { words: ["word150000*"] })).length, 0);
  },

  "many commits at once": async (store) => {
    const commits = await append(
      store,
      MAIN,
      null,
      ...Array.from({ length: 500 }, (_, index) => ({ text: `${index % 7}`, role: "tool", name: `tool ${index % 3}`, callId: `${index}` }) as const),
    );
    assert.deepEqual(hashes(await store.commits(MAIN, { from: 490 })), hashes(commits.slice(490)));
    assert.equal((await store.commits(MAIN, { tool: "tool 0" })).length, 167);
    assert.deepEqual(await store.threads(), [{ id: "t", commits: 500, time: 1000 }]);
  },

  "what was handed in or out can be changed, and the store stays as it was": async (store) => {
    const calls = [{ id: "c", name: "read" }];
    const [commit] = chain(null, { role: "assistant", calls }) as [NewCommit];
    await store.append(MAIN, null, [commit]);
    calls.push({ id: "d", name: "bash" });
    const read = await store.commits(MAIN);
    assert.deepEqual(read[0]?.calls, [{ id: "c", name: "read" }]);
    read.length = 0;
    assert.equal((await store.commits(MAIN)).length, 1);
    assert.deepEqual(await store.commits(MAIN, { tool: "bash" }), []);
  },

  "closed is closed": async (store) => {
    await store.close();
    await store.close();
    await assert.rejects(store.threads(), { code: "STORE_FAILED", data: { store: store.name, operation: "threads" } });
    await assert.rejects(store.append(MAIN, null, chain(null, {})), { code: "STORE_FAILED" });
  },
};

/** The commits that the queries below are asked about, and what each finds of them. */
const ASKED: readonly CommitSpec[] = [
  { text: "0", tokens: 5, search: ["fix", "the", "parser"] },
  {
    text: "1",
    role: "assistant",
    tokens: 50,
    calls: [
      { id: "c1", name: "read" },
      { id: "c2", name: "bash" },
    ],
    search: ["let", "me", "read"],
  },
  { text: "2", role: "tool", name: "read", callId: "c1", tokens: 500, search: ["parser", "parse_line", "src/parse.ts"] },
  { text: "3", role: "tool", name: "bash", callId: "c2", tokens: 50, isError: true, search: ["error", "parsing"] },
  { text: "4", role: "assistant", calls: [{ id: "c3", name: "read" }], search: [] },
  { text: "5", role: "tool", name: "read", callId: "c3", isError: false, tokens: 60, search: ["parser"] },
  { text: "6", kind: "edit", role: "tool", name: "read", callId: "c1", edits: "commit 2", tokens: 10, search: ["short", "parser"] },
  { text: "7", kind: "edit", role: "tool", name: "read", callId: "c1", edits: "commit 6", tokens: 9, search: ["shorter"] },
  { text: "8", role: "user", name: "c1", tokens: 1, search: ["c1"] },
];

const QUERIES: readonly (readonly [CommitQuery, readonly number[]])[] = [
  [{}, [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  [{ from: 6 }, [6, 7, 8]],
  [{ to: 2 }, [0, 1]],
  [{ from: 2, to: 4 }, [2, 3]],
  [{ from: 4, to: 2 }, []],
  [{ from: 100 }, []],
  [{ to: 0 }, []],
  [{ limit: 2 }, [0, 1]],
  [{ limit: 0 }, []],
  [{ newestFirst: true }, [8, 7, 6, 5, 4, 3, 2, 1, 0]],
  [{ newestFirst: true, limit: 3 }, [8, 7, 6]],
  [{ newestFirst: true, from: 1, to: 5, limit: 3 }, [4, 3, 2]],
  [{ kind: "edit" }, [6, 7]],
  [{ kind: "append", limit: 1 }, [0]],
  [{ role: "assistant" }, [1, 4]],
  [{ role: "tool", newestFirst: true, limit: 2 }, [7, 6]],
  [{ tool: "read" }, [1, 2, 4, 5, 6, 7]],
  [{ tool: "bash" }, [1, 3]],
  [{ tool: "c1" }, [8]],
  [{ tool: "rea" }, []],
  [{ tool: "" }, []],
  [{ callId: "c1" }, [1, 2, 6, 7]],
  [{ callId: "c3", newestFirst: true }, [5, 4]],
  [{ callId: "read" }, []],
  [{ edits: "commit 2" }, [6]],
  [{ edits: "c1" }, []],
  [{ minTokens: 50 }, [1, 2, 3, 5]],
  [{ minTokens: 501 }, []],
  [{ errorsOnly: true }, [3]],
  [{ errorsOnly: false, limit: 1 }, [0]],
  [{ words: [] }, [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  [{ words: ["parser"] }, [0, 2, 5, 6]],
  [{ words: ["parse"] }, []],
  [{ words: ["parse*"] }, [0, 2, 5, 6]],
  [{ words: ["pars*"] }, [0, 2, 3, 5, 6]],
  [{ words: ["parse_*"] }, [2]],
  [{ words: ["src/parse.ts"] }, [2]],
  [{ words: ["src"] }, []],
  [{ words: ["src/*"] }, [2]],
  [{ words: ["parser", "the"] }, [0]],
  [{ words: ["short*", "parser"] }, [6]],
  [{ words: ["parser", "nowhere"] }, []],
  [{ words: ["", "*"] }, [0, 1, 2, 3, 4, 5, 6, 7, 8]],
  [{ words: ["PARSER"] }, []],
  [{ tool: "read", callId: "c1", kind: "append", role: "tool" }, [2]],
  [{ tool: "read", from: 2, to: 7, limit: 2, newestFirst: true }, [6, 5]],
  [{ callId: "c1", edits: "commit 6" }, [7]],
  [{ role: "tool", minTokens: 50, words: ["pars*"], errorsOnly: true }, [3]],
  [{ tool: "read", words: ["parser"], minTokens: 11, newestFirst: true, limit: 1 }, [5]],
  [
    { kind: "edit", role: "tool", tool: "read", callId: "c1", edits: "commit 2", minTokens: 10, words: ["short"], from: 6, to: 7, limit: 1, newestFirst: true },
    [6],
  ],
];

/** On one branch, and on a fork of a fork that shares the beginning: the answers must be the same. */
async function askAll(store: Store): Promise<void> {
  const [first, second, third] = [ASKED.slice(0, 3), ASKED.slice(3, 5), ASKED.slice(5)];
  await append(store, MAIN, null, ...ASKED);
  const start = await append(store, on("a"), null, ...first, { text: "only here", search: ["parser"] });
  await store.fork(on("a"), 3, "b");
  const middle = await append(store, on("b"), start[2]?.hash ?? "", ...second);
  await store.fork(on("b"), 5, "c");
  await append(store, on("c"), middle[1]?.hash ?? "", ...third);
  await append(store, on("b"), middle[1]?.hash ?? "", { text: "nor here", role: "tool", name: "read", callId: "c1", search: ["parser"] });
  for (const branch of ["main", "c"]) {
    for (const [query, found] of QUERIES) {
      const sequences = (await store.commits(on(branch), query)).map(({ sequence }) => sequence);
      assert.deepEqual(sequences, found, `${JSON.stringify(query)} on ${branch}`);
    }
  }
}

const BAD_QUERIES: readonly unknown[] = [
  { limit: -1 },
  { from: 0.5 },
  { to: Number.NaN },
  { kind: "x" },
  { role: "system" },
  { words: "x" },
  { words: [1] },
  { order: "desc" },
  null,
];

const ODD: readonly string[] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud83d",
  "\ude00",
  "tail \ud83d",
  "\u001a",
  "\u001a0000",
  "\ue000",
  "\ue0000041",
  "\\",
  "\\u0000",
  "'",
  '"',
  "''; DROP TABLE palimpsest_threads; --",
  '" OR 1=1 --',
  "$1",
  "?1",
  "%",
  "_",
  "a-b",
  "a_b.c",
  "-x",
  "*",
  "a*b",
  "NEAR(a b)",
  "a b",
  "a\nb\tc",
  "A",
  "ς",
  "σ",
  "ß",
  "ſ",
  "İ",
  "naïve",
  "nai\u0308ve",
  "naive",
  "請讀取",
  "テスト",
  "العربية",
  "😀",
  "👩‍👩‍👧",
  "\ufeff",
  "\uffff",
  "null",
  "{}",
  "__proto__",
  "constructor",
];

/** Every string field at once is the odd text; each is told apart from all others. */
async function keepOddText(store: Store): Promise<void> {
  const made = ODD.map((odd): NewCommit => ({
    hash: odd,
    parent: odd,
    kind: "append",
    role: "tool",
    name: odd,
    calls: [{ id: odd, name: odd }],
    callId: odd,
    edits: odd,
    tokens: 1,
    time: 1,
    author: odd,
    reason: odd,
    content: { hash: odd, text: odd },
    search: [odd],
  }));
  assert.deepEqual(await store.append(MAIN, null, made), { appended: true, length: made.length });
  assert.deepEqual(await store.commits(MAIN), storedFrom(0, made));
  assert.deepEqual(await store.contents(ODD), new Map(ODD.map((odd) => [odd, odd])));
  assert.deepEqual(new Set(hashes(await store.byHash("t", "", 1000))), new Set(ODD));
  for (const [index, odd] of ODD.entries()) {
    const ref = { thread: odd, branch: odd };
    assert.deepEqual(await store.append(ref, null, [{ ...(made[index] as NewCommit), parent: null }]), { appended: true, length: 1 });
    assert.equal(await store.fork(ref, 1, `${odd} fork`), true);
    await store.addStep(ref, { length: 1, value: odd });
    assert.deepEqual(await store.steps(ref), [{ length: 1, value: odd }]);
    assert.equal(await store.setMemo(odd, odd), odd);
    const note = { thread: odd, kind: odd, key: odd, at: index, value: odd };
    await store.putNotes([note]);
    for (const query of [{}, { thread: odd }, { keys: [odd] }, { prefix: odd, thread: odd }])
      assert.deepEqual(await store.notes({ kind: odd, ...query }), [note]);
    for (const query of [{ tool: odd }, { callId: odd }, { edits: odd }]) {
      assert.deepEqual(
        (await store.commits(MAIN, query)).map(({ sequence }) => sequence),
        [index],
        JSON.stringify(query),
      );
    }
    if (odd !== "" && !odd.endsWith("*")) {
      assert.deepEqual(
        (await store.commits(MAIN, { words: [odd] })).map(({ sequence }) => sequence),
        [index],
        JSON.stringify(odd),
      );
    }
  }
  for (const odd of ODD) {
    assert.deepEqual(
      (await store.branches(odd)).map(({ name }) => name),
      [odd, `${odd} fork`],
    );
    assert.deepEqual(await store.head({ thread: odd, branch: odd }), { hash: odd, length: 1 });
    assert.equal(await store.memo(odd), odd);
    assert.equal(await store.forget(odd), true);
    assert.deepEqual(await store.notes({ kind: odd }), []);
  }
  assert.deepEqual(await store.threads(), [{ id: "t", commits: ODD.length, time: 1 }]);
  assert.deepEqual(await store.contents(ODD), new Map(ODD.map((odd) => [odd, odd])));
}

function conformance(kind: StoreKind): void {
  for (const [name, body] of Object.entries({ ...TESTS, ...NOTE_TESTS })) test(name, () => withStore(kind, body));
  test("every query, alone and combined, on a branch and on forks", () => withStore(kind, askAll));
  test("a query that is none is refused", () =>
    withStore(kind, async (store) => {
      for (const query of BAD_QUERIES) await assert.rejects(store.commits(MAIN, query as CommitQuery), { code: "INVALID_OPTION" }, JSON.stringify(query));
    }));
  test("odd text in every field", () => withStore(kind, keepOddText));
}

for (const kind of storeKinds()) describe(kind.kind, () => conformance(kind));
