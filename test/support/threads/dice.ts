/** Choices that follow from one number: the same number, the same choices. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed + 0x9e3779b9;
  }

  /** 0 or more, and below `limit`. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  /** True once in `inTimes` times, on average. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === 0;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
}
