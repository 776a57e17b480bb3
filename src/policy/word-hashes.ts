/**
 * The words of a text that may tell it apart from others: names, paths, ids, numbers. As hashes, because millions of them are
 * compared and none is ever shown. A word is a run of letters, digits, `_` and `$`; it counts if it has five characters or more and
 * something about it is not plain prose (a digit, an underscore, a capital in the middle), or eight or more, or is a number of three digits.
 */
export function forEachWord(text: string, visit: (hash: number) => void): void {
  const end = text.length;
  let at = 0;
  while (at < end) {
    let unit = text.charCodeAt(at);
    if (CLASS[unit < 128 ? unit : 127] === 0) {
      at++;
      continue;
    }
    const start = at;
    let hash = 0x811c9dc5;
    let digits = 0;
    let marks = 0;
    for (;;) {
      hash = Math.imul(hash ^ unit, 0x01000193);
      const kind = CLASS[unit < 128 ? unit : 127];
      if (kind === DIGIT) digits++;
      else if (kind === MARK || (kind === CAPITAL && at > start)) marks++;
      if (++at === end) break;
      unit = text.charCodeAt(at);
      if (CLASS[unit < 128 ? unit : 127] === 0) break;
    }
    const length = at - start;
    const tells = digits === length ? length >= 3 : length >= 8 || (length >= 5 && digits + marks > 0);
    if (tells && length <= MAX_LENGTH) visit(hash | 0);
  }
}

/** Longer runs are data, not words. */
const MAX_LENGTH = 80;
const SMALL = 1;
const CAPITAL = 2;
const DIGIT = 3;
const MARK = 4;

/** Per unit below 127; 127 stands for all others: letters of other scripts are small ones. */
const CLASS: Uint8Array = classTable();

function classTable(): Uint8Array {
  const table = new Uint8Array(128);
  table.fill(SMALL, 97, 123);
  table.fill(CAPITAL, 65, 91);
  table.fill(DIGIT, 48, 58);
  table[95] = MARK;
  table[36] = MARK;
  table[127] = SMALL;
  return table;
}
