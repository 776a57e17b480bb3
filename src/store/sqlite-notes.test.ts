import assert from "node:assert/strict";
import { test } from "node:test";
import { parseNoteQuery } from "./note-input.ts";
import { SqliteDatabase } from "./sqlite-database.ts";
import { selectNotes } from "./sqlite-notes.ts";
import type { NoteQuery } from "./store.ts";

/** How SQLite finds the notes: which of the equal and ordered columns of an index it uses. */
const PLANS: readonly (readonly [Omit<NoteQuery, "kind">, RegExp])[] = [
  [{ thread: "t" }, /PRIMARY KEY \(thread=\? AND kind=\?\)/],
  [{ thread: "t", newestFirst: true, limit: 1 }, /PRIMARY KEY \(thread=\? AND kind=\?\)/],
  [{ thread: "t", prefix: "a" }, /PRIMARY KEY \(thread=\? AND kind=\? AND key>\? AND key<\?\)/],
  [{ thread: "t", after: { thread: "t", key: "a", at: 1 } }, /PRIMARY KEY \(thread=\? AND kind=\? AND key>\?\)/],
  [{ thread: "t", keys: ["a", "b"] }, /PRIMARY KEY \(thread=\? AND kind=\? AND key=\?\)/],
  [{ keys: ["a", "b"] }, /palimpsest_notes_by_key \(kind=\? AND key=\?\)/],
  [{ keys: ["a"], after: { thread: "t", key: "a", at: 1 } }, /palimpsest_notes_by_key \(kind=\? AND key=\?\)/],
  [{}, /palimpsest_notes_by_time \(kind=\?\)/],
  [{ newestFirst: true, limit: 1 }, /palimpsest_notes_by_time \(kind=\?\)/],
  [{ after: { thread: "t", key: "a", at: 1 } }, /palimpsest_notes_by_time \(kind=\? AND \(at,thread,key\)>\(\?,\?,\?\)\)/],
];

test("every query for notes is answered by an index, in whose order they are where that is the order asked for", async () => {
  const db = await SqliteDatabase.open(":memory:");
  const explained = { all: (sql: string, ...values: string[]) => db.all(`EXPLAIN QUERY PLAN ${sql}`, ...values) } as unknown as SqliteDatabase;
  for (const [query, expected] of PLANS) {
    const steps = selectNotes(explained, parseNoteQuery({ kind: "k", ...query }), 10, 0) as unknown as { readonly detail: string }[];
    const plan = steps.map(({ detail }) => detail).join("; ");
    assert.match(plan, expected, JSON.stringify(query));
    const isSorted = query.keys !== undefined && query.thread === undefined;
    assert.equal(plan.includes("TEMP B-TREE"), isSorted, `${JSON.stringify(query)}: ${plan}`);
  }
  db.close();
});
