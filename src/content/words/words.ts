/** The shapes of words; longer and odder words tell more. The numbers are table indexes. */
export const NUMBER = 0;
export const LONG_NUMBER = 1;
export const CAMEL = 2;
export const SNAKE = 3;
export const HEX = 4;
export const MIXED = 5;
export const FILE = 6;
export const FOLDER = 7;
export const CAPITALS = 8;
/** From here on: words of prose. */
export const LONG = 9;
export const LONG_NAME = 10;
export const NAME = 11;
export const PLAIN = 12;
export const SHAPES = 13;

/** Flags for the characters in a word. */
const HAS_LOWER = 1;
const HAS_UPPER = 2;
const HAS_DIGIT = 4;
const HAS_JOINT = 8;
const HAS_HUMP = 16;
const BEYOND_HEX = 32;

/** The flags of a character, or 0 if it is not part of words. */
const BITS_OF: Uint8Array = bitTable();

const SHORTEST = 3;
const SHORTEST_NAME = 4;
/** Longer runs are data, not words. */
const LONGEST = 60;

/** FNV-1a. */
const FIRST_HASH = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;

/**
 * The words of a text, as columns: runs of three or more letters, digits, `_` and `$`, except for JSON keys. Words are stored as hashes,
 * because none is ever shown. Each reading refills the columns, so that reading creates no garbage.
 */
export class Words {
  count = 0;
  hashes: Int32Array = new Int32Array(1 << 10);
  starts: Int32Array = new Int32Array(1 << 10);
  shapes: Uint8Array = new Uint8Array(1 << 10);
  lengths: Uint8Array = new Uint8Array(1 << 10);

  /** Reads the words between two positions. */
  read(text: string, from: number, to: number): void {
    const most = (to - from) / (SHORTEST + 1) + 1;
    if (most > this.hashes.length) this.#makeRoomFor(most);
    const { hashes, starts, shapes, lengths } = this;
    let count = 0;
    for (let at = from; at < to; at++) {
      let code = text.charCodeAt(at);
      let bits = BITS_OF[code] ?? 0;
      if (bits === 0) continue;
      const start = at;
      let hash = Math.imul(FIRST_HASH ^ code, HASH_FACTOR);
      // A joint at the start of a word joins nothing.
      let has = bits & ~HAS_JOINT;
      let last = bits;
      for (;;) {
        code = ++at < to ? text.charCodeAt(at) : 0;
        bits = BITS_OF[code] ?? 0;
        if (bits === 0) break;
        hash = Math.imul(hash ^ code, HASH_FACTOR);
        // A capital after a lower-case letter.
        has |= bits | ((last & (bits >> 1) & HAS_LOWER) << 4);
        last = bits;
      }
      const length = at - start;
      if (length < SHORTEST || length > LONGEST || (code === 0x22 && text.charCodeAt(at + 1) === 0x3a)) continue;
      hashes[count] = hash;
      starts[count] = start;
      shapes[count] = shapeOf(has, length, text, start, at);
      lengths[count] = length;
      count++;
    }
    this.count = count;
  }

  #makeRoomFor(most: number): void {
    const room = 2 ** Math.ceil(Math.log2(most));
    this.hashes = new Int32Array(room);
    this.starts = new Int32Array(room);
    this.shapes = new Uint8Array(room);
    this.lengths = new Uint8Array(room);
  }
}

function shapeOf(has: number, length: number, text: string, start: number, end: number): number {
  if (has === HAS_DIGIT) return length < 5 ? NUMBER : LONG_NUMBER;
  if (length < SHORTEST_NAME) return PLAIN;
  if ((has & HAS_HUMP) !== 0) return CAMEL;
  if ((has & HAS_JOINT) !== 0) return SNAKE;
  if ((has & HAS_DIGIT) !== 0) return (has & (BEYOND_HEX | HAS_UPPER)) === 0 && length >= 7 ? HEX : MIXED;
  const next = text.charCodeAt(end);
  if (next === 0x2e && isLower(text.charCodeAt(end + 1))) return FILE;
  if (next === 0x2f || (start > 0 && text.charCodeAt(start - 1) === 0x2f)) return FOLDER;
  if ((has & HAS_UPPER) === 0) return length < 8 ? PLAIN : LONG;
  if ((has & HAS_LOWER) === 0) return CAPITALS;
  return length < 8 ? NAME : LONG_NAME;
}

function isLower(code: number): boolean {
  return ((BITS_OF[code] ?? 0) & HAS_LOWER) !== 0;
}

/** Returns the flags of every UTF-16 code unit. Letters of other scripts count as lower case. */
function bitTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  table.fill(HAS_LOWER, 0x61, 0x67);
  table.fill(HAS_LOWER | BEYOND_HEX, 0x67, 0x7b);
  table.fill(HAS_UPPER, 0x41, 0x5b);
  table.fill(HAS_DIGIT, 0x30, 0x3a);
  table[0x5f] = HAS_JOINT | BEYOND_HEX;
  table[0x24] = HAS_JOINT | BEYOND_HEX;
  table.fill(HAS_LOWER | BEYOND_HEX, 0xc0, 0x2000);
  table.fill(HAS_LOWER | BEYOND_HEX, 0x3040, 0xd800);
  return table;
}
