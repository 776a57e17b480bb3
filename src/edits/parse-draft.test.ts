import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text } from "../../test/support/build.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { makeEdit } from "./edit.ts";
import { parseDraft } from "./parse-draft.ts";

const at = { position: 1, block: 0 };
const madeAt = 2;

/** A valid draft of every kind. */
const WHOLE: Readonly<Record<string, object>> = {
  "replace-result": { kind: "replace-result", madeAt, at, content: "short" },
  "replace-result, of blocks": { kind: "replace-result", madeAt, at, content: [text("short")] },
  "replace-input": { kind: "replace-input", madeAt, at, input: { path: "a" } },
  "collapse-round": { kind: "collapse-round", madeAt, call: 0, lastResult: 1, note: "" },
  "replace-range": { kind: "replace-range", madeAt, from: at, to: { position: 2, block: 0 }, role: "user", summary: "" },
  "strip-blocks": { kind: "strip-blocks", madeAt, at: [at, { position: 2, block: 3 }] },
  "replace-block": { kind: "replace-block", madeAt, at, text: "" },
};

const PLACE = "a place { position, block }";
const CONTENT = "a string or an array of blocks";
const KINDS = "one of replace-result, replace-input, collapse-round, replace-range, strip-blocks, replace-block";

/** What is changed in a valid draft, and the expected error. */
const BROKEN: readonly (readonly [kind: string, change: object, path: string, expected: string])[] = [
  ["replace-result", { kind: "replace-all" }, "kind", KINDS],
  ["replace-result", { kind: "constructor" }, "kind", KINDS],
  ["replace-result", { kind: ["replace-result"] }, "kind", KINDS],
  ["replace-result", { kind: undefined }, "kind", KINDS],
  ["replace-result", { madeAt: undefined }, "madeAt", "a length of the log"],
  ["replace-result", { madeAt: -1 }, "madeAt", "a length of the log"],
  ["replace-result", { at: undefined }, "at", PLACE],
  ["replace-result", { at: 1 }, "at", PLACE],
  ["replace-result", { at: { position: 1 } }, "at", PLACE],
  ["replace-result", { at: { block: 0 } }, "at", PLACE],
  ["replace-result", { at: { position: 0.5, block: 0 } }, "at", PLACE],
  ["replace-result", { content: undefined }, "content", CONTENT],
  ["replace-result", { content: 7 }, "content", CONTENT],
  ["replace-result", { content: ["short"] }, "content", CONTENT],
  ["replace-input", { at: null }, "at", PLACE],
  ["replace-input", { input: "{}" }, "input", "an object"],
  ["replace-input", { input: undefined }, "input", "an object"],
  ["collapse-round", { call: "0" }, "call", "a whole number, 0 or more"],
  ["collapse-round", { lastResult: undefined }, "lastResult", "a whole number, 0 or more"],
  ["collapse-round", { note: undefined }, "note", "a string"],
  ["replace-range", { from: {} }, "from", PLACE],
  ["replace-range", { to: undefined }, "to", PLACE],
  ["replace-range", { role: 1 }, "role", "a string"],
  ["replace-range", { summary: ["S."] }, "summary", "a string"],
  ["strip-blocks", { at }, "at", "a list of places"],
  ["strip-blocks", { at: [at, 1] }, "at", "a list of places"],
  ["strip-blocks", { at: Object.assign(new Array<object>(2), [at]) }, "at", "a list of places"],
  ["replace-block", { at: undefined }, "at", PLACE],
  ["replace-block", { text: undefined }, "text", "a string"],
];

describe("a draft of which no id can be made", () => {
  for (const [kind, change, path, expected] of BROKEN) {
    test(`is refused by its own path: ${kind}, ${JSON.stringify(change)}`, () => {
      const draft = { ...WHOLE[kind], ...change };
      assert.throws(
        () => parseDraft(draft),
        (error) =>
          PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT" && error.message.startsWith(`draft.${path}: expected ${expected}, found`),
      );
      assert.throws(() => makeEdit(draft as never), { code: "INVALID_INPUT" });
    });
  }

  for (const draft of [undefined, null, 7, "replace-range", [at]])
    test(`is no object: ${JSON.stringify(draft)}`, () => {
      assert.throws(() => parseDraft(draft), { code: "INVALID_INPUT", message: /^draft: expected an edit without its id/ });
    });
});

describe("a whole draft", () => {
  for (const [kind, draft] of Object.entries(WHOLE))
    test(`is taken: ${kind}`, () => {
      parseDraft(draft);
      assert.match(makeEdit(draft as never).id, /^[0-9a-f]{16}$/);
    });
});
