import type { Familiarity } from "../content/words/known-words.ts";
import { blockAt, blocksOf, isText, isToolUse, resultText, type Message, type ToolResultBlock } from "../messages/message.ts";
import { isReminder } from "../messages/reminder.ts";
import { RECALL } from "../passes/handle.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Piece } from "./piece.ts";
import { WordIndex } from "./word-index.ts";

/**
 * The words of what is shown, and which results the assistant has used, or the user has named, since they came. Words are read when they
 * are asked for first, so those of what is hidden until then never are.
 */
export class ShownWords {
  readonly #catalogue: Catalogue;
  #index = new WordIndex();
  /** Per position that was gone over: was it hidden? */
  #passed: number[] = [];
  #pieces = 0;
  /** Per piece: the last turn that used it. */
  #usedIn: number[] = [];
  /** Grows with what is read. */
  version = 0;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Goes on to the end of the log. `isHidden`: 1 at positions that are not shown. A result is used by what is said after it, so both are read in their order. */
  read(log: readonly Message[], isHidden: Uint8Array): void {
    if (!isPrefix(this.#passed, isHidden)) this.#forget();
    if (this.#passed.length === log.length) return;
    this.version++;
    this.#index.beginReading();
    for (let position = this.#passed.length; position < log.length; position++) {
      const hidden = isHidden[position] ?? 0;
      this.#passed.push(hidden);
      const message = log[position];
      if (hidden === 0 && message?.role === "assistant") this.#readResponse(message, this.#catalogue.turnAt(position));
      else if (message?.role === "user") this.#readRequest(message, this.#catalogue.turnAt(position) + 1);
      this.#readPieces(log, position, hidden === 0);
    }
  }

  /** For one reading of the text of a piece. `hasItsLines`: the text has the words of the piece, line by line. */
  familiarityOf(piece: Piece, hasItsLines: boolean): Familiarity {
    return this.#index.familiarityOf(piece.number, hasItsLines);
  }

  #forget(): void {
    this.#index = new WordIndex();
    this.#passed = [];
    this.#pieces = 0;
    this.#usedIn = [];
  }

  #readResponse(message: Message, turn: number): void {
    for (const block of blocksOf(message)) {
      if (isText(block)) this.#noteSaid(block.text, turn);
      else if (isToolUse(block)) this.#noteValue(block.input, turn);
    }
  }

  /** What the user names is needed for the turn to come, as what the assistant names is for its own. */
  #readRequest(message: Message, turn: number): void {
    for (const block of blocksOf(message)) if (isText(block) && !isReminder(block)) this.#index.addAsked(turn, block.text, this.#noteUse(turn));
  }

  /** Of the input of a call: what it says, not the names of its fields. */
  #noteValue(value: unknown, turn: number): void {
    if (typeof value === "string") this.#noteSaid(value, turn);
    else if (typeof value === "number") this.#noteSaid(String(value), turn);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) this.#noteValue(inner, turn);
  }

  #noteSaid(text: string, turn: number): void {
    this.#index.addSaid(turn, text, this.#noteUse(turn));
  }

  #noteUse(turn: number): (number: number) => void {
    return (number) => {
      const piece = this.#catalogue.pieces[number];
      if (piece === undefined || this.#usedIn[number] === turn) return;
      this.#usedIn[number] = turn;
      piece.uses++;
      piece.usedAt = turn;
    };
  }

  #readPieces(log: readonly Message[], position: number, isShown: boolean): void {
    const { pieces } = this.#catalogue;
    for (let piece = pieces[this.#pieces]; piece?.at.position === position; piece = pieces[++this.#pieces]) {
      piece.uses = 0;
      // What was asked for again is used when it comes.
      piece.usedAt = piece.tool === RECALL && piece.kind === "result" ? this.#catalogue.turnAt(position) : 0;
      if (isShown && piece.kind === "result") this.#index.addPiece(piece.number, resultText(blockAt(log, piece.at) as ToolResultBlock), !piece.isWhole);
    }
  }
}

function isPrefix(numbers: readonly number[], all: Uint8Array): boolean {
  for (let at = 0; at < numbers.length; at++) if (numbers[at] !== all[at]) return false;
  return true;
}
