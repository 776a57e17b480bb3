import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CAMEL, CAPITALS, FILE, FOLDER, forEachWord, HEX, LONG, LONG_NAME, LONG_NUMBER, MIXED, NAME, NUMBER, PLAIN, SNAKE } from "./words.ts";

function shapesIn(text: string): number[] {
  const shapes: number[] = [];
  forEachWord(text, 0, text.length, (_, shape) => shapes.push(shape));
  return shapes;
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

describe("forEachWord", () => {
  for (const [text, shapes] of CASES) test(JSON.stringify(text.slice(0, 40)), () => assert.deepEqual(shapesIn(text), shapes));

  test("a word has the same hash wherever it stands, and only the part that was asked for is read", () => {
    const hashes: number[] = [];
    forEachWord("say parseIt(parseIt, parseItNot)", 4, 27, (hash) => hashes.push(hash));
    assert.equal(hashes.length, 3);
    assert.equal(hashes[0], hashes[1]);
    assert.notEqual(hashes[1], hashes[2]);
  });
});
