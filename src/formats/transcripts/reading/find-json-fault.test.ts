import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findJsonFault } from "./find-json-fault.ts";

const CUT = "it ends before its JSON is complete";
const WRONG = "it is not JSON from there on";
const NONE = "it is not JSON";

describe("the place where JSON ends to be JSON is named", () => {
  const CASES: readonly (readonly [text: string, reason: string, offset: number, line: number])[] = [
    ["hello", NONE, 0, 1],
    ["  \n hello", NONE, 4, 2],
    ["", NONE, 0, 1],
    ["nope", NONE, 0, 1],
    ['{"a": 1', CUT, 7, 1],
    ['{"a": "text that goes on', CUT, 24, 1],
    ['{"a": "escape \\', CUT, 15, 1],
    ['{"a": "escape \\u00', CUT, 18, 1],
    ['{"a": tru', CUT, 9, 1],
    ['{"a": 12.', CUT, 9, 1],
    ['[1, 2,\n [3, {"a":\n', CUT, 18, 3],
    ['{"a": 1,}', WRONG, 8, 1],
    ["[1, 2,]", WRONG, 6, 1],
    ["[1 2]", WRONG, 3, 1],
    ['{"a" 1}', WRONG, 5, 1],
    ['{\n  "a": 1,\n  b: 2\n}', WRONG, 14, 3],
    ['{"a": 1}\n{"b": 2}', WRONG, 9, 2],
    ['{"a": "raw \n break"}', WRONG, 6, 1],
    ['{"a": "bad \\q escape"}', WRONG, 6, 1],
    ['{"a": [}', WRONG, 7, 1],
    ['{"a": NaN}', WRONG, 6, 1],
    ["[1]]", WRONG, 3, 1],
  ];
  for (const [text, reason, offset, line] of CASES) {
    test(JSON.stringify(text), () => {
      assert.throws(() => JSON.parse(text), SyntaxError, "the platform refuses it as well");
      assert.deepEqual(findJsonFault(text), { reason, offset, line });
    });
  }

  test("in a long string without end, without a deep stack", () => {
    assert.equal(findJsonFault(`{"a": "${"x\\n".repeat(2_000_000)}`).reason, CUT);
  });
});
