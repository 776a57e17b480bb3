import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { commitHash, type HashedFields } from "./commit-hash.ts";

const commit: HashedFields = {
  parent: "p",
  kind: "append",
  role: "tool",
  name: "grep",
  callId: "c1",
  isError: true,
  tokens: 7,
  time: 1_700_000_000_000,
  author: "grep",
  reason: "because",
  contentHash: "c",
};

test("a commit's hash is made over this form, and no other", () => {
  const form =
    '{"author":"grep","callId":"c1","contentHash":"c","form":1,"isError":true,"kind":"append","name":"grep","parent":"p","reason":"because","role":"tool","time":1700000000000,"tokens":7}';
  assert.equal(commitHash(commit), createHash("sha256").update(form).digest("hex"));
});

test("every field counts", () => {
  const changes: Partial<HashedFields>[] = [
    { parent: null },
    { kind: "edit" },
    { role: "user" },
    { name: "ls" },
    { calls: [{ id: "a", name: "b" }] },
    { callId: "c2" },
    { edits: "e" },
    { isError: false },
    { tokens: 8 },
    { time: 1 },
    { author: "ls" },
    { reason: "" },
    { contentHash: "d" },
  ];
  const hashes = new Set([commit, ...changes.map((change) => ({ ...commit, ...change }))].map(commitHash));
  assert.equal(hashes.size, changes.length + 1);
});

test("what a store gives back for nothing is nothing", () => {
  const { isError: _, ...rest } = commit;
  assert.equal(commitHash({ ...rest, isError: false, calls: [] }), commitHash(rest));
});
