import { NOTHING, PIECE_COUNT } from "./open-pieces.ts";

/** The distance between the rows of two pieces: at least the number of classes. */
const STRIDE = 16;

/**
 * Before it looks for tokens, a tokenizer splits a text into pieces: a word with the space or mark before it, up to three digits, a run
 * of marks, white space. The kind and length of a piece predict its number of tokens well enough. The machine reads a text once: the
 * open piece and the class of the next character determine the next open piece and the cost of that step. Pieces are charged when
 * they end.
 */
export class PieceMachine {
  /** By open piece and class: the next open piece, as the start of its row. */
  readonly next: Uint16Array = new Uint16Array(PIECE_COUNT * STRIDE);
  /** By open piece and class, in hundredths of a token. */
  readonly cost: Int32Array = new Int32Array(PIECE_COUNT * STRIDE);

  /** Sets the next piece and the cost for a character of class `kind`. */
  setStep(open: number, kind: number, next: number, cost: number): void {
    this.next[open * STRIDE + kind] = next * STRIDE;
    this.cost[open * STRIDE + kind] = cost;
  }

  /** Ends the piece on any character, which then opens another piece as at the start of a text. */
  endPiece(piece: number, price: number): void {
    const row = piece * STRIDE;
    this.next.copyWithin(row, NOTHING, STRIDE);
    this.cost.fill(price, row, row + STRIDE);
  }
}
