/** A 64-bit hash of content, as two lanes of 32 bits. Tells blocks apart; no defence against forged ones. */
export interface Digest {
  readonly high: number;
  readonly low: number;
}

export function digestOf(text: string): Digest {
  let high = 0x9e3779b9;
  let low = 0x7f4a7c15;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x85ebca6b);
    low = Math.imul(low ^ unit, 0xc2b2ae35);
  }
  return { high: scattered(high ^ text.length), low: scattered(low ^ high) };
}

export interface PrefixHash {
  /** Adds the next part and returns the key of the prefix up to it: equal for equal prefixes, 53 bits. */
  add(part: Digest, salt: number): number;
}

/** Creates the cumulative hash of a prompt (F): a block changes the keys of all prefixes after it. */
export function createPrefixHash(): PrefixHash {
  let high = 0;
  let low = 0;
  return {
    add(part, salt) {
      high = scattered(Math.imul(high, 0x27d4eb2f) ^ part.high ^ salt);
      low = scattered(Math.imul(low, 0x165667b1) ^ part.low ^ high);
      return (high >>> 0) * 2 ** 21 + (low >>> 11);
    },
  };
}

/** The finalizer of murmur3: every input bit affects every output bit. */
function scattered(lane: number): number {
  const half = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  const whole = Math.imul(half ^ (half >>> 13), 0xc2b2ae35);
  return whole ^ (whole >>> 16);
}
