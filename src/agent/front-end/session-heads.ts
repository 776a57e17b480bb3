/** A note of a conversation's thread, which is the same on all of its branches. */
export interface HeadNote {
  readonly kind: string;
  readonly key: string;
  readonly value: string;
}

/** What stands before the messages of a conversation's requests, as far as its store does not have it yet. Each is counted by its place in the order of all. */
export class SessionHeads {
  readonly #known = new Set<string>();
  #waiting: HeadNote[] = [];
  #stored = 0;

  /** How many there were. */
  get length(): number {
    return this.#stored + this.#waiting.length;
  }

  /** How many the store has. */
  get stored(): number {
    return this.#stored;
  }

  add(hash: string, json: () => string): void {
    if (this.#known.has(hash)) return;
    this.#known.add(hash);
    this.#waiting.push({ kind: "head", key: hash, value: json() });
  }

  /** Those after so many. */
  after(length: number): readonly HeadNote[] {
    return this.#waiting.slice(length - this.#stored);
  }

  /** The store has the first so many. */
  store(length: number): void {
    if (length <= this.#stored) return;
    this.#waiting = this.#waiting.slice(length - this.#stored);
    this.#stored = length;
  }
}
