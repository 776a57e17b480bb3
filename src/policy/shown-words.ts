import type { Familiarity } from "../content/words/known-words.ts";
import { blockAt, blocksOf, isText, isToolUse, resultText, type Message, type ToolResultBlock } from "../messages/message.ts";
import { isReminder } from "../messages/reminder.ts";
import { RECALL } from "../passes/handle.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Piece } from "./piece.ts";
import { WordIndex } from "./word-index.ts";

/**
 * Knows the words of the view, and which results the assistant has used, or the user has named, since they came. Reads words on first
 * use, so words that are hidden until then are never read.
 */
export class ShownWords {
  readonly #catalogue: Catalogue;
  #index = new WordIndex();
  /** For each position passed so far, whether it was hidden. */
  #passed: number[] = [];
  #pieces = 0;
  /** The last turn that used each piece. */
  #usedIn: number[] = [];
  /** Increases whenever something is read. */
  version = 0;

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  /** Reads on to the end of the log. `isHidden`: 1 at positions that are not shown. Only later messages can use a result, so everything is read in order. */
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

  /** Returns the familiarity of words, for one reading of a piece's text. `hasItsLines`: the text has the words of the piece, line by line. */
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

  /** Counts what the user names as used in the coming turn, like what the assistant names in its own. */
  #readRequest(message: Message, turn: number): void {
    for (const block of blocksOf(message)) if (isText(block) && !isReminder(block)) this.#index.addAsked(turn, block.text, this.#noteUse(turn));
  }

  /** Reads the values of a call's input, not the names of its fields. */
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
      // A recalled result counts as used when it arrives.
      piece.usedAt = piece.tool === RECALL && piece.kind === "result" ? this.#catalogue.turnAt(position) : 0;
      if (isShown && piece.kind === "result") this.#index.addPiece(piece.number, resultText(blockAt(log, piece.at) as ToolResultBlock), !piece.isWhole);
    }
  }
}

function isPrefix(numbers: readonly number[], all: Uint8Array): boolean {
  for (let at = 0; at < numbers.length; at++) if (numbers[at] !== all[at]) return false;
  return true;
}
