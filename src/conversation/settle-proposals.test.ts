import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edit, Proposal } from "../edits/edit.ts";
import { makeEdits } from "../edits/make-edits.ts";
import type { Message } from "../messages/message.ts";
import { DEFAULT_TARGET } from "../messages/target.ts";
import { Conversation } from "./conversation.ts";

const log: readonly Message[] = Array.from({ length: 12 }, (_, number): Message => ({ role: number % 2 === 0 ? "user" : "assistant", content: `${number}` }));
/** A digest names its original in its own text. */
const range = (from: number, to: number, pass = "digest-rounds"): Proposal => ({
  kind: "replace-range",
  from: { position: from, block: 0 },
  to: { position: to, block: 0 },
  role: "user",
  summary: "s",
  pass,
  reason: "",
  madeAt: log.length,
  ...(pass === "digest-rounds" ? { handle: "7f3kq20x" } : {}),
});
const besideEdits = (proposals: readonly Proposal[], beside: readonly Edit[]): readonly Proposal[] => {
  const conversation = new Conversation(DEFAULT_TARGET, { id: "t", log, edits: [], pins: [], seenFrom: 0, steps: [] });
  for (const edit of beside) conversation.accept(edit);
  return conversation.settle(proposals, false);
};
const settled = (proposal: Proposal, beside: readonly Proposal[], undoneAt?: number): number =>
  besideEdits(
    [proposal],
    makeEdits(log, beside).map((edit) => (undoneAt === undefined ? edit : { ...edit, undoneAt })),
  ).length;

const cases: readonly (readonly [string, number, number])[] = [
  ["a range that crosses another is left out", 0, settled(range(1, 8), [range(5, 11, "compress")])],
  ["one around another stays", 1, settled(range(1, 8), [range(3, 5, "compress")])],
  ["one beside another stays", 1, settled(range(1, 5), [range(5, 11, "compress")])],
  ["one that crosses what was taken back stays", 1, settled(range(1, 8), [range(5, 11, "compress")], 12)],
  ["what was taken back is not made again", 0, settled(range(1, 8), [range(1, 7)], 12)],
  ["what somebody else made there and took back is no reason", 1, settled(range(1, 8), [range(1, 7, "compress")], 12)],
];

test("a range that names no original ends where another one begins", () => {
  const [left, ...others] = besideEdits([range(1, 8, "prune-turns")], makeEdits(log, [range(5, 11, "compress")]));
  assert.deepEqual(left, { ...range(1, 5, "prune-turns") });
  assert.deepEqual(others, []);
});

for (const [name, expected, found] of cases) test(name, () => assert.equal(found, expected));

test("places that one note names are dropped together or not at all", () => {
  const place = (from: number, handle: string): Proposal => ({ ...range(from, from + 1, "drop-rounds"), handle });
  const proposals = [place(1, "a-1"), place(3, "a-2"), place(7, "b-1"), place(9, "b-2"), place(5, "c")];
  const beside = makeEdits(log, [range(3, 4, "drop-rounds")]).map((edit) => ({ ...edit, undoneAt: 12 }));
  assert.deepEqual(
    besideEdits(proposals, beside).map(({ handle }) => handle),
    ["b-1", "b-2", "c"],
  );
});
