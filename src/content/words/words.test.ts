import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CAMEL, CAPITALS, FILE, FOLDER, HEX, LONG, LONG_NAME, LONG_NUMBER, MIXED, NAME, NUMBER, PLAIN, SNAKE, Words } from "./words.ts";

function shapesIn(text: string): number[] {
  const words = new Words();
  words.read(text, 0, text.length);
  return [...words.shapes.subarray(0, words.count)];
}

const CASES: readonly (readonly [text: string, shapes: readonly number[]])[] = [
  ["123 of 12345", [NUMBER, LONG_NUMBER]],
  ["parseIt snake_case $scope_a", [CAMEL, SNAKE, SNAKE]],
  ["deadbee1 sha256 BC7", [HEX, MIXED, PLAIN]],
  ["index.ts some/libs/ MAX", [FILE, FOLDER, FOLDER, PLAIN]],
  ["TIMEOUT Anna Bartholomew", [CAPITALS, NAME, LONG_NAME]],
  ["some considerable words", [PLAIN, LONG, PLAIN]],
  ['{"order_id":"W123","name":null}', [MIXED, PLAIN]],
  ["a bb 12 =>", []],
  ["x".repeat(61), []],
  ["Überschrift größte 東京都庁", [LONG, PLAIN, PLAIN]],
];

describe("Words", () => {
  for (const [text, shapes] of CASES) test(JSON.stringify(text.slice(0, 40)), () => assert.deepEqual(shapesIn(text), shapes));

  test("a word has the same hash wherever it stands, and only the part that was asked for is read", () => {
    const words = new Words();
    words.read("say parseIt(parseIt, parseItNot)", 4, 27);
    assert.deepEqual([...words.starts.subarray(0, words.count)], [4, 12, 21]);
    assert.deepEqual([...words.lengths.subarray(0, words.count)], [7, 7, 6]);
    assert.equal(words.hashes[0], words.hashes[1]);
    assert.notEqual(words.hashes[1], words.hashes[2]);
  });

  test("there is room for all words of a long text", () => {
    const words = new Words();
    words.read("abc ".repeat(5_000), 0, 20_000);
    assert.equal(words.count, 5_000);
    assert.equal(words.starts[4_999], 19_996);
  });
});
