/** Which piece had a hash first. Open addressing: it grows by what is new. */
export class FirstSeen {
  #mask = (1 << 8) - 1;
  #keys = new Int32Array(1 << 8);
  #pieces = new Int32Array(1 << 8);
  #used = 0;

  /** The first piece that has it, which may be this one. */
  note(hash: number, piece: number): number {
    const slot = this.#slotOf(hash);
    if (this.#keys[slot] !== 0) return this.#pieces[slot] ?? piece;
    this.#keys[slot] = keyOf(hash);
    this.#pieces[slot] = piece;
    if (++this.#used * 2 > this.#mask) this.#grow();
    return piece;
  }

  firstOf(hash: number, otherwise: number): number {
    const slot = this.#slotOf(hash);
    return this.#keys[slot] === 0 ? otherwise : (this.#pieces[slot] ?? otherwise);
  }

  #slotOf(hash: number): number {
    const key = keyOf(hash);
    let slot = (key ^ (key >>> 15)) & this.#mask;
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & this.#mask;
    return slot;
  }

  #grow(): void {
    const [keys, pieces] = [this.#keys, this.#pieces];
    this.#mask = keys.length * 2 - 1;
    this.#keys = new Int32Array(keys.length * 2);
    this.#pieces = new Int32Array(keys.length * 2);
    for (let old = 0; old < keys.length; old++) {
      const key = keys[old] ?? 0;
      if (key === 0) continue;
      const slot = this.#slotOf(key);
      this.#keys[slot] = key;
      this.#pieces[slot] = pieces[old] ?? 0;
    }
  }
}

/** 0 is an empty slot. */
function keyOf(hash: number): number {
  return hash === 0 ? 1 : hash;
}
