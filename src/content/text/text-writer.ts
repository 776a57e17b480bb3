/** A text with some of its stretches replaced. What does not change is copied in long stretches, and all of it once: reading a chain of parts is slow. */
export class TextWriter {
  readonly #text: string;
  readonly #parts: string[] = [];
  #from = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** After the stretch that was replaced last. */
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

  /** The same string if nothing was replaced. */
  end(): string {
    if (this.#from === 0) return this.#text;
    this.#parts.push(this.#text.slice(this.#from));
    return this.#parts.join("");
  }
}
