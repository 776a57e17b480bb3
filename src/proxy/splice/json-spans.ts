/** Where a value is in the bytes of a JSON text: half-open, without the white space around it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface MemberSpan {
  readonly key: string;
  /** Position of the key's first quote. */
  readonly start: number;
  readonly value: Span;
  /** If the value is a list: its elements, found in the same pass. */
  readonly elements: readonly Span[] | undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/**
 * Returns the members of the object that begins at `start`, in order; a duplicate key is listed twice. The bytes must be JSON that `JSON.parse`
 * accepts: nothing is checked here, for speed.
 */
export function membersAt(bytes: Uint8Array, start: number): { readonly members: readonly MemberSpan[]; readonly end: number } {
  const members: MemberSpan[] = [];
  let at = skipSpace(bytes, start + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_OBJECT) {
    const keyEnd = endOfString(bytes, at);
    const start = skipPast(bytes, keyEnd, COLON);
    const list = bytes[start] === OPEN_LIST ? elementsAt(bytes, start) : undefined;
    const end = list?.end ?? endOfValue(bytes, start);
    members.push({ key: keyIn(bytes, at, keyEnd), start: at, value: { start, end }, elements: list?.elements });
    at = skipPast(bytes, end, COMMA);
  }
  return { members, end: at + 1 };
}

/** Returns the elements of the list that begins at `start`. */
export function elementsAt(bytes: Uint8Array, start: number): { readonly elements: readonly Span[]; readonly end: number } {
  const elements: Span[] = [];
  let at = skipSpace(bytes, start + 1);
  while (at < bytes.length && bytes[at] !== CLOSE_LIST) {
    const element = { start: at, end: endOfValue(bytes, at) };
    elements.push(element);
    at = skipPast(bytes, element.end, COMMA);
  }
  return { elements, end: at + 1 };
}

/** Returns where the first value begins. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  // Tab, line feed, carriage return and space are all that JSON has below the quote.
  while (at < bytes.length && (bytes[at] ?? 0) <= SPACE) at++;
  return at;
}

/** Skips white space, one separator, and white space again. */
function skipPast(bytes: Uint8Array, start: number, separator: number): number {
  const at = skipSpace(bytes, start);
  return bytes[at] === separator ? skipSpace(bytes, at + 1) : at;
}

export function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start];
  if (first === QUOTE) return endOfString(bytes, start);
  return first === OPEN_OBJECT || first === OPEN_LIST ? endOfNested(bytes, start) : endOfPlain(bytes, start);
}

/** Not recursive, because a hostile value may be nested as deep as it is long. */
function endOfNested(bytes: Uint8Array, start: number): number {
  let at = start;
  let depth = 0;
  do {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = endOfString(bytes, at);
      continue;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) depth--;
    at++;
  } while (depth > 0 && at < bytes.length);
  return at;
}

export function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
  return bytes.length;
}

/** A number, `true`, `false` or `null`. */
function endOfPlain(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte <= SPACE || byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT) break;
  }
  return at;
}

function keyIn(bytes: Uint8Array, start: number, end: number): string {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("utf8")) as string;
}
