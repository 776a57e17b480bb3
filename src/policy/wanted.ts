import type { Message } from "../messages/message.ts";
import type { Catalogue } from "./catalogue.ts";
import { canReadAgain } from "./hints-of.ts";
import { FULL, newestOf, SKELETON, STUB, type Level, type Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import type { ShownSizes } from "./shown-sizes.ts";

/** A piece that may be shown shorter now, and how short. */
export interface Wanted {
  readonly piece: Piece;
  readonly level: Level;
  readonly tokens: number;
  /** A later result that is shown whole repeats it. */
  readonly isRepeated: boolean;
}

/** The size of one line. */
const STUB_TOKENS = 40;
/** An edit is worth it only if the piece shrinks below this share of its size. */
const WORTH_SHARE = 0.8;
/** A result that cannot be read again keeps this many times as much (bound +.007, bill +.005 with batches alone: docs/lab/policy-numbers.md). */
const UNREPEATABLE_SHARE = 1.5;

/**
 * Returns what a batch could shorten: pieces outside of the tail, in the order of the log. A stronger batch has next to no tail, and leaves
 * one line of each.
 */
export function wantedOf(
  log: readonly Message[],
  catalogue: Catalogue,
  sizes: ShownSizes,
  pinned: ReadonlySet<number>,
  options: ParsedPolicy,
  strength: 0 | 1 | 2,
  isRepeated: (piece: Piece) => boolean,
): Wanted[] {
  const { minResultTokens, inputTokens, keptPercent, stubTokens, tools } = options;
  const usedTurns = strength === 0 ? options.usedTurns : 0;
  const tailTokens = options.tailTokens / 4 ** strength;
  const lastTurns = catalogue.startOfLast(strength === 0 ? options.tailTurns : Math.min(1, options.tailTurns));
  const wanted: Wanted[] = [];
  const pointedTo = new Set<Piece>();
  const { shown } = sizes;
  let behind = 0;
  let position = shown.length;
  for (let number = catalogue.pieces.length - 1; number >= 0; number--) {
    const piece = catalogue.pieces[number];
    if (piece === undefined) continue;
    // Pieces come in reverse order of the log, so the tokens after each are added up once.
    for (; position > piece.at.position + 1; position--) behind += shown[position - 1] ?? 0;
    if (sizes.isHidden(piece.at.position) || pinned.has(piece.at.position) || tools[piece.tool]?.protect === true) continue;
    if (piece.isDuplicate) pointedTo.add(newestOf(piece));
    if (piece.level < STUB && behind >= tailTokens && isRepeated(piece)) {
      if (STUB_TOKENS >= piece.shownTokens * WORTH_SHARE) continue;
      wanted.push({ piece, level: STUB, tokens: STUB_TOKENS, isRepeated: true });
      pointedTo.add(newestOf(piece));
      continue;
    }
    if (options.lossless || behind < tailTokens || piece.at.position >= lastTurns) continue;
    if (piece.kind === "result" && piece.usedAt > 0 && catalogue.turns - piece.usedAt < usedTurns) continue;
    if (piece.media > 0 && piece.level < STUB && !piece.isError)
      wanted.push({ piece, level: STUB, tokens: piece.tokens - piece.media + STUB_TOKENS, isRepeated: false });
    if (piece.isWhole) continue;
    const isUnused = piece.uses === 0 && (strength > 0 || behind >= stubTokens);
    const level: Level = piece.kind === "result" && (isUnused || strength === 2) ? STUB : SKELETON;
    if (piece.level >= level || (piece.level === FULL && piece.kind === "input" && inputTokens === 0)) continue;
    const share = Math.min(1, (keptPercent / 100) * (piece.kind === "result" && !canReadAgain(log, piece) ? UNREPEATABLE_SHARE : 1));
    const tokens = tokensAt(level, piece, inputTokens, (piece.shownTokens * share) / 2 ** strength, strength === 2 ? 0 : minResultTokens);
    if (tokens < piece.shownTokens * WORTH_SHARE) wanted.push({ piece, level, tokens, isRepeated: false });
  }
  // A result that a duplicate points to has to stay in full.
  return wanted.filter((each) => each.isRepeated || !pointedTo.has(each.piece)).reverse();
}

function tokensAt(level: Level, piece: Piece, inputTokens: number, kept: number, minResultTokens: number): number {
  if (piece.kind === "input") return inputTokens;
  if (piece.shownTokens < minResultTokens) return Infinity;
  return level === STUB ? STUB_TOKENS : Math.floor(Math.max(minResultTokens / 2, kept));
}

/** Returns how many tokens all of them remove. */
export function savedBy(wanted: readonly Wanted[]): number {
  return wanted.reduce((sum, { piece, tokens }) => sum + piece.shownTokens - tokens, 0);
}

/** Returns the removable tokens of each position. */
export function perPosition(wanted: readonly Wanted[], length: number): number[] {
  const removable = new Array<number>(length).fill(0);
  for (const { piece, tokens } of wanted) removable[piece.at.position] = (removable[piece.at.position] ?? 0) + piece.shownTokens - tokens;
  return removable;
}
