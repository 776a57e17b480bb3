/** Whether a line has words. */
const WORDLESS = 0;
const WORDS = 1;

/**
 * Caches the words of the newest pieces, line by line, so that a piece that was just read need not be read again to be shortened. Keeps only
 * what lines are worth: the words whose worth depends on the conversation, and the sum of the others.
 */
export class LineWords {
  /** The first line of each piece. */
  readonly #firsts = new Map<number, number>();
  #lines = 0;
  #states = new Uint8Array(LEAST_ROOM);
  /** What the other words of each line are worth. */
  #sums = new Int32Array(LEAST_ROOM);
  /** Where the words of each line end. */
  #ends = new Int32Array(LEAST_ROOM);
  /** Id and shape of each word. */
  #words = new Int32Array(LEAST_ROOM);
  #count = 0;

  /** Empties the cache. */
  clear(): void {
    this.#firsts.clear();
    this.#lines = 0;
    this.#count = 0;
    if (this.#words.length <= MOST_KEPT_ROOM && this.#ends.length <= MOST_KEPT_ROOM) return;
    this.#states = new Uint8Array(LEAST_ROOM);
    this.#sums = new Int32Array(LEAST_ROOM);
    this.#ends = new Int32Array(LEAST_ROOM);
    this.#words = new Int32Array(LEAST_ROOM);
  }

  addWord(id: number, shape: number): void {
    if (this.#count === this.#words.length) this.#words = doubled(this.#words);
    this.#words[this.#count++] = (id << SHAPE_BITS) | shape;
  }

  /** Ends a line: it has the words added since the last one. */
  endLine(sum: number, hasWords: boolean): void {
    const line = this.#lines++;
    if (line === this.#ends.length) {
      const states = new Uint8Array(line * 2);
      states.set(this.#states);
      this.#states = states;
      this.#sums = doubled(this.#sums);
      this.#ends = doubled(this.#ends);
    }
    this.#states[line] = hasWords ? WORDS : WORDLESS;
    this.#sums[line] = sum;
    this.#ends[line] = this.#count;
  }

  /** Begins a piece: the next lines belong to it. */
  beginPiece(piece: number): void {
    this.#firsts.set(piece, this.#lines);
  }

  /** Returns the first line of a piece. Undefined: it is no longer cached. */
  firstOf(piece: number): number | undefined {
    return this.#firsts.get(piece);
  }

  hasWords(line: number): boolean {
    return this.#states[line] !== WORDLESS;
  }

  /** Returns what all words of a line are worth; `worthOfWord` values those that depend on the conversation. */
  worthOf(line: number, worthOfWord: (id: number, shape: number) => number): number {
    let worth = this.#sums[line] ?? 0;
    const end = this.#ends[line] ?? 0;
    for (let at = line === 0 ? 0 : (this.#ends[line - 1] ?? 0); at < end; at++) {
      const word = this.#words[at] ?? 0;
      worth += worthOfWord(word >> SHAPE_BITS, word & SHAPE_MASK);
    }
    return worth;
  }
}

const LEAST_ROOM = 1 << 8;
const MOST_KEPT_ROOM = 1 << 12;
const SHAPE_BITS = 4;
const SHAPE_MASK = (1 << SHAPE_BITS) - 1;

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
