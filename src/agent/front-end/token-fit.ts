/** How much there is of something: tokens of its text by our estimate, and pieces (blocks, tools), each of which costs a little beside its text. */
export interface Amount {
  readonly text: number;
  readonly pieces: number;
}

export const NOTHING: Amount = { text: 0, pieces: 0 };

export function plus(a: Amount, b: Amount): Amount {
  return { text: a.text + b.text, pieces: a.pieces + b.pieces };
}

export function minus(a: Amount, b: Amount): Amount {
  return { text: a.text - b.text, pieces: a.pieces - b.pieces };
}

/** As JSON: what was learned, as sums. */
export type FitState = readonly [textText: number, textPieces: number, piecesPieces: number, textTokens: number, piecesTokens: number];

/** Before anything was reported: how far the factor of a model may be off, what a piece costs, and how far that may be off. */
const FACTOR_ERROR = 0.3;
const PIECE_TOKENS = 6;
const PIECE_ERROR = 20;
/** An estimate of so much text is off by about this, and by a share of it. */
const ERROR_TOKENS = 8;
const ERROR_SHARE = 0.08;
/** Later reports count more, so that a change of the model behind a name is noticed. */
const MEMORY = 0.98;

/**
 * Learns from what the provider reports how many of its tokens our estimates amount to: so many for each estimated token, and so many for each
 * piece. Least squares, from the differences between one request and the next: what is in both teaches nothing about what came or went.
 */
export class TokenFit {
  readonly #prior: FitState;
  #sums: FitState;
  /** Tokens for an estimated token, and for a piece. Undefined: something was learned since they were asked for. */
  #rates: readonly [text: number, piece: number] | undefined;

  /** `factor`: tokens of the model for an estimated one, as its family has it. */
  constructor(factor: number, state?: FitState) {
    const [text, pieces] = [1 / FACTOR_ERROR ** 2, 1 / PIECE_ERROR ** 2];
    this.#prior = [text, 0, pieces, text * factor, pieces * PIECE_TOKENS];
    this.#sums = state ?? [0, 0, 0, 0, 0];
  }

  get state(): FitState {
    return this.#sums;
  }

  /** This came in addition, less what went, and the provider counted so many tokens more. `moved`: the text of both, each of which is only an estimate. */
  learn({ text, pieces }: Amount, tokens: number, moved: number): void {
    if (text === 0 && pieces === 0) return;
    const weight = 1 / (ERROR_TOKENS + ERROR_SHARE * Math.max(moved, Math.abs(text))) ** 2;
    const seen: FitState = [text * text, text * pieces, pieces * pieces, text * tokens, pieces * tokens];
    this.#rates = undefined;
    this.#sums = this.#sums.map((sum, index) => sum * MEMORY + weight * (seen[index] ?? 0)) as unknown as FitState;
  }

  tokens({ text, pieces }: Amount): number {
    const [perText, perPiece] = (this.#rates ??= this.#solve());
    return text * perText + pieces * perPiece;
  }

  #solve(): readonly [text: number, piece: number] {
    const [tt, tp, pp, ty, py] = this.#prior.map((sum, index) => sum + (this.#sums[index] ?? 0)) as unknown as FitState;
    const determinant = tt * pp - tp * tp;
    return [(ty * pp - py * tp) / determinant, (py * tt - ty * tp) / determinant];
  }
}
