import { HEAD, HEAD_PART, packHead } from "../calls/head-parts.ts";

/** A note of a conversation's thread, the same for all of its branches. */
export interface HeadNote {
  readonly kind: string;
  readonly key: string;
  readonly value: string;
}

/** The heads of a conversation's requests that its store does not have yet. They are counted in the order in which they came. */
export class SessionHeads {
  readonly #known = new Set<string>();
  #waiting: HeadNote[] = [];
  #stored = 0;

  /** How many heads and parts there were. */
  get length(): number {
    return this.#stored + this.#waiting.length;
  }

  /** How many of them the store has. */
  get stored(): number {
    return this.#stored;
  }

  add(hash: string, read: () => object): void {
    if (this.#known.has(`${HEAD}/${hash}`)) return;
    const { note, parts } = packHead(read());
    for (const [key, value] of parts) this.#wait({ kind: HEAD_PART, key, value });
    this.#wait({ kind: HEAD, key: hash, value: note });
  }

  #wait(note: HeadNote): void {
    const name = `${note.kind}/${note.key}`;
    if (this.#known.has(name)) return;
    this.#known.add(name);
    this.#waiting.push(note);
  }

  /** Returns those after the first `length`. */
  after(length: number): readonly HeadNote[] {
    return this.#waiting.slice(length - this.#stored);
  }

  /** Notes that the store has the first `length`. */
  store(length: number): void {
    if (length <= this.#stored) return;
    this.#waiting = this.#waiting.slice(length - this.#stored);
    this.#stored = length;
  }
}
