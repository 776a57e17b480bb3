/** The size of something: estimated tokens of its text, and its pieces (blocks, tools), each of which costs a little extra. */
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

/** What was learned, as sums, for JSON. */
export type FitState = readonly [textText: number, textPieces: number, piecesPieces: number, textTokens: number, piecesTokens: number];

/** Before any report: the error of a model's factor, the cost of a piece (providers add 3 to 10 tokens), and its error. */
const FACTOR_ERROR = 0.3;
const PIECE_TOKENS = 6;
const PIECE_ERROR = 10;
/** The error of an estimate of a text: a constant, and a share of it. */
const ERROR_TOKENS = 8;
const ERROR_SHARE = 0.08;
/** Later reports count more, so that a change of the model behind a name is noticed. */
const MEMORY = 0.98;

/**
 * Learns from reported usage how many of the provider's tokens an estimated token and a piece are worth. Least squares over the differences between one
 * request and the next, because the common part says nothing about what was added or removed.
 */
export class TokenFit {
  readonly #prior: FitState;
  #sums: FitState;
  /** Tokens for an estimated token, and for a piece. Undefined: something was learned since they were asked for. */
  #rates: readonly [text: number, piece: number] | undefined;

  /** `factor`: the model's tokens per estimated token, as in its family. */
  constructor(factor: number, state?: FitState) {
    const [text, pieces] = [1 / FACTOR_ERROR ** 2, 1 / PIECE_ERROR ** 2];
    this.#prior = [text, 0, pieces, text * factor, pieces * PIECE_TOKENS];
    this.#sums = state ?? [0, 0, 0, 0, 0];
  }

  get state(): FitState {
    return this.#sums;
  }

  /** Takes the amount that was added, minus what was removed, and the tokens that the provider counted for it. `moved`: the estimated text of both together. */
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
