import { eachWord } from "./value-finder.ts";

/** What stands around a value where it was read: enough to tell what it is the value of. */
export interface SourceContext {
  /** The four nearest words. */
  readonly words: readonly string[];
  /** In JSON: the key of the value and those beside it. */
  readonly keys: readonly string[];
}

const SOURCE_BEFORE = 60;
const SOURCE_AFTER = 40;
const VIEW_BEFORE = 120;
const VIEW_AFTER = 80;
const NEAREST = 4;
const NEEDED = 2;
/** How far the keys beside a value are looked for. */
const JSON_REACH = 2_000;

export function contextAt(text: string, start: number, length: number, isJson: boolean): SourceContext {
  const words = new Map<string, number>();
  const consider = (word: string, distance: number): void => {
    if (!/^[A-Za-z_]\w/.test(word)) return;
    const known = words.get(word);
    if (known === undefined || distance < known) words.set(word, distance);
  };
  const from = Math.max(0, start - SOURCE_BEFORE);
  const end = start + length;
  eachWord(text.slice(from, start), (word, at) => {
    const isCut = at === 0 && from > 0 && /\w/.test(text.charAt(from - 1));
    if (!isCut) consider(word, start - from - at - word.length);
  });
  const after = text.slice(end, end + SOURCE_AFTER);
  eachWord(after, (word, at) => {
    const isCut = at + word.length === after.length && /\w/.test(text.charAt(end + SOURCE_AFTER));
    if (!isCut) consider(word, at);
  });
  const nearest = [...words].toSorted((a, b) => a[1] - b[1]).slice(0, NEAREST);
  return { words: nearest.map(([word]) => word), keys: isJson ? keysAround(text, start, end) : [] };
}

/** Do the words around this place say the same as one of the sources? Where a source has no words, the value alone must do. */
export function isBoundAt(text: string, start: number, length: number, sources: readonly SourceContext[]): boolean {
  const around = new Set<string>();
  const add = (word: string): unknown => around.add(word);
  eachWord(text.slice(Math.max(0, start - VIEW_BEFORE), start), add);
  eachWord(text.slice(start + length, start + length + VIEW_AFTER), add);
  return sources.some(({ words, keys }) => {
    if (keys.some((key) => around.has(key))) return true;
    let found = 0;
    for (const word of words) if (around.has(word)) found++;
    return found >= Math.min(NEEDED, words.length);
  });
}

/** The keys of the object that the value is in: its own and those beside it, as far as they are single words. */
function keysAround(text: string, start: number, end: number): readonly string[] {
  const keys = new Set<string>();
  const limitBefore = Math.max(0, start - JSON_REACH);
  let depth = 0;
  let open = start - 1;
  for (; open > limitBefore; open--) {
    const char = text.charAt(open);
    if (char === "}") depth++;
    else if (char === "{" && depth-- === 0) break;
  }
  const own = keysIn(text.slice(open, start)).at(-1);
  if (own !== undefined) keys.add(own);
  depth = 0;
  let close = end;
  for (; close < Math.min(text.length, end + JSON_REACH); close++) {
    const char = text.charAt(close);
    if (char === "{") depth++;
    else if (char === "}" && depth-- === 0) break;
  }
  const object = withoutInner(text.slice(open + 1, close));
  for (const key of keysIn(object)) keys.add(key);
  return [...keys];
}

function keysIn(text: string): string[] {
  return [...text.matchAll(/"(\w+)"\s*:/g)].map(([, key = ""]) => key);
}

/** An object's text without the objects in it. */
function withoutInner(text: string): string {
  let depth = 0;
  let kept = "";
  for (const char of text) {
    if (char === "{") depth++;
    if (depth === 0) kept += char;
    if (char === "}" && depth > 0) depth--;
  }
  return kept;
}
