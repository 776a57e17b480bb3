import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CLAUDE_IMAGES, CLAUDE_LARGE_IMAGES, imageTokens, OPENAI_PATCHES, OPENAI_TILES, type ImageFormula } from "./image-tokens.ts";

/** Most are examples of the providers' own pages. */
const ROWS: readonly (readonly [what: string, formula: ImageFormula, width: number, height: number, tokens: number])[] = [
  ["Claude: a pixel is a patch", CLAUDE_IMAGES, 1, 1, 1],
  ["Claude: patches are rounded up", CLAUDE_IMAGES, 29, 57, 2 * 3],
  ["Claude: 200 × 200", CLAUDE_IMAGES, 200, 200, 64],
  ["Claude: 1000 × 1000", CLAUDE_IMAGES, 1000, 1000, 1296],
  ["Claude: the cap", CLAUDE_IMAGES, 1568, 1568, 1568],
  ["Claude: a long image is scaled down first", CLAUDE_IMAGES, 3136, 560, 56 * 10],
  ["Claude: a hair never vanishes", CLAUDE_IMAGES, 100_000, 1, 56],
  ["Claude from 4.7: more pixels", CLAUDE_LARGE_IMAGES, 1568, 1568, 3136],
  ["Claude from 4.7: the cap", CLAUDE_LARGE_IMAGES, 4000, 4000, 4784],
  ["Claude from 4.7: scaled down first", CLAUDE_LARGE_IMAGES, 5152, 56, 92],
  ["tiles: 1024 × 1024", OPENAI_TILES, 1024, 1024, 765],
  ["tiles: 2048 × 4096", OPENAI_TILES, 2048, 4096, 1105],
  ["tiles: never enlarged", OPENAI_TILES, 128, 64, 255],
  ["patches: 1024 × 1024", OPENAI_PATCHES, 1024, 1024, 1024],
  ["patches: 1800 × 2400 is scaled down to whole patches", OPENAI_PATCHES, 1800, 2400, 1452],
  ["patches: exactly at the cap", OPENAI_PATCHES, 2048, 768, 1536],
];

describe("imageTokens", () => {
  for (const [what, formula, width, height, tokens] of ROWS) test(what, () => assert.equal(imageTokens({ width, height }, formula), tokens));

  test("a patch may be more than a token", () => {
    assert.equal(imageTokens({ width: 1024, height: 1024 }, { ...OPENAI_PATCHES, tokensPerPatch: 1.62 } as ImageFormula), 1659);
  });

  test("an unknown size counts as 1,568 tokens, whoever reads it", () => {
    for (const formula of [CLAUDE_IMAGES, CLAUDE_LARGE_IMAGES, OPENAI_TILES, OPENAI_PATCHES]) assert.equal(imageTokens(undefined, formula), 1568);
  });
});
