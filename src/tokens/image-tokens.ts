import type { ImageSize } from "./image-size.ts";

/** How a provider turns the size of an image into tokens. */
export type ImageFormula = CappedPatches | ScaledPatches | Tiles;

/** Anthropic: the image is covered with squares of one token each, up to a limit. A larger image is scaled down first. */
interface CappedPatches {
  readonly kind: "capped-patches";
  readonly mostTokens: number;
  readonly longestPixels: number;
}

/** OpenAI, smaller and newer models: an image that needs too many squares is scaled down. A square may cost more than one token. */
interface ScaledPatches {
  readonly kind: "scaled-patches";
  readonly mostPatches: number;
  readonly tokensPerPatch: number;
}

/** OpenAI, gpt-4o and similar models: a few large squares. */
interface Tiles {
  readonly kind: "tiles";
  readonly baseTokens: number;
  readonly tileTokens: number;
}

/** Claude up to 4.6 (G). */
export const CLAUDE_IMAGES: ImageFormula = { kind: "capped-patches", mostTokens: 1_568, longestPixels: 1_568 };
/** Claude from 4.7 on (G). */
export const CLAUDE_LARGE_IMAGES: ImageFormula = { kind: "capped-patches", mostTokens: 4_784, longestPixels: 2_576 };
/** gpt-4o, gpt-4.1 and gpt-4.5. */
export const OPENAI_TILES: ImageFormula = { kind: "tiles", baseTokens: 85, tileTokens: 170 };
/** Without the factor that OpenAI documents for some models, such as 1.62 tokens per patch for gpt-4.1-mini. */
export const OPENAI_PATCHES: ImageFormula = { kind: "scaled-patches", mostPatches: 1_536, tokensPerPatch: 1 };

/** An image of unknown size counts as much as the largest image of Claude up to 4.6. */
export const UNKNOWN_IMAGE_TOKENS = 1_568;

const ANTHROPIC_PATCH_PIXELS = 28;
const OPENAI_PATCH_PIXELS = 32;
const OPENAI_TILE_PIXELS = 512;
/** Before tiling, an image is scaled to fit this square, and its shorter side to fit this length. */
const TILED_SQUARE_PIXELS = 2_048;
const TILED_SHORT_SIDE_PIXELS = 768;

export function imageTokens(size: ImageSize | undefined, formula: ImageFormula): number {
  if (size === undefined) return UNKNOWN_IMAGE_TOKENS;
  switch (formula.kind) {
    case "capped-patches":
      return Math.min(formula.mostTokens, squares(fitted(size, formula.longestPixels), ANTHROPIC_PATCH_PIXELS));
    case "scaled-patches":
      return Math.ceil(squares(scaledTo(size, formula.mostPatches), OPENAI_PATCH_PIXELS) * formula.tokensPerPatch);
    case "tiles": {
      const inSquare = fitted(size, TILED_SQUARE_PIXELS);
      const scaled = shrunk(inSquare, TILED_SHORT_SIDE_PIXELS / Math.min(inSquare.width, inSquare.height));
      return formula.baseTokens + formula.tileTokens * squares(scaled, OPENAI_TILE_PIXELS);
    }
  }
}

/** Scales down to the area of N patches, and then further until both sides are whole patches. */
function scaledTo(size: ImageSize, mostPatches: number): ImageSize {
  if (squares(size, OPENAI_PATCH_PIXELS) <= mostPatches) return size;
  const [across, down] = [size.width / OPENAI_PATCH_PIXELS, size.height / OPENAI_PATCH_PIXELS];
  const scale = Math.sqrt(mostPatches / (across * down));
  return shrunk(size, Math.min(Math.floor(across * scale) / across, Math.floor(down * scale) / down));
}

function fitted(size: ImageSize, longestPixels: number): ImageSize {
  return shrunk(size, longestPixels / Math.max(size.width, size.height));
}

/** Scales down, never up and never to zero. */
function shrunk({ width, height }: ImageSize, scale: number): ImageSize {
  return scale >= 1 ? { width, height } : { width: Math.max(1, width * scale), height: Math.max(1, height * scale) };
}

/** Counts the squares that cover the image. Ignores rounding errors of scaling (…0001), which would add a square. */
function squares({ width, height }: ImageSize, pixels: number): number {
  const count = (side: number): number => Math.ceil(side / pixels - 1e-9);
  return count(width) * count(height);
}
