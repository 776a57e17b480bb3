/** A text in pieces: a long one is only sampled, so it need not be copied into one string. */
export class LongText {
  readonly #pieces: string[] = [];
  /** Where each piece begins. */
  readonly #starts: number[] = [];
  length = 0;

  add(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#starts.push(this.length);
    this.length += piece.length;
  }

  /** Returns a half-open slice. */
  slice(from: number, to: number): string {
    const found: string[] = [];
    for (let number = this.#pieceAt(from); number < this.#pieces.length && (this.#starts[number] ?? to) < to; number++) {
      const start = this.#starts[number] ?? 0;
      found.push((this.#pieces[number] ?? "").slice(Math.max(0, from - start), to - start));
    }
    return found.join("");
  }

  charCodeAt(at: number): number {
    const number = this.#pieceAt(at);
    return (this.#pieces[number] ?? "").charCodeAt(at - (this.#starts[number] ?? 0));
  }

  #pieceAt(at: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
