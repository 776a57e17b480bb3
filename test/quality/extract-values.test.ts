import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { valuesInArguments, valuesInText } from "../../bench/quality/measure/extract-values.ts";

const KINDS: Readonly<Record<string, readonly [text: string, value: string]>> = {
  "a link, without the full stop after it": ["see https://example.com/a/b?c=1.", "https://example.com/a/b?c=1"],
  "an address": ["mail jo.doe@example.com now", "jo.doe@example.com"],
  "a UUID": ["id 3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3f2504e0-4f89-11d3-9a0c-0305e82c3301"],
  "a hash": ["commit deadbe1", "deadbe1"],
  "a path": ["cat /repo/src/main.ts", "/repo/src/main.ts"],
  "a relative path": ["cat src/lib/main", "src/lib/main"],
  "a file": ["open README.md", "README.md"],
  "a mixed id": ["user mia_li_3668", "mia_li_3668"],
  "a short mixed id": ["seat HAT12", "HAT12"],
  "a snake identifier": ["call read_all now", "read_all"],
  "a camel identifier": ["call readAll now", "readAll"],
  "a number": ["port 8080", "8080"],
};

describe("values in a text", () => {
  for (const [kind, [text, value]] of Object.entries(KINDS)) test(kind, () => assert.ok(valuesInText(text).has(value), [...valuesInText(text)].join(", ")));

  test("plain words and small numbers are none", () => assert.deepEqual([...valuesInText("the cat sat on 12 mats")], []));
  test("a hash needs a digit and a letter", () => assert.ok(!valuesInText("deadbeef").has("deadbeef")));
});

describe("values in arguments", () => {
  test("whole scalars of 4 to 120 characters", () => {
    const values = valuesInArguments({ query: "two words", short: "abc", long: "x".repeat(121), count: 1234, small: 12 });
    assert.deepEqual([...values].toSorted(), ["1234", "two words"]);
  });
  test("leaves of JSON in a string", () => assert.ok(valuesInArguments({ arguments: '{"path":"/tmp/file_one.txt"}' }).has("/tmp/file_one.txt")));
  test("lines of 12 characters or more that an edit repeats", () => {
    const values = valuesInArguments({ old_string: "if (a) {\n    return the value;\n}", new_string: "never seen before\nnor this one" });
    assert.ok(values.has("return the value;") && !values.has("if (a) {") && !values.has("nor this one"));
  });
  test("of a patch the lines that are there already", () => {
    const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n const kept = first;\n-const gone = second;\n+const made = third;\n*** End Patch";
    const values = valuesInArguments({ input: patch });
    assert.ok(values.has("const kept = first;") && values.has("const gone = second;") && !values.has("const made = third;"));
  });
});
