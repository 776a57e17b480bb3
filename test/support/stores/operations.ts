import fc from "fast-check";
import type { BranchRef, CommitQuery, Note, NoteQuery, Store } from "../../../src/store/store.ts";
import { chain, sha256, type CommitSpec } from "./commits.ts";

/** Something done to a store, and its answer. Which head is expected is found by asking the store itself. */
export interface Operation {
  readonly says: string;
  readonly run: (store: Store) => Promise<unknown>;
}

// Few of each, so that operations meet: the same names, the same contents, the same commits on several branches.
const THREADS = ["a", "b", "\u0000"];
const BRANCHES = ["main", "x", "😀\ud83d"];
const TOOLS = ["read", "bash", "a'b"];
const CALL_IDS = ["c1", "c2", "\u0000"];
const TEXTS = ["", "one", "two", "half \ud83d", "long ".repeat(500)];
const WORDS = ["parser", "parse", "pärser", "a-b", "a_b", "語", "\u0000", "it's"];
const QUERY_WORDS = [...WORDS, "par*", "p*", "a*", "語*", "nowhere", ""];

const ref: fc.Arbitrary<BranchRef> = fc.record({ thread: fc.constantFrom(...THREADS), branch: fc.constantFrom(...BRANCHES) });
const small = fc.nat({ max: 8 });

const call = fc.record({ id: fc.constantFrom(...CALL_IDS), name: fc.constantFrom(...TOOLS) });
const spec: fc.Arbitrary<CommitSpec> = fc.record(
  {
    text: fc.constantFrom(...TEXTS),
    kind: fc.constantFrom("append", "edit"),
    role: fc.constantFrom("user", "assistant", "tool"),
    name: fc.constantFrom(...TOOLS),
    calls: fc.array(call, { maxLength: 2 }),
    callId: fc.constantFrom(...CALL_IDS),
    edits: fc.constantFrom("e1", "e2"),
    isError: fc.boolean(),
    tokens: fc.constantFrom(0, 1, 10, 100),
    time: fc.constantFrom(1, 50, 100),
    reason: fc.constantFrom("", "why"),
  },
  { requiredKeys: [] },
);

/** Words belong to a content: the same ones whenever it comes. */
function withWords({ text = "text", ...fields }: CommitSpec): CommitSpec {
  const seed = Number.parseInt(sha256(text).slice(0, 4), 16);
  return { ...fields, text, search: WORDS.filter((_, index) => (seed >> index) % 2 === 1) };
}

const query: fc.Arbitrary<CommitQuery> = fc.record(
  {
    from: small,
    to: small,
    limit: small,
    newestFirst: fc.boolean(),
    kind: fc.constantFrom("append", "edit"),
    role: fc.constantFrom("user", "assistant", "tool"),
    tool: fc.constantFrom(...TOOLS),
    callId: fc.constantFrom(...CALL_IDS),
    edits: fc.constantFrom("e1", "e2"),
    minTokens: fc.constantFrom(0, 1, 10, 100),
    errorsOnly: fc.boolean(),
    words: fc.array(fc.constantFrom(...QUERY_WORDS), { maxLength: 2 }),
  },
  { requiredKeys: [] },
);

const KINDS = ["call", "\ud83d"];
const KEYS = ["", "a", "a/1", "a/10", "a/2", "a\u0000", "b\u{10ffff}", "b\uffee", "b😀", "b\ud83d"];

const note: fc.Arbitrary<Note> = fc.record({
  thread: fc.constantFrom(...THREADS),
  kind: fc.constantFrom(...KINDS),
  key: fc.constantFrom(...KEYS),
  at: fc.constantFrom(0, 1, 50, 100),
  value: fc.constantFrom(...TEXTS),
});

const noteQuery: fc.Arbitrary<NoteQuery> = fc.record(
  {
    kind: fc.constantFrom(...KINDS),
    thread: fc.constantFrom(...THREADS),
    keys: fc.array(fc.constantFrom(...KEYS, "nowhere"), { maxLength: 4 }),
    prefix: fc.constantFrom("", "a", "a/", "b", "b\u{10ffff}", "\ud83d"),
    after: fc.record({ thread: fc.constantFrom(...THREADS), key: fc.constantFrom(...KEYS), at: fc.constantFrom(0, 1, 2, 50) }),
    limit: small,
    newestFirst: fc.boolean(),
  },
  { requiredKeys: ["kind"] },
);

const append = fc
  .record({
    at: ref,
    specs: fc.array(spec, { maxLength: 3 }),
    expected: fc.constantFrom("head", "head", "head", "null", "another"),
    notes: fc.option(fc.array(note, { maxLength: 2 }), { nil: undefined }),
  })
  .map(({ at, specs, expected, notes }): Operation => {
    const parentOf = async (store: Store): Promise<string | null> => {
      if (expected === "head") return (await store.head(at))?.hash ?? null;
      return expected === "null" ? null : expected;
    };
    return {
      says: `append ${JSON.stringify({ at, expected, specs, notes })}`,
      run: async (store) => {
        const parent = await parentOf(store);
        return store.append(at, parent, chain(parent, ...specs.map(withWords)), notes);
      },
    };
  });

const plain = <T>(name: string, values: fc.Arbitrary<T>, run: (store: Store, value: T) => Promise<unknown>): fc.Arbitrary<Operation> =>
  values.map((value) => ({ says: `${name} ${JSON.stringify(value)}`, run: (store) => run(store, value) }));

const HASHES = [...TEXTS, "text"].map(sha256);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: append },
  {
    weight: 3,
    arbitrary: plain("fork", fc.record({ from: ref, length: fc.nat({ max: 4 }), name: fc.constantFrom(...BRANCHES) }), (store, { from, length, name }) =>
      store.fork(from, length, name),
    ),
  },
  { weight: 8, arbitrary: plain("commits", fc.record({ at: ref, query }), (store, value) => store.commits(value.at, value.query)) },
  {
    weight: 2,
    arbitrary: plain("addStep", fc.record({ at: ref, length: fc.nat({ max: 4 }), value: fc.constantFrom(...TEXTS) }), (store, { at, length, value }) =>
      store.addStep(at, { length, value }).catch((error: unknown) => String(error)),
    ),
  },
  { weight: 2, arbitrary: plain("steps", ref, (store, at) => store.steps(at)) },
  { weight: 4, arbitrary: plain("putNotes", fc.array(note, { maxLength: 4 }), (store, notes) => store.putNotes(notes)) },
  { weight: 8, arbitrary: plain("notes", noteQuery, (store, value) => store.notes(value)) },
  {
    weight: 1,
    arbitrary: plain(
      "dropNotes",
      fc.record({ kind: fc.constantFrom(...KINDS), time: fc.constantFrom(0, 1, 60, 101), thread: fc.option(fc.constantFrom(...THREADS), { nil: undefined }) }),
      (store, { kind, time, thread }) => store.dropNotes(kind, time, thread),
    ),
  },
  {
    weight: 1,
    arbitrary: plain("rename", fc.record({ from: fc.constantFrom(...THREADS), to: fc.constantFrom(...THREADS) }), (store, { from, to }) =>
      store.rename(from, to),
    ),
  },
  { weight: 1, arbitrary: plain("branches", fc.constantFrom(...THREADS), (store, thread) => store.branches(thread)) },
  {
    weight: 1,
    arbitrary: plain("threads", fc.record({ limit: small, after: fc.constantFrom(...THREADS) }, { requiredKeys: [] }), (store, page) => store.threads(page)),
  },
  {
    weight: 1,
    arbitrary: plain(
      "byHash",
      fc.record({ thread: fc.constantFrom(...THREADS), prefix: fc.constantFrom("", "0", "a", "f"), limit: small }),
      (store, { thread, prefix, limit }) => store.byHash(thread, prefix, limit),
    ),
  },
  { weight: 1, arbitrary: plain("contents", fc.constant(HASHES), async (store, hashes) => [...(await store.contents(hashes))].sort()) },
  { weight: 1, arbitrary: plain("forget", fc.constantFrom(...THREADS), (store, thread) => store.forget(thread)) },
  { weight: 1, arbitrary: plain("retain", fc.constantFrom(0, 2, 60, 101), (store, time) => store.retain(time)) },
);

export const operations: fc.Arbitrary<Operation[]> = fc.array(operation, { minLength: 10, maxLength: 30, size: "max" });

/** All that can be seen of a store. */
export async function everythingIn(store: Store): Promise<unknown> {
  const threads = await store.threads();
  const branches = await Promise.all(threads.map(async ({ id }) => ({ id, branches: await store.branches(id), commits: await store.byHash(id, "", 1000) })));
  const refs = branches.flatMap(({ id, branches: list }) => list.map(({ name }) => ({ thread: id, branch: name })));
  const seen = await Promise.all(refs.map(async (at) => ({ at, commits: await store.commits(at), steps: await store.steps(at), head: await store.head(at) })));
  const notes = await Promise.all(KINDS.map((kind) => store.notes({ kind })));
  return { threads, branches, seen, contents: [...(await store.contents(HASHES))].sort(), notes: notes.flat() };
}
