import type { Familiarity } from "../content/familiarity.ts";
import { addToHash, behindLineNumber, FEWEST_WORDS } from "../content/lines.ts";
import { AGAIN, dependsOnStanding, KNOWN, NEW, USED } from "../content/word-worths.ts";
import { CAMEL, CAPITALS, FILE, forEachWord, LONG_NUMBER, NUMBER } from "../content/words.ts";
import { FirstSeen } from "./first-seen.ts";

const EMPTY = 0;
/** A word that so many pieces have tells none of them apart. */
const TOO_COMMON = 24;
/** Said before any piece had it. */
const BY_WORD = -1;

/**
 * Which pieces of the log have which words, and what the assistant has said since. Open addressing over typed arrays: it holds every
 * telling word of a long conversation and grows by what is new.
 */
export class WordIndex {
  #mask = (1 << 12) - 1;
  #keys = new Int32Array(1 << 12);
  /** Per slot: 1 + the index of its newest entry. */
  #heads = new Int32Array(1 << 12);
  #counts = new Int32Array(1 << 12);
  /** Per slot: the last turn in which the assistant said the word, or 0. */
  #saidAt = new Int32Array(1 << 12);
  /** Per slot: 1 + the piece that brought the word, or `BY_WORD`. */
  #broughtBy = new Int32Array(1 << 12);
  /** Per slot: the reading that last came over the word. */
  #readIn = new Int32Array(1 << 12);
  #used = 0;
  #pieces = new Int32Array(1 << 12);
  #next = new Int32Array(1 << 12);
  #entries = 0;
  readonly #lines = new FirstSeen();
  #turn = 0;
  /** Per piece: the turn after which it came. */
  readonly #cameAfter: number[] = [];
  #readings = 0;
  /** Grows with what is read and said. */
  version = 0;

  addPiece(piece: number, text: string): void {
    this.version++;
    this.#cameAfter[piece] = this.#turn;
    let hash = 0;
    let words = 0;
    const visit = (word: number, shape: number, length: number): void => {
      hash = addToHash(hash, word);
      words++;
      const tells = tellsApart(shape, length);
      if (!tells && !dependsOnStanding(shape)) return;
      const slot = this.#slotFor(word);
      if (this.#broughtBy[slot] === 0) this.#broughtBy[slot] = piece + 1;
      if (!tells) return;
      const head = this.#heads[slot] ?? EMPTY;
      if (head !== EMPTY && this.#pieces[head - 1] === piece) return;
      const count = this.#counts[slot] ?? 0;
      this.#counts[slot] = count + 1;
      if (count >= TOO_COMMON) return;
      this.#heads[slot] = this.#addEntry(piece, head);
    };
    for (let start = 0; start < text.length;) {
      const feed = text.indexOf("\n", start);
      const end = feed < 0 ? text.length : feed + 1;
      hash = 0;
      words = 0;
      forEachWord(text, behindLineNumber(text, start, end), end, visit);
      if (words >= FEWEST_WORDS) this.#lines.note(hash, piece);
      start = end;
    }
  }

  /** The assistant said this in turn `turn` (from 1). Visits every piece that has a word of it that tells it apart, maybe several times. */
  addSaid(turn: number, text: string, onUse: (piece: number) => void): void {
    this.version++;
    this.#turn = turn;
    forEachWord(text, 0, text.length, (word, shape, length) => {
      const tells = tellsApart(shape, length);
      if (!tells && !dependsOnStanding(shape)) return;
      const slot = this.#slotFor(word);
      if (this.#saidAt[slot] === turn) return;
      this.#saidAt[slot] = turn;
      if (this.#broughtBy[slot] === 0) this.#broughtBy[slot] = BY_WORD;
      if (!tells || (this.#counts[slot] ?? 0) > TOO_COMMON) return;
      for (let entry = this.#heads[slot] ?? EMPTY; entry !== EMPTY; entry = this.#next[entry - 1] ?? EMPTY) onUse(this.#pieces[entry - 1] ?? 0);
    });
  }

  /** For one reading of the text of a piece. */
  familiarityOf(piece: number): Familiarity {
    const reading = ++this.#readings;
    const cameAfter = this.#cameAfter[piece] ?? 0;
    return {
      standingOf: (word) => {
        const slot = this.#find(word);
        // The text may have been changed since it was indexed.
        if (slot === -1) return KNOWN;
        if (this.#readIn[slot] === reading) return AGAIN;
        this.#readIn[slot] = reading;
        if ((this.#saidAt[slot] ?? 0) > cameAfter && (this.#counts[slot] ?? 0) <= TOO_COMMON) return USED;
        return this.#broughtBy[slot] === piece + 1 ? NEW : KNOWN;
      },
      isKnownLine: (hash) => this.#lines.firstOf(hash, piece) < piece,
    };
  }

  #find(hash: number): number {
    const key = hash === EMPTY ? 1 : hash;
    for (let slot = mix(key) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      if (this.#keys[slot] === key) return slot;
      if (this.#keys[slot] === EMPTY) return -1;
    }
  }

  #slotFor(hash: number): number {
    const key = hash === EMPTY ? 1 : hash;
    for (let slot = mix(key) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      if (this.#keys[slot] === key) return slot;
      if (this.#keys[slot] !== EMPTY) continue;
      if (this.#used * 2 > this.#mask) {
        this.#grow();
        return this.#slotFor(hash);
      }
      this.#used++;
      this.#keys[slot] = key;
      return slot;
    }
  }

  #addEntry(piece: number, next: number): number {
    if (this.#entries === this.#pieces.length) {
      this.#pieces = doubled(this.#pieces);
      this.#next = doubled(this.#next);
    }
    this.#pieces[this.#entries] = piece;
    this.#next[this.#entries] = next;
    return ++this.#entries;
  }

  #grow(): void {
    const { length } = this.#keys;
    const [keys, heads, counts, saidAt, broughtBy, readIn] = [this.#keys, this.#heads, this.#counts, this.#saidAt, this.#broughtBy, this.#readIn];
    this.#mask = length * 2 - 1;
    this.#keys = new Int32Array(length * 2);
    this.#heads = new Int32Array(length * 2);
    this.#counts = new Int32Array(length * 2);
    this.#saidAt = new Int32Array(length * 2);
    this.#broughtBy = new Int32Array(length * 2);
    this.#readIn = new Int32Array(length * 2);
    for (let old = 0; old < length; old++) {
      const key = keys[old] ?? EMPTY;
      if (key === EMPTY) continue;
      let slot = mix(key) & this.#mask;
      while (this.#keys[slot] !== EMPTY) slot = (slot + 1) & this.#mask;
      this.#keys[slot] = key;
      this.#heads[slot] = heads[old] ?? EMPTY;
      this.#counts[slot] = counts[old] ?? 0;
      this.#saidAt[slot] = saidAt[old] ?? 0;
      this.#broughtBy[slot] = broughtBy[old] ?? 0;
      this.#readIn[slot] = readIn[old] ?? 0;
    }
  }
}

/** May the word tell a piece apart from others? Names, ids and numbers do, and long words. */
function tellsApart(shape: number, length: number): boolean {
  return (
    shape === NUMBER || shape === LONG_NUMBER || length >= 8 || (length >= 5 && shape >= CAMEL && shape <= CAPITALS && shape !== FILE && shape !== FILE + 1)
  );
}

function mix(key: number): number {
  const half = Math.imul(key ^ (key >>> 15), 0x2c1b3c6d);
  return half ^ (half >>> 13);
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
