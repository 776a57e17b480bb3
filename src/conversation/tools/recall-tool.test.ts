import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handleNote } from "../../passes/handle.ts";
import { parseRecallInput, recallTool } from "./recall-tool.ts";

test("a handle is named in one form", () => {
  assert.equal(handleNote("7f3kq20x"), "[recall handle: 7f3kq20x]");
  assert.ok(recallTool.description.includes(handleNote("7f3kq20x")));
});

test("the definition names what the input may be", () => {
  assert.equal(recallTool.name, "recall");
  assert.deepEqual(Object.keys(recallTool.input_schema.properties), ["handle", "lines", "records", "grep", "maxTokens"]);
  assert.deepEqual(recallTool.input_schema.required, ["handle"]);
});

describe("its input", () => {
  const all = { handle: "h", lines: undefined, records: undefined, grep: undefined, maxTokens: 4_000 };
  const good: Readonly<Record<string, { readonly given: object; readonly read: object }>> = {
    "a handle": { given: { handle: " h " }, read: all },
    "a handle as it is named": { given: { handle: "[recall handle: 7f3kq20x]" }, read: { ...all, handle: "7f3kq20x" } },
    "a checkpoint as it is shown": { given: { handle: "<checkpoint:abc123>" }, read: { ...all, handle: "abc123" } },
    "a range": { given: { handle: "h", lines: "3-9" }, read: { ...all, lines: { from: 3, to: 9 } } },
    "a range with blanks": { given: { handle: "h", lines: " 3 - 9 " }, read: { ...all, lines: { from: 3, to: 9 } } },
    "an open range": { given: { handle: "h", lines: "3-" }, read: { ...all, lines: { from: 3, to: Infinity } } },
    "a number": { given: { handle: "h", lines: 3 }, read: { ...all, lines: { from: 3, to: 3 } } },
    "the dash of the view": { given: { handle: "h", records: "3–80" }, read: { ...all, records: { from: 3, to: 80 } } },
    "records of a list": { given: { handle: "h", records: "3-" }, read: { ...all, records: { from: 3, to: Infinity } } },
    "one line": { given: { handle: "h", lines: "3" }, read: { ...all, lines: { from: 3, to: 3 } } },
    "what is null or empty is left out": { given: { handle: "h", lines: null, grep: "", maxTokens: null }, read: all },
    "a pattern and a limit": { given: { handle: "h", grep: "x", maxTokens: 9 }, read: { ...all, grep: "x", maxTokens: 9 } },
  };
  for (const [name, { given, read }] of Object.entries(good)) test(name, () => assert.deepEqual(parseRecallInput(given), read));

  const bad: readonly unknown[] = [
    undefined,
    "h",
    {},
    { handle: "" },
    { handle: " " },
    { handle: 3 },
    ...["0-3", "4-3", "-3", "a", "1-2-3", "1.5", 1.5, 0, [1, 2]].flatMap((range) => [
      { handle: "h", lines: range },
      { handle: "h", records: range },
    ]),
    { handle: "h", lines: "1", records: "1" },
    { handle: "h", grep: 3 },
    ...[0, -1, 1.5, "9", Infinity].map((maxTokens) => ({ handle: "h", maxTokens })),
    { handle: "h", line: "3" },
  ];
  for (const input of bad) test(`refuses ${JSON.stringify(input) ?? "nothing"}`, () => assert.throws(() => parseRecallInput(input), { code: "INVALID_INPUT" }));
});
