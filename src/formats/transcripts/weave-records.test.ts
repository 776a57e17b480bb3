import assert from "node:assert/strict";
import { test } from "node:test";
import { weaveRecords, type WrittenRecord } from "./weave-records.ts";

const message = (name: string): object => ({ message: name });
const other = (name: string): object => ({ other: name });
const isMessage = (record: object): boolean => "message" in record;

const [a, b, c] = [message("a"), message("b"), message("c")];
const [open, between, end] = [other("open"), other("between"), other("end")];
const FILE = [open, a, between, b, c, end];
const same = (record: object): WrittenRecord => ({ record, inPlaceOf: record });
const fresh = message("new");

const CASES: readonly (readonly [what: string, written: readonly WrittenRecord[], file: readonly object[]])[] = [
  ["nothing changed", [same(a), same(b), same(c)], FILE],
  ["a message is gone", [same(a), same(c)], [open, a, between, c, end]],
  ["all messages are gone", [], [open, between, end]],
  ["a message is changed in its place", [same(a), { record: fresh, inPlaceOf: b }, same(c)], [open, a, between, fresh, c, end]],
  ["a new message follows the one before it", [same(a), { record: fresh }, same(c)], [open, a, fresh, between, c, end]],
  ["a new message before all others comes after what opens the file", [{ record: fresh }, same(b)], [open, fresh, between, b, end]],
  ["only a new message is left", [{ record: fresh }], [open, fresh, between, end]],
  [
    "two parts of one message",
    [{ record: fresh, inPlaceOf: a }, { record: message("half"), inPlaceOf: a }, same(b)],
    [open, fresh, message("half"), between, b, end],
  ],
  ["what is new follows all that was written before it", [same(c), same(a), { record: fresh }], [open, a, between, c, fresh, end]],
];

for (const [what, written, file] of CASES) {
  test(`records stay where they stood: ${what}`, () => {
    const woven = weaveRecords(FILE, isMessage, written);
    assert.deepEqual(woven, file);
    woven.forEach((record) => assert.ok(FILE.includes(record) || written.some((line) => line.record === record), "the same objects"));
  });
}

test("a file without messages gets them at its end", () => {
  assert.deepEqual(weaveRecords([open, end], isMessage, [{ record: fresh }]), [open, end, fresh]);
});
