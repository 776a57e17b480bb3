const OTHER = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const JOINT = 4;
/** A letter of another script. */
const FOREIGN = 5;

const CLASS_OF: Uint8Array = classTable();

/** Bits of what a word has in it. */
const HAS_LOWER = 1;
const HAS_UPPER = 2;
const HAS_DIGIT = 4;
const HAS_JOINT = 8;
const HAS_HUMP = 16;
const BEYOND_HEX = 32;
const LAST_HEX = 0x66;
/** By class; the rest depends on the character before. */
const TRAITS_OF: Uint8Array = Uint8Array.of(0, HAS_LOWER, HAS_UPPER | BEYOND_HEX, HAS_DIGIT, BEYOND_HEX, HAS_LOWER | BEYOND_HEX);

/** Places for words that were seen: fewer for short texts, because they are made anew for each. */
const MOST_PLACES = 1 << 16;
const FEWEST_PLACES = 1 << 8;
const CHARACTERS_PER_PLACE = 4;
/** What a word is worth that was there so often already. */
const AGAIN: readonly number[] = [1, 0.3, 0.1, 0.03];
const LONGEST_NAME = 60;
const SHORTEST_HEX = 7;

/**
 * How much of a text is worth referring to later: names, paths, numbers and ids, each the most where it first stands.
 * It is exact but for words that share a place in its table.
 */
export class WordWorth {
  readonly #seen: Uint8Array;

  /** For texts that are together about so long. */
  constructor(characters: number) {
    let places = FEWEST_PLACES;
    while (places < MOST_PLACES && places * CHARACTERS_PER_PLACE < characters) places *= 2;
    this.#seen = new Uint8Array(places);
  }

  /** Sum over the words of a part of a text. */
  between(text: string, from: number, to: number): number {
    let worth = 0;
    for (let at = from; at < to; at++) {
      let code = text.charCodeAt(at);
      let kind = CLASS_OF[code] ?? OTHER;
      if (kind === OTHER) continue;
      const start = at;
      let has = 0;
      let hash = 0;
      let last = OTHER;
      for (; kind !== OTHER; kind = CLASS_OF[code] ?? OTHER) {
        has |= TRAITS_OF[kind] ?? 0;
        if (kind === UPPER && last === LOWER) has |= HAS_HUMP;
        else if (kind === LOWER && code > LAST_HEX) has |= BEYOND_HEX;
        else if (kind === JOINT && last !== OTHER) has |= HAS_JOINT;
        hash = (Math.imul(hash, 31) + code) | 0;
        last = kind;
        // Behind the end of the text there is no code, and no class; a part of it ends where a word may go on.
        code = ++at < to ? text.charCodeAt(at) : 0;
      }
      if (isKey(text, at)) continue;
      const value = worthOfWord(has, at - start, isInPath(text, start, at, from));
      if (value > 0) worth += value * this.#again(hash);
    }
    return worth;
  }

  #again(hash: number): number {
    const place = (hash ^ (hash >>> 16)) & (this.#seen.length - 1);
    const times = this.#seen[place] ?? 0;
    if (times < AGAIN.length - 1) this.#seen[place] = times + 1;
    return AGAIN[times] ?? 0;
  }
}

function worthOfWord(has: number, length: number, isInPath: boolean): number {
  if (length > LONGEST_NAME) return 0;
  if ((has & ~HAS_DIGIT) === 0) return length < 3 ? 0 : length < 5 ? 0.5 : 0.25;
  if (length < 4) return 0;
  if ((has & (HAS_HUMP | HAS_JOINT)) !== 0) return (has & HAS_HUMP) === 0 ? 0.8 : 1;
  if ((has & HAS_DIGIT) !== 0) return (has & BEYOND_HEX) === 0 && length >= SHORTEST_HEX ? 0.25 : (has & HAS_LOWER) === 0 ? 1 : 0.7;
  if (isInPath) return 0.4;
  return (has & HAS_LOWER) === 0 ? 0.3 : 0;
}

/** Is the word beside a slash, or before an extension? */
function isInPath(text: string, start: number, end: number, from: number): boolean {
  if (start > from && text.charCodeAt(start - 1) === 0x2f) return true;
  const next = text.charCodeAt(end);
  return next === 0x2f || (next === 0x2e && end + 1 < text.length && CLASS_OF[text.charCodeAt(end + 1)] === LOWER);
}

/** Of JSON: the same keys are in every record, and it is their values that are used. */
function isKey(text: string, end: number): boolean {
  return text.charCodeAt(end) === 0x22 && text.charCodeAt(end + 1) === 0x3a;
}

/** Of every UTF-16 code unit. */
function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  table.fill(LOWER, 0x61, 0x7b);
  table.fill(UPPER, 0x41, 0x5b);
  table.fill(DIGIT, 0x30, 0x3a);
  table[0x5f] = JOINT;
  table.fill(FOREIGN, 0xc0, 0x2000);
  return table;
}
