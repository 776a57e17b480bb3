import { CHARACTER, DIGIT, END, FUSED_MARK, LOWER, MARK, MARK_CLASSES, NEWLINE, SPACE, TAB, UPPER } from "./character-classes.ts";
import * as open from "./open-pieces.ts";
import { LEADS, LONGEST_WORD, MOST_DIGITS, MOST_MARKS, SHAPES, type Lead } from "./open-pieces.ts";
import { PieceMachine } from "./piece-machine.ts";
import type { PiecePrices } from "./piece-prices.ts";

/** Builds the rules by which o200k splits a text, as a state machine. */
export function buildPieceMachine(prices: PiecePrices): PieceMachine {
  const machine = new PieceMachine();
  addStart(machine);
  addWhiteSpace(machine, prices);
  addMarks(machine, prices);
  addDigits(machine, prices);
  addWords(machine, prices);
  machine.endPiece(open.CHARACTERS, 0);
  return machine;
}

/** At the start of a text, every character opens a piece. */
function addStart(machine: PieceMachine): void {
  startWord(machine, open.NOTHING, "nothing", 0);
  machine.setStep(open.NOTHING, DIGIT, open.digits(1), 0);
  machine.setStep(open.NOTHING, SPACE, open.ONE_SPACE, 0);
  machine.setStep(open.NOTHING, TAB, open.ONE_TAB, 0);
  machine.setStep(open.NOTHING, NEWLINE, open.NEWLINES, 0);
  machine.setStep(open.NOTHING, CHARACTER, open.CHARACTERS, 0);
  for (const kind of MARK_CLASSES) machine.setStep(open.NOTHING, kind, open.oneMark(kind), 0);
}

function startWord(machine: PieceMachine, piece: number, lead: Lead, price: number): void {
  machine.setStep(piece, LOWER, open.word(lead, "lower", 1), price);
  machine.setStep(piece, UPPER, open.word(lead, "upper", 1), price);
}

function addWhiteSpace(machine: PieceMachine, { whiteSpace, repeatedSpace, repeatedTab, repeatedNewline }: PiecePrices): void {
  for (const piece of [open.ONE_SPACE, open.ONE_TAB, open.LAST_SPACE, open.LAST_TAB]) {
    const isLast = piece === open.LAST_SPACE || piece === open.LAST_TAB;
    machine.endPiece(piece, whiteSpace);
    machine.setStep(piece, SPACE, open.LAST_SPACE, isLast ? repeatedSpace : whiteSpace);
    machine.setStep(piece, TAB, open.LAST_TAB, isLast ? repeatedTab : whiteSpace);
    // At the end of a line or of the text, all white space is one piece.
    machine.setStep(piece, NEWLINE, isLast ? open.MORE_NEWLINES : open.NEWLINES, 0);
    if (isLast) machine.setStep(piece, END, open.NOTHING, 0);
    if (piece === open.ONE_TAB || piece === open.LAST_TAB) {
      startWord(machine, piece, "fused", 0);
      continue;
    }
    startWord(machine, piece, "space", 0);
    machine.setStep(piece, CHARACTER, open.CHARACTERS, 0);
    for (const kind of MARK_CLASSES) machine.setStep(piece, kind, open.marks(true, 1, kind), 0);
  }
  machine.endPiece(open.NEWLINES, whiteSpace);
  machine.endPiece(open.MORE_NEWLINES, 0);
  for (const piece of [open.NEWLINES, open.MORE_NEWLINES]) machine.setStep(piece, NEWLINE, piece, repeatedNewline);
}

function addMarks(machine: PieceMachine, prices: PiecePrices): void {
  for (const kind of MARK_CLASSES) {
    addMark(machine, prices, open.oneMark(kind), { isSpaced: false, count: 1, kind });
    startWord(machine, open.oneMark(kind), kind === FUSED_MARK ? "fused" : "mark", 0);
    for (let count = 1; count <= MOST_MARKS; count++) {
      for (const isSpaced of [false, true]) addMark(machine, prices, open.marks(isSpaced, count, kind), { isSpaced, count, kind });
    }
  }
}

function addMark(
  machine: PieceMachine,
  prices: PiecePrices,
  piece: number,
  { isSpaced, count, kind }: { readonly isSpaced: boolean; readonly count: number; readonly kind: number },
): void {
  const price = prices.marks[isSpaced ? "spaced" : "bare"][count - 1] ?? 0;
  machine.endPiece(piece, price);
  machine.setStep(piece, NEWLINE, open.MORE_NEWLINES, price);
  for (const next of MARK_CLASSES) {
    if (next === kind && kind !== MARK) machine.setStep(piece, next, open.marks(isSpaced, count, kind), prices.repeatedMark);
    else if (count < MOST_MARKS) machine.setStep(piece, next, open.marks(isSpaced, count + 1, next), 0);
    else machine.setStep(piece, next, open.marks(false, 1, next), price);
  }
}

function addDigits(machine: PieceMachine, prices: PiecePrices): void {
  for (let count = 1; count <= MOST_DIGITS; count++) {
    const piece = open.digits(count);
    machine.endPiece(piece, prices.digits);
    startWord(machine, piece, "joined", prices.digits);
    if (count < MOST_DIGITS) machine.setStep(piece, DIGIT, open.digits(count + 1), 0);
  }
}

function addWords(machine: PieceMachine, prices: PiecePrices): void {
  for (const lead of LEADS) {
    for (const shape of SHAPES) {
      for (let length = 1; length <= LONGEST_WORD; length++) {
        const piece = open.word(lead, shape, length);
        const price = prices.words[lead][shape][length - 1] ?? 0;
        machine.endPiece(piece, price);
        startWord(machine, piece, "joined", price);
        if (length === LONGEST_WORD) continue;
        const longer = shape === "upper" ? (length === 1 ? "capital" : "mixed") : shape;
        machine.setStep(piece, LOWER, open.word(lead, longer, length + 1), 0);
        if (shape === "upper") machine.setStep(piece, UPPER, open.word(lead, "upper", length + 1), 0);
      }
    }
  }
}
