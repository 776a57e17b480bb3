import { CLASS_OF, END } from "./character-classes.ts";
import { NOTHING, PIECE_COUNT } from "./open-pieces.ts";

/** How far the rows of two pieces lie apart: at least the number of classes. */
const STRIDE = 32;

/**
 * Before it looks for tokens, a tokenizer splits a text into pieces: a word with the space or mark before it, up to three digits, a run
 * of marks, white space. How many tokens a piece takes follows well enough from its kind and its length. The machine reads a text once:
 * which piece is open and the class of the next character say which piece is open behind it, and what that step costs. Pieces are paid
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

  /**
   * What all pieces of the text, or of a part of it, cost, in hundredths of a token. A part is not cut out first: V8 reads the
   * characters of small slices at half the speed.
   */
  costOf(text: string, start = 0, end: number = text.length): number {
    const { next, cost } = this;
    let row = NOTHING;
    let sum = 0;
    for (let at = start; at < end; at++) {
      const step = row + (CLASS_OF[text.charCodeAt(at)] ?? 0);
      sum += cost[step] ?? 0;
      row = next[step] ?? 0;
    }
    return sum + (cost[row + END] ?? 0);
  }
}
