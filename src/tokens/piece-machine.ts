import { NOTHING, PIECE_COUNT } from "./open-pieces.ts";

/** How far the rows of two pieces lie apart: at least the number of classes. */
const STRIDE = 16;

/**
 * Before it looks for tokens, a tokenizer splits a text into pieces: a word with the space or mark before it, up to three digits, a run
 * of marks, white space. How many tokens a piece takes follows well enough from its kind and its length. The machine reads a text once:
 * which piece is open and the class of the next character say which piece is open after it, and what that step costs. Pieces are paid
 * for when they end.
 */
export class PieceMachine {
  /** By open piece and class: the next open piece, as the start of its row. */
  readonly next: Uint16Array = new Uint16Array(PIECE_COUNT * STRIDE);
  /** By open piece and class, in hundredths of a token. */
  readonly cost: Int32Array = new Int32Array(PIECE_COUNT * STRIDE);

  /** On a character of that class, the open piece is followed by the next one. */
  setStep(open: number, kind: number, next: number, cost: number): void {
    this.next[open * STRIDE + kind] = next * STRIDE;
    this.cost[open * STRIDE + kind] = cost;
  }

  /** The piece is paid for, whatever comes, and that opens another as if the text began with it. */
  endPiece(piece: number, price: number): void {
    const row = piece * STRIDE;
    this.next.copyWithin(row, NOTHING, STRIDE);
    this.cost.fill(price, row, row + STRIDE);
  }
}
