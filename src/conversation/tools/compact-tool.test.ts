import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { COMPACTED, compactTool, CONTINUE, parseCompactInput } from "./compact-tool.ts";

test("the texts that the model sees", () => {
  assert.equal(COMPACTED, "I compacted the thread");
  assert.equal(CONTINUE, "The thread was compacted. Continue with the task.");
});

describe("the definition", () => {
  test("names what the input may be, and nothing else", () => {
    assert.equal(compactTool.name, "compact");
    assert.deepEqual(compactTool.input_schema.required, ["replacements"]);
    assert.equal(compactTool.input_schema.additionalProperties, false);
    const { items, minItems } = compactTool.input_schema.properties["replacements"] as { minItems: number; items: { properties: object; required: string[] } };
    assert.equal(minItems, 1);
    assert.deepEqual(Object.keys(items.properties), ["from", "to", "summary"]);
    assert.deepEqual(items.required, ["summary"]);
  });

  test("teaches when to use it, how checkpoints work, and what a summary keeps", () => {
    for (const word of [
      "<checkpoint:",
      '"from"',
      '"to"',
      "start of the thread",
      "empty summary deletes",
      "finished",
      "paths",
      "ids",
      "decisions",
      "open",
      "alone in a turn",
    ])
      assert.ok(compactTool.description.includes(word), word);
  });
});

describe("its input", () => {
  const good: Readonly<Record<string, { readonly given: object; readonly read: object }>> = {
    "ids as they are": { given: { from: "abc123", to: "def456", summary: "S." }, read: { from: "abc123", to: "def456", summary: "S." } },
    "ids as they are shown": {
      given: { from: "<checkpoint:abc123>", to: " <checkpoint:def456>\n", summary: "S." },
      read: { from: "abc123", to: "def456", summary: "S." },
    },
    "borders that are null or empty": { given: { from: null, to: "", summary: "S." }, read: { summary: "S." } },
    "a summary as it is": { given: { summary: " <checkpoint:abc123> " }, read: { summary: " <checkpoint:abc123> " } },
    "what is wrong in it, for whoever reads it": { given: { from: 3, note: 1 }, read: { from: 3, note: 1 } },
  };
  for (const [name, { given, read }] of Object.entries(good)) test(name, () => assert.deepEqual(parseCompactInput({ replacements: [given] }), [read]));

  for (const input of [undefined, null, "x", [], {}, { replacements: "all" }, { replacements: {} }, { replacements: [], why: "" }])
    test(`refuses ${JSON.stringify(input) ?? "nothing"}`, () => assert.throws(() => parseCompactInput(input), { code: "INVALID_INPUT" }));
});
