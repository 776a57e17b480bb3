import { NO_WORDS, type Familiarity, type FamiliarLines } from "../content/words/known-words.ts";
import { behindLineNumber } from "../content/text/line-bounds.ts";
import { AGAIN, dependsOnStanding, NEW, USED, worthOfWord } from "../content/words/word-worths.ts";
import { CAMEL, CAPITALS, FILE, FOLDER, LONG_NUMBER, NUMBER, SHAPES, Words } from "../content/words/words.ts";
import { LineWords } from "./line-words.ts";
import { WordTable } from "./word-table.ts";

/** A word that this many pieces have identifies none of them. */
const TOO_COMMON = 24;

/** Shared by all, because its content is used at once. */
const WORDS = new Words();

/** The columns of a word are stored side by side, because all are needed at once. */
const ROW = 4;
/** The last turn in which the assistant said it, or 0. */
const SAID_AT = 0;
/** 1 + the index of its newest entry. */
const HEAD = 1;
/** How many pieces have it. */
const COUNT = 2;
/** The last reading that met it. */
const READ_IN = 3;

/**
 * Knows which pieces of the log have which words, and what the assistant has said since. Stored as columns of numbers, because it holds every telling
 * word of a long conversation; it grows with new text only. What a line is worth never depends on the words of other pieces: they may be cut later,
 * and then nothing would show what was left out here because they had it.
 */
export class WordIndex {
  readonly #table = new WordTable();
  #rows = new Int32Array(ROW << 8);
  /** Each entry: a piece that has a word, and the next entry of the word. */
  #entries = new Int32Array(1 << 8);
  #entryCount = 0;
  readonly #newest = new LineWords();
  #turn = 0;
  /** The turn after which each piece came. */
  readonly #cameAfter: number[] = [];
  #readings = 0;
  /** Increases whenever something is read or said. */
  version = 0;

  /** Begins a reading, and drops the lines remembered from the last one, which are not needed soon. */
  beginReading(): void {
    this.#newest.clear();
  }

  /** `mayShorten`: its lines are remembered until the next reading begins. */
  addPiece(piece: number, text: string, mayShorten: boolean): void {
    this.version++;
    this.#cameAfter[piece] = this.#turn;
    WORDS.read(text, 0, text.length);
    const { count, hashes, starts, shapes, lengths } = WORDS;
    const newest = this.#newest;
    if (mayShorten) newest.beginPiece(piece);
    let word = 0;
    for (let start = 0; start < text.length;) {
      const feed = text.indexOf("\n", start);
      const end = feed < 0 ? text.length : feed + 1;
      // Only a number of three digits or more is a word.
      if (word < count && (shapes[word] ?? 0) <= LONG_NUMBER && (starts[word] ?? 0) < behindLineNumber(text, start, end)) word++;
      const first = word;
      let sum = 0;
      for (; word < count && (starts[word] ?? 0) < end; word++) {
        const code = hashes[word] ?? 0;
        const shape = shapes[word] ?? 0;
        const depends = dependsOnStanding(shape);
        const tells = tellsApart(shape, lengths[word] ?? 0);
        if (!depends) sum += worthOfWord(shape, NEW);
        if (!depends && !tells) continue;
        const id = this.#idOf(code);
        if (depends && mayShorten) newest.addWord(id, shape);
        const row = id * ROW;
        if (tells) this.#addTo(row, piece);
      }
      if (mayShorten) newest.endLine(sum, word > first);
      start = end;
    }
  }

  /** Adds what the assistant said in turn `turn` (from 1). Calls `onUse` for every piece that one of its words identifies, maybe several times. */
  addSaid(turn: number, text: string, onUse: (piece: number) => void): void {
    this.#turn = turn;
    this.#noteWords(turn, text, onUse);
  }

  /** Adds what the user said before turn `turn`. */
  addAsked(turn: number, text: string, onUse: (piece: number) => void): void {
    this.#noteWords(turn, text, onUse);
  }

  /** Returns the familiarity of words, for one reading of a piece's text. `hasItsLines`: the text has the words of the piece, line by line. */
  familiarityOf(piece: number, hasItsLines: boolean): Familiarity {
    const reading = ++this.#readings;
    const first = hasItsLines ? this.#newest.firstOf(piece) : undefined;
    return {
      // The text may have changed since it was indexed, and have new words.
      standingOf: (word) => this.#standingOf(this.#idOf(word) * ROW, piece, reading),
      lines: first === undefined ? undefined : this.#linesFrom(first, piece, reading),
    };
  }

  #linesFrom(first: number, piece: number, reading: number): FamiliarLines {
    const newest = this.#newest;
    const worth = (id: number, shape: number): number => worthOfWord(shape, this.#standingOf(id * ROW, piece, reading));
    return { worthOf: (line) => (newest.hasWords(first + line) ? newest.worthOf(first + line, worth) : NO_WORDS) };
  }

  #standingOf(row: number, piece: number, reading: number): number {
    const rows = this.#rows;
    if (rows[row + READ_IN] === reading) return AGAIN;
    rows[row + READ_IN] = reading;
    if ((rows[row + SAID_AT] ?? 0) > (this.#cameAfter[piece] ?? 0) && (rows[row + COUNT] ?? 0) <= TOO_COMMON) return USED;
    return NEW;
  }

  #noteWords(turn: number, text: string, onUse: (piece: number) => void): void {
    this.version++;
    WORDS.read(text, 0, text.length);
    const { count, hashes, shapes, lengths } = WORDS;
    for (let word = 0; word < count; word++) {
      const shape = shapes[word] ?? 0;
      const tells = tellsApart(shape, lengths[word] ?? 0);
      if (!tells && !dependsOnStanding(shape)) continue;
      const row = this.#idOf(hashes[word] ?? 0) * ROW;
      const rows = this.#rows;
      if (rows[row + SAID_AT] === turn) continue;
      rows[row + SAID_AT] = turn;
      if (!tells || (rows[row + COUNT] ?? 0) > TOO_COMMON) continue;
      for (let entry = rows[row + HEAD] ?? 0; entry !== 0; entry = this.#entries[entry * 2 - 1] ?? 0) onUse(this.#entries[entry * 2 - 2] ?? 0);
    }
  }

  #idOf(hash: number): number {
    const id = this.#table.numberOf(hash);
    if ((id + 1) * ROW > this.#rows.length) this.#rows = doubled(this.#rows);
    return id;
  }

  /** Records that the piece has the word of this row. */
  #addTo(row: number, piece: number): void {
    const rows = this.#rows;
    const head = rows[row + HEAD] ?? 0;
    if (head !== 0 && this.#entries[head * 2 - 2] === piece) return;
    const count = rows[row + COUNT] ?? 0;
    rows[row + COUNT] = count + 1;
    if (count >= TOO_COMMON) return;
    const entry = ++this.#entryCount;
    if (entry * 2 > this.#entries.length) this.#entries = doubled(this.#entries);
    this.#entries[entry * 2 - 2] = piece;
    this.#entries[entry * 2 - 1] = head;
    rows[row + HEAD] = entry;
  }
}

/** How long a word of each shape has to be to identify a piece. Names, ids, numbers and long words do. */
const LEAST_TELLING: Uint8Array = Uint8Array.from({ length: SHAPES }, (_, shape) => {
  if (shape === NUMBER || shape === LONG_NUMBER) return 0;
  return shape >= CAMEL && shape <= CAPITALS && shape !== FILE && shape !== FOLDER ? 5 : 8;
});

function tellsApart(shape: number, length: number): boolean {
  return length >= (LEAST_TELLING[shape] ?? 0);
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
