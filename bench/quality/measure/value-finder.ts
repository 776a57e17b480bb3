/** Where a value begins in a text, for each value (by its number) that is in it. */
export type Hits = ReadonlyMap<number, readonly number[]>;

interface Anchored {
  readonly number: number;
  readonly value: string;
  /** Where the anchor begins in the value. */
  readonly offset: number;
}

const MAX_OFFSETS = 64;
const NOTHING: Hits = new Map();

/**
 * Finds many values in a text in one pass: each is looked for only where its longest word stands. Case-sensitive, at
 * identifier boundaries.
 */
export class ValueFinder {
  readonly #byAnchor = new Map<string, Anchored[]>();

  constructor(values: readonly string[]) {
    for (const [number, value] of values.entries()) {
      const anchor = anchorOf(value);
      if (anchor === undefined) continue;
      const others = this.#byAnchor.get(anchor.word);
      const entry = { number, value, offset: anchor.offset };
      if (others === undefined) this.#byAnchor.set(anchor.word, [entry]);
      else others.push(entry);
    }
  }

  find(text: string): Hits {
    let hits: Map<number, number[]> | undefined;
    eachWord(text, (word, at) => {
      for (const { number, value, offset } of this.#byAnchor.get(word) ?? []) {
        const start = at - offset;
        if (start < 0 || !text.startsWith(value, start) || !isBounded(text, start, value.length)) continue;
        hits ??= new Map();
        const known = hits.get(number);
        if (known === undefined) hits.set(number, [start]);
        else if (known.length < MAX_OFFSETS) known.push(start);
      }
    });
    return hits ?? NOTHING;
  }
}

/** The longest word of a value; none, where it has no word at all. */
export function anchorOf(value: string): { readonly word: string; readonly offset: number } | undefined {
  let best: { readonly word: string; readonly offset: number } | undefined;
  eachWord(value, (word, offset) => {
    if (best === undefined || word.length > best.word.length) best = { word, offset };
  });
  return best;
}

/** Words are runs of letters, digits and underscores. */
export function eachWord(text: string, visit: (word: string, at: number) => void): void {
  let start = -1;
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isWordCode(text.charCodeAt(at))) {
      if (start === -1) start = at;
    } else if (start !== -1) {
      visit(text.slice(start, at), start);
      start = -1;
    }
  }
}

/** Does no identifier go on over one of the ends? */
export function isBounded(text: string, start: number, length: number): boolean {
  const end = start + length;
  const isOpenBefore = start > 0 && isWordCode(text.charCodeAt(start)) && isWordCode(text.charCodeAt(start - 1));
  const isOpenBehind = end < text.length && isWordCode(text.charCodeAt(end - 1)) && isWordCode(text.charCodeAt(end));
  return !isOpenBefore && !isOpenBehind;
}

export function includesBounded(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) if (isBounded(text, at, value.length)) return true;
  return false;
}

function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}
