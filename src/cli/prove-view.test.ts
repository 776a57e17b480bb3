import assert from "node:assert/strict";
import { test } from "node:test";
import { round, user } from "../../test/support/build.ts";
import { makeEdit, type Edit } from "../edits/edit.ts";
import { render } from "../edits/render.ts";
import type { Message } from "../messages/message.ts";
import { proveView } from "./demo/prove-view.ts";

const LOG: readonly Message[] = [user("List the files."), ...round("a", "long ".repeat(100), "bash", { command: "ls" })];
const EDITS: readonly Edit[] = [
  makeEdit({
    kind: "replace-result",
    at: { position: 2, block: 0 },
    callId: "a",
    form: "truncated",
    content: "long",
    pass: "test",
    reason: "test",
    madeAt: 3,
    tokensBefore: 125,
    tokensAfter: 1,
  }),
];

const failing = (log: readonly Message[], view: readonly Message[]): (string | undefined)[] =>
  proveView(log, EDITS, view)
    .filter((proof) => !proof.holds)
    .map((proof) => proof.claim.split(":")[0]);

test("a right view proves everything", () => {
  assert.deepEqual(failing(LOG, render(LOG, EDITS)), []);
});

test("an orphaned call is seen", () => {
  assert.deepEqual(failing(LOG, render(LOG, EDITS).slice(0, 2)), ["Accepted"]);
});

test("an untouched message that was copied is seen", () => {
  assert.deepEqual(failing(LOG, structuredClone(render(LOG, EDITS))), ["Untouched"]);
});
