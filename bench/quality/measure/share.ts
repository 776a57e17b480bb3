/** The share of items that were found: over all items, and as a mean over steps. */
export interface Share {
  readonly steps: number;
  readonly asked: number;
  readonly found: number;
  /** NaN if there were no items. */
  readonly mean: number;
}

export class ShareOfSteps implements Share {
  steps = 0;
  asked = 0;
  found = 0;
  #shares = 0;

  add(found: number, asked: number): void {
    if (asked === 0) return;
    this.steps++;
    this.asked += asked;
    this.found += found;
    this.#shares += found / asked;
  }

  get mean(): number {
    return this.steps === 0 ? Number.NaN : this.#shares / this.steps;
  }

  toJSON(): Share {
    return { steps: this.steps, asked: this.asked, found: this.found, mean: this.mean };
  }
}
