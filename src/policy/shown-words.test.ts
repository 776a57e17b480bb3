import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { assistant, res, use, user } from "../../test/support/build.ts";
import { AGAIN, NEW, USED } from "../content/words/word-worths.ts";
import type { Message } from "../messages/message.ts";
import { parseLog } from "../messages/parse-messages.ts";
import { Catalogue } from "./catalogue.ts";
import type { Piece } from "./piece.ts";
import { ShownWords } from "./shown-words.ts";

/** A call a word: the result has it, and so has the next call. */
function logOf(words: readonly string[]): Message[] {
  return words.flatMap((word, call): Message[] => [
    assistant(use(`c${call}`, call % 4 === 3 ? "recall" : "read", { of: [words[call - 1] ?? "nothing"], line: 4711 })),
    user(res(`c${call}`, `it has ${word} in line 4711\nand nothing more`)),
  ]);
}

/** Reads the first N messages, then all of them, with the given positions hidden. */
function readTwice(log: readonly Message[], first: number, hiddenFirst: Uint8Array, hidden: Uint8Array): { pieces: readonly Piece[]; words: ShownWords } {
  const catalogue = new Catalogue();
  const words = new ShownWords(catalogue);
  const head = log.slice(0, first);
  catalogue.read(head, parseLog(head).index);
  words.read(head, hiddenFirst);
  catalogue.read(log, parseLog(log).index);
  words.read(log, hidden);
  return { pieces: catalogue.pieces, words };
}

/** Everything that can be asked about shown results. */
function askedOf({ pieces, words }: ReturnType<typeof readTwice>, hidden: Uint8Array): unknown {
  return pieces
    .filter(({ kind, at }) => kind === "result" && hidden[at.position] === 0)
    .map((piece) => {
      const familiarity = words.familiarityOf(piece, false);
      return [piece.number, piece.uses, piece.usedAt, HASHES.map((hash) => familiarity.standingOf(hash))];
    });
}

/** FNV-1a, as words are hashed. */
const hashOf = (word: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
};
const WORDS = ["parseOrder", "MAX_SIZE", "writeOrder", "W123456"];
const HASHES = WORDS.map(hashOf);

describe("ShownWords", () => {
  test("a result is used by what the input of a later call says, and one that was recalled when it comes", () => {
    const log = logOf(["parseOrder", "MAX_SIZE", "writeOrder", "W123456"]);
    const { pieces } = readTwice(log, log.length, new Uint8Array(8), new Uint8Array(8));
    assert.deepEqual(
      pieces.map(({ uses, usedAt }) => [uses, usedAt]),
      [
        [3, 4],
        [2, 4],
        [1, 4],
        [0, 4],
      ],
    );
  });

  test("a word is new in a result whatever other results have, and is used once the assistant has said it since", () => {
    const log = logOf(["parseOrder", "parseOrder", "writeOrder"]);
    const { pieces, words } = readTwice(log, log.length, new Uint8Array(6), new Uint8Array(6));
    const standings = pieces.map((piece) => {
      const familiarity = words.familiarityOf(piece, true);
      return ["parseOrder", "writeOrder", "writeOrder"].map((word) => familiarity.standingOf(hashOf(word)));
    });
    assert.deepEqual(standings, [
      [USED, NEW, AGAIN],
      [USED, NEW, AGAIN],
      [NEW, NEW, AGAIN],
    ]);
  });

  test("what is hidden is not read: what is said later does not use it", () => {
    const log = logOf(["parseOrder", "writeOrder"]);
    const usesWith = (hidden: Uint8Array): unknown => readTwice(log, log.length, hidden, hidden).pieces.map(({ uses }) => uses);
    assert.deepEqual(usesWith(new Uint8Array(4)), [1, 0]);
    assert.deepEqual(usesWith(Uint8Array.from([0, 1, 0, 0])), [0, 0]);
  });

  test("all is as if it had been read at once, whatever was hidden before", () => {
    const masks = (length: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: length, maxLength: length, max: 1 });
    const asked = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).chain((words) => {
      const log = logOf(words);
      return fc.tuple(fc.constant(log), fc.nat({ max: words.length }), masks(log.length), masks(log.length));
    });
    fc.assert(
      fc.property(asked, ([log, pairs, before, hidden]) => {
        const atOnce = readTwice(log, 0, new Uint8Array(0), hidden);
        assert.deepEqual(askedOf(readTwice(log, pairs * 2, before, hidden), hidden), askedOf(atOnce, hidden));
      }),
    );
  });
});
