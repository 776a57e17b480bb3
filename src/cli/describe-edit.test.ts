import assert from "node:assert/strict";
import { test } from "node:test";
import { assistant, res, use, user } from "../../test/support/build.ts";
import type { Change } from "../edits/change.ts";
import { makeEdit } from "../edits/edit.ts";
import type { Message } from "../messages/message.ts";
import { createEditDescriber } from "./demo/describe-edit.ts";

/** The id "a" is used twice: a result belongs to the nearest call before it. */
const LOG: readonly Message[] = [
  user("Go."),
  assistant("Both.", use("a", "read", { limit: 5, path: "one.ts" }), use("b", "now")),
  user(res("b"), res("a")),
  assistant(use("a", "bash", { command: "ls" })),
  user(res("a"), res("orphan")),
];
const describe = createEditDescriber(LOG);

const CASES: readonly (readonly [string, Change, number, string])[] = [
  ["a result of parallel calls", { kind: "replace-result", at: { position: 2, block: 1 }, callId: "a", form: "stub", content: "" }, 2, "read one.ts"],
  ["a call without text arguments", { kind: "replace-result", at: { position: 2, block: 0 }, callId: "b", form: "stub", content: "" }, 2, "now"],
  ["an id that repeats", { kind: "replace-result", at: { position: 4, block: 0 }, callId: "a", form: "stub", content: "" }, 4, "bash ls"],
  ["a result without a call", { kind: "replace-result", at: { position: 4, block: 1 }, callId: "orphan", form: "stub", content: "" }, 4, "tool result"],
  ["an argument", { kind: "replace-input", at: { position: 3, block: 0 }, input: {} }, 3, "bash ls"],
  ["a round of two calls", { kind: "collapse-round", call: 1, lastResult: 2, note: "" }, 1, "read one.ts and 1 more"],
  ["a round of one call", { kind: "collapse-round", call: 3, lastResult: 4, note: "" }, 3, "bash ls"],
  ["a range", { kind: "replace-range", from: { position: 1, block: 0 }, to: { position: 3, block: 0 }, role: "user", summary: "" }, 1, "messages up to 3"],
  ["blocks", { kind: "strip-blocks", at: [{ position: 1, block: 0 }] }, 1, "1 block"],
  ["a text", { kind: "replace-block", at: { position: 1, block: 0 }, text: "" }, 1, "text block"],
  ["a call that becomes text", { kind: "replace-block", at: { position: 3, block: 0 }, text: "" }, 3, "bash ls"],
];

for (const [name, change, position, what] of CASES) {
  test(`${name} is described`, () => {
    const edit = makeEdit({ ...change, pass: "test", reason: "test", madeAt: LOG.length, tokensBefore: 1, tokensAfter: 0 });
    assert.deepEqual(describe(edit), { position, what });
  });
}
