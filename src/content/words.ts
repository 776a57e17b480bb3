/** What a word looks like; a longer or odder one tells more. The numbers are places in tables. */
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

/** Is called for every word of three characters or more, but for keys of JSON. Words are hashes: none is ever shown. */
export type VisitWord = (hash: number, shape: number, length: number) => void;

const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const JOINT = 4;

const CLASS_OF: Uint8Array = classTable();

/** Bits of what a word has in it. */
const HAS_LOWER = 1;
const HAS_UPPER = 2;
const HAS_DIGIT = 4;
const HAS_JOINT = 8;
const HAS_HUMP = 16;
const BEYOND_HEX = 32;
const LAST_HEX = 0x66;

const SHORTEST = 3;
const SHORTEST_NAME = 4;
/** Longer runs are data, not words. */
const LONGEST = 60;

/** The words between two positions of a text: runs of letters, digits, `_` and `$`. */
export function forEachWord(text: string, from: number, to: number, visit: VisitWord): void {
  for (let at = from; at < to; at++) {
    let code = text.charCodeAt(at);
    let kind = CLASS_OF[code] ?? OTHER;
    if (kind === OTHER) continue;
    const start = at;
    let has = 0;
    let hash = 0x811c9dc5;
    let last = OTHER;
    do {
      if (kind === LOWER) has |= code > LAST_HEX ? HAS_LOWER | BEYOND_HEX : HAS_LOWER;
      else if (kind === DIGIT) has |= HAS_DIGIT;
      else if (kind === UPPER) has |= last === LOWER ? HAS_UPPER | HAS_HUMP : HAS_UPPER;
      else has |= last === OTHER ? BEYOND_HEX : HAS_JOINT | BEYOND_HEX;
      hash = Math.imul(hash ^ code, 0x01000193);
      last = kind;
      code = ++at < to ? text.charCodeAt(at) : 0;
      kind = CLASS_OF[code] ?? OTHER;
    } while (kind !== OTHER);
    const length = at - start;
    if (length < SHORTEST || length > LONGEST || (code === 0x22 && text.charCodeAt(at + 1) === 0x3a)) continue;
    const shape = shapeOf(has, length, text, start, at);
    visit(hash, shape, length);
  }
}

function shapeOf(has: number, length: number, text: string, start: number, end: number): number {
  if (has === HAS_DIGIT) return length < 5 ? NUMBER : LONG_NUMBER;
  if (length < SHORTEST_NAME) return PLAIN;
  if ((has & HAS_HUMP) !== 0) return CAMEL;
  if ((has & HAS_JOINT) !== 0) return SNAKE;
  if ((has & HAS_DIGIT) !== 0) return (has & (BEYOND_HEX | HAS_UPPER)) === 0 && length >= 7 ? HEX : MIXED;
  const next = text.charCodeAt(end);
  if (next === 0x2e && CLASS_OF[text.charCodeAt(end + 1)] === LOWER) return FILE;
  if (next === 0x2f || (start > 0 && text.charCodeAt(start - 1) === 0x2f)) return FOLDER;
  if ((has & HAS_UPPER) === 0) return length < 8 ? PLAIN : LONG;
  if ((has & HAS_LOWER) === 0) return CAPITALS;
  return length < 8 ? NAME : LONG_NAME;
}

/** Of every UTF-16 code unit: letters of other scripts are small ones. */
function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  table.fill(LOWER, 0x61, 0x7b);
  table.fill(UPPER, 0x41, 0x5b);
  table.fill(DIGIT, 0x30, 0x3a);
  table[0x5f] = JOINT;
  table[0x24] = JOINT;
  table.fill(LOWER, 0xc0, 0x2000);
  table.fill(LOWER, 0x3040, 0xd800);
  return table;
}
