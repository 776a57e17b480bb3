/** Replaces stretches of a text. Unchanged text is copied once and in long stretches, because a string of many concatenated parts is slow to read. */
export class TextWriter {
  readonly #text: string;
  readonly #parts: string[] = [];
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The position after the last replaced stretch. */
  get position(): number {
    return this.#from;
  }

  replace(start: number, end: number, by: string): void {
    if (start > this.#from) this.#parts.push(this.#text.slice(this.#from, start));
    if (by !== "") this.#parts.push(by);
    this.#from = end;
  }

  remove(start: number, end: number): void {
    if (start < end) this.replace(start, end, "");
  }

  /** Returns the text; the same string if nothing was replaced. */
  end(): string {
    if (this.#from === 0) return this.#text;
    this.#parts.push(this.#text.slice(this.#from));
    return this.#parts.join("");
  }
}
