import { NO_WORDS, type Familiarity, type FamiliarLines } from "../content/words/known-words.ts";
import { behindLineNumber } from "../content/text/line-bounds.ts";
import { AGAIN, dependsOnStanding, NEW, USED, worthOfWord } from "../content/words/word-worths.ts";
import { CAMEL, CAPITALS, FILE, FOLDER, LONG_NUMBER, NUMBER, SHAPES, Words } from "../content/words/words.ts";
import { LineWords } from "./line-words.ts";
import { WordTable } from "./word-table.ts";

/** A word that so many pieces have tells none of them apart. */
const TOO_COMMON = 24;

/** One for all: what it holds is used at once. */
const WORDS = new Words();

/** What is known of a word lies side by side: all of it is needed at once. */
const ROW = 4;
/** The last turn in which the assistant said it, or 0. */
const SAID_AT = 0;
/** 1 + the index of its newest entry. */
const HEAD = 1;
/** How many pieces have it. */
const COUNT = 2;
/** The reading that last came over it. */
const READ_IN = 3;

/**
 * Which pieces of the log have which words, and what the assistant has said since. Columns of numbers: it holds every telling word of a
 * long conversation and grows by what is new. What a line is worth never depends on what other pieces have: they may be cut later, and
 * nothing would show then what was left out here because they had it.
 */
export class WordIndex {
  readonly #table = new WordTable();
  #rows = new Int32Array(ROW << 8);
  /** Per entry: the piece that has a word, and the next entry of the word. */
  #entries = new Int32Array(1 << 8);
  #entryCount = 0;
  readonly #newest = new LineWords();
  #turn = 0;
  /** Per piece: the turn after which it came. */
  readonly #cameAfter: number[] = [];
  #readings = 0;
  /** Grows with what is read and said. */
  version = 0;

  /** What was read before is not asked for soon. */
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

  /** The assistant said this in turn `turn` (from 1). Visits every piece that has a word of it that tells it apart, maybe several times. */
  addSaid(turn: number, text: string, onUse: (piece: number) => void): void {
    this.#turn = turn;
    this.#noteWords(turn, text, onUse);
  }

  /** The user said this before turn `turn`. */
  addAsked(turn: number, text: string, onUse: (piece: number) => void): void {
    this.#noteWords(turn, text, onUse);
  }

  /** For one reading of the text of a piece. `hasItsLines`: the text has the words of the piece, line by line. */
  familiarityOf(piece: number, hasItsLines: boolean): Familiarity {
    const reading = ++this.#readings;
    const first = hasItsLines ? this.#newest.firstOf(piece) : undefined;
    return {
      // The text may have been changed since it was indexed, and have words of its own.
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

  /** The piece has the word of this row. */
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

/** Per shape: how long a word has to be to tell a piece apart from others. Names, ids and numbers do, and long words. */
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
