/** Of a line: it has no words, or some. */
const WORDLESS = 0;
const WORDS = 1;

/**
 * The words of the newest pieces, line by line, as far as they bear on what the lines are worth: of words whose worth depends on how
 * they stand to the conversation, which they are; of the others, the sum. What was just read need not be read again to be shortened.
 */
export class LineWords {
  /** Per piece: its first line. */
  readonly #firsts = new Map<number, number>();
  #lines = 0;
  #states = new Uint8Array(LEAST_ROOM);
  /** Per line: what its other words are worth. */
  #sums = new Int32Array(LEAST_ROOM);
  /** Per line: where its words end. */
  #ends = new Int32Array(LEAST_ROOM);
  /** Each as its id and shape. */
  #words = new Int32Array(LEAST_ROOM);
  #count = 0;

  /** Forgets all of it. */
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

  /** The words that were added since the last line are those of this one. */
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

  /** The next lines are those of this piece. */
  beginPiece(piece: number): void {
    this.#firsts.set(piece, this.#lines);
  }

  /** The first line of a piece. Undefined: it is not known any more. */
  firstOf(piece: number): number | undefined {
    return this.#firsts.get(piece);
  }

  hasWords(line: number): boolean {
    return this.#states[line] !== WORDLESS;
  }

  /** What all words of a line are worth, by how those stand that it depends on. */
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
