/** Numbers words from 1, in the order they come. A hash table with open addressing. */
export class WordTable {
  #mask = (1 << 8) - 1;
  /** Each slot: the hash, and the number, or 0 if the slot is free. */
  #slots = new Int32Array(2 << 8);
  count = 0;

  numberOf(hash: number): number {
    const slots = this.#slots;
    let slot = mix(hash) & this.#mask;
    for (; ; slot = (slot + 1) & this.#mask) {
      const number = slots[slot * 2 + 1] ?? 0;
      if (number === 0) break;
      if (slots[slot * 2] === hash) return number;
    }
    slots[slot * 2] = hash;
    slots[slot * 2 + 1] = ++this.count;
    if (this.count * 2 > this.#mask) this.#grow();
    return this.count;
  }

  #grow(): void {
    const old = this.#slots;
    this.#mask = old.length - 1;
    const slots = new Int32Array(old.length * 2);
    for (let at = 0; at < old.length; at += 2) {
      const hash = old[at] ?? 0;
      const number = old[at + 1] ?? 0;
      if (number === 0) continue;
      let slot = mix(hash) & this.#mask;
      while (slots[slot * 2 + 1] !== 0) slot = (slot + 1) & this.#mask;
      slots[slot * 2] = hash;
      slots[slot * 2 + 1] = number;
    }
    this.#slots = slots;
  }
}

function mix(hash: number): number {
  const half = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return half ^ (half >>> 13);
}
