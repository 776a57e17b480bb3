import assert from "node:assert/strict";
import { test } from "node:test";
import { canonicalJson } from "./canonical-json.ts";

const cases: readonly (readonly [unknown, string])[] = [
  [{ b: 1, a: { d: [2, { z: null, y: true }], c: "x" } }, '{"a":{"c":"x","d":[2,{"y":true,"z":null}]},"b":1}'],
  [{ a: undefined, b: "" }, '{"b":""}'],
  [{ 10: "ten", 9: "nine", B: 1, a: 2, é: 3 }, '{"10":"ten","9":"nine","B":1,"a":2,"é":3}'],
  [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  ["line\n\ud800\u0000", '"line\\n\\ud800\\u0000"'],
  [[], "[]"],
  [-0, "0"],
];

for (const [value, text] of cases) test(text, () => assert.equal(canonicalJson(value), text));
