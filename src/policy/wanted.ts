import type { Catalogue } from "./catalogue.ts";
import { FULL, SKELETON, STUB, type Level, type Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";

/** A piece that may be shown shorter now, and how short. */
export interface Wanted {
  readonly piece: Piece;
  readonly level: Level;
  readonly tokens: number;
}

/** What one line takes. */
const STUB_TOKENS = 40;
/** Less than this share saved is not worth an edit. */
const WORTH_SHARE = 0.8;

/**
 * What a batch could shorten: pieces outside of the tail, in the order of the log. A stronger one has a smaller tail, keeps less, and
 * leaves one line of what was never used since.
 */
export function wantedOf(catalogue: Catalogue, shown: readonly number[], options: ParsedPolicy, strength: 0 | 1 | 2): Wanted[] {
  const { minResultTokens, inputTokens, keptPercent, stubTokens, tools } = options;
  const tailTokens = options.tailTokens / 4 ** strength;
  const lastTurns = catalogue.startOfLast(strength === 0 ? options.tailTurns : Math.min(1, options.tailTurns));
  const wanted: Wanted[] = [];
  let behind = 0;
  let position = shown.length;
  for (let number = catalogue.pieces.length - 1; number >= 0; number--) {
    const piece = catalogue.pieces[number];
    if (piece === undefined) continue;
    // Pieces come in the order of the log: what lies behind one is added up once.
    for (; position > piece.at.position + 1; position--) behind += shown[position - 1] ?? 0;
    // Where nothing of a message is shown, nothing can be shown shorter.
    if (shown[piece.at.position] === 0 || behind < tailTokens || piece.at.position >= lastTurns || piece.isWhole || tools[piece.tool]?.protect === true)
      continue;
    const isUnused = piece.uses === 0 && (strength > 0 || behind >= stubTokens);
    const level: Level = piece.kind === "result" && (isUnused || strength === 2) ? STUB : SKELETON;
    if (piece.level >= level || (piece.level === FULL && piece.kind === "input" && inputTokens === 0)) continue;
    const tokens = tokensAt(level, piece, inputTokens, (piece.shownTokens * keptPercent) / 100 / 2 ** strength, minResultTokens);
    if (tokens < piece.shownTokens * WORTH_SHARE) wanted.push({ piece, level, tokens });
  }
  return wanted.reverse();
}

function tokensAt(level: Level, piece: Piece, inputTokens: number, kept: number, minResultTokens: number): number {
  if (piece.kind === "input") return inputTokens;
  if (piece.shownTokens < minResultTokens) return Infinity;
  return level === STUB ? STUB_TOKENS : Math.floor(Math.max(minResultTokens / 2, kept));
}
