import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { ContentKind } from "../content/kinds/kind-of.ts";
import { partsOf } from "../content/parts/parts-of-text.ts";
import { hasSameLines, tidy } from "../content/tidy/tidy.ts";
import { WordIndex } from "./word-index.ts";

const token = fc.constantFrom(
  "parseOrder",
  "src/orders/",
  "W123456",
  "plain",
  "words",
  "100",
  "MAX_SIZE",
  '"key":',
  "→",
  "\t",
  "  ",
  "├──",
  "x".repeat(300),
  "É",
  ".ts",
);
const line = fc.array(token, { maxLength: 6 }).map((tokens) => tokens.join(" "));
const numbered = fc.tuple(fc.integer({ min: 95, max: 120 }), fc.constantFrom("→", "\t", ": "), line).map(([number, mark, rest]) => `  ${number}${mark}${rest}`);
const text = fc.array(fc.oneof(line, numbered), { minLength: 1, maxLength: 12 }).map((lines) => lines.join("\n"));
const kind = fc.constantFrom<ContentKind>("text", "code", "log", "listing", "search", "table");

describe("WordIndex", () => {
  test("lines are worth the same whether their words are known or read again", () => {
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), text, kind, (texts, said, asKind) => {
        const index = new WordIndex();
        for (const [piece, read] of texts.entries()) index.addPiece(piece, read, true);
        index.addSaid(1, said, () => undefined);
        for (const [piece, read] of texts.entries()) {
          const tidied = tidy(read, asKind);
          if (!hasSameLines(tidied, read, asKind)) continue;
          const known = partsOf(tidied, asKind, index.familiarityOf(piece, true));
          assert.deepEqual(known.worths, partsOf(tidied, asKind, index.familiarityOf(piece, false)).worths);
        }
      }),
    );
  });

  test("lines are known until the next reading begins", () => {
    const index = new WordIndex();
    index.addPiece(0, "parseOrder reads it", true);
    index.addPiece(1, "parseOrder reads it", false);
    const isKnown = (piece: number): boolean => index.familiarityOf(piece, true).lines !== undefined;
    assert.deepEqual([isKnown(0), isKnown(1)], [true, false]);
    index.beginReading();
    assert.equal(isKnown(0), false);
  });

  test("a piece is used by what tells it apart, said after it came", () => {
    const index = new WordIndex();
    index.addPiece(0, "parseOrder and some words", true);
    index.addPiece(1, "other words", true);
    const used: number[] = [];
    index.addSaid(1, "now parseOrder, with words", (piece) => used.push(piece));
    assert.deepEqual(used, [0]);
  });
});
