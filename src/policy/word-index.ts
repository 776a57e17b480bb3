import { forEachWord } from "./word-hashes.ts";

const EMPTY = 0;
/** A word that so many pieces have tells none of them apart. */
const TOO_COMMON = 24;

/**
 * Which pieces of the log have which words, and what the assistant has said since. Open addressing over typed arrays: it holds every
 * word of a long conversation and grows by what is new.
 */
export class WordIndex {
  #mask = (1 << 12) - 1;
  #keys = new Int32Array(1 << 12);
  /** Per slot: 1 + the index of its newest entry. */
  #heads = new Int32Array(1 << 12);
  #counts = new Int32Array(1 << 12);
  /** Per slot: the last turn in which the assistant said the word, or 0. */
  #saidAt = new Int32Array(1 << 12);
  #used = 0;
  #pieces = new Int32Array(1 << 12);
  #next = new Int32Array(1 << 12);
  #entries = 0;

  addPiece(piece: number, text: string): void {
    forEachWord(text, (hash) => {
      const slot = this.#slotFor(hash);
      const head = this.#heads[slot] ?? EMPTY;
      if (head !== EMPTY && this.#pieces[head - 1] === piece) return;
      const count = this.#counts[slot] ?? 0;
      this.#counts[slot] = count + 1;
      if (count >= TOO_COMMON) return;
      this.#heads[slot] = this.#addEntry(piece, head);
    });
  }

  /** The assistant said this in turn `turn` (from 1). Visits every piece that has a word of it that tells it apart, maybe several times. */
  addSaid(turn: number, text: string, onUse: (piece: number) => void): void {
    forEachWord(text, (hash) => {
      const slot = this.#slotFor(hash);
      if (this.#saidAt[slot] === turn) return;
      this.#saidAt[slot] = turn;
      if ((this.#counts[slot] ?? 0) > TOO_COMMON) return;
      for (let entry = this.#heads[slot] ?? EMPTY; entry !== EMPTY; entry = this.#next[entry - 1] ?? EMPTY) onUse(this.#pieces[entry - 1] ?? 0);
    });
  }

  /** How much the words of a text were used: of its words that tell it apart, has the assistant said one? */
  wasSaid(text: string): boolean {
    let found = false;
    forEachWord(text, (hash) => {
      if (found) return;
      const slot = this.#find(hash);
      found = slot !== -1 && (this.#saidAt[slot] ?? 0) > 0 && (this.#counts[slot] ?? 0) <= TOO_COMMON;
    });
    return found;
  }

  /** In how few pieces the rarest word of a text is: 1 means that it is nowhere else. */
  rarity(text: string): number {
    let fewest = Infinity;
    forEachWord(text, (hash) => {
      const slot = this.#find(hash);
      const count = slot === -1 ? 0 : (this.#counts[slot] ?? 0);
      if (count > 0 && count < fewest) fewest = count;
    });
    return fewest;
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
    const [keys, heads, counts, saidAt] = [this.#keys, this.#heads, this.#counts, this.#saidAt];
    this.#mask = length * 2 - 1;
    this.#keys = new Int32Array(length * 2);
    this.#heads = new Int32Array(length * 2);
    this.#counts = new Int32Array(length * 2);
    this.#saidAt = new Int32Array(length * 2);
    for (let old = 0; old < length; old++) {
      const key = keys[old] ?? EMPTY;
      if (key === EMPTY) continue;
      let slot = mix(key) & this.#mask;
      while (this.#keys[slot] !== EMPTY) slot = (slot + 1) & this.#mask;
      this.#keys[slot] = key;
      this.#heads[slot] = heads[old] ?? EMPTY;
      this.#counts[slot] = counts[old] ?? 0;
      this.#saidAt[slot] = saidAt[old] ?? 0;
    }
  }
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
