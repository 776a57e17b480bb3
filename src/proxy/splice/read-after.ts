import { invalid, type PalimpsestError } from "../../errors/palimpsest-error.ts";
import { elementsAt, endOfString, endOfValue, type MemberSpan, type Span } from "./json-spans.ts";

/** A body that was read before: its bytes, its parsed value, and where its members are. */
export interface KnownBody {
  readonly bytes: Buffer;
  readonly body: Fields;
  readonly members: readonly MemberSpan[];
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that hold the messages. */
const LISTS: ReadonlySet<string> = new Set(["messages", "input"]);
const COMMA = 0x2c;
const COLON = 0x3a;
const QUOTE = 0x22;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;

export interface Shared {
  /** How many messages of the known body these bytes begin with, including everything before them. */
  readonly shared: number;
  /** Where the last shared message ends. */
  readonly end: number;
  /** How many messages the known body has. */
  readonly length: number;
}

export function sharedWith({ bytes: known, members }: KnownBody, bytes: Buffer): Shared {
  const elements = listOf(members)?.elements ?? [];
  const isShared = (count: number): boolean => {
    const end = elements[count - 1]?.end ?? 0;
    return end <= bytes.length && known.compare(bytes, 0, end, 0, end) === 0;
  };
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isShared(middle)) low = middle;
    else high = middle - 1;
  }
  return { shared: low, end: elements[low - 1]?.end ?? 0, length: elements.length };
}

/**
 * Reads a body that shares its first messages with a known one: it reuses their objects and parses only the rest. Undefined: not JSON, or of a form
 * that has to be read as a whole.
 */
export function readAfter(known: KnownBody, shared: number, bytes: Buffer): { readonly body: Fields; readonly members: readonly MemberSpan[] } | undefined {
  try {
    return new Continuation(known, shared, bytes).read();
  } catch {
    return undefined;
  }
}

function listOf(members: readonly MemberSpan[]): MemberSpan | undefined {
  return members.find(({ key, elements }) => LISTS.has(key) && elements !== undefined);
}

function notJson(found: string): PalimpsestError {
  return invalid("INVALID_INPUT", "body", "JSON", found);
}

/** A body with duplicate keys, of which the last one counts, is read as a whole. */
function hasPlainKeys(members: readonly MemberSpan[]): boolean {
  return new Set(members.map(({ key }) => key)).size === members.length;
}

/** Checks everything that `JSON.parse` would: it parses every value, and checks the bytes between them. Throws `INVALID_INPUT`, or what `JSON.parse` throws. */
class Continuation {
  readonly #known: KnownBody;
  readonly #bytes: Buffer;
  readonly #shared: number;
  #at = 0;

  constructor(known: KnownBody, shared: number, bytes: Buffer) {
    this.#known = known;
    this.#shared = shared;
    this.#bytes = bytes;
  }

  read(): { readonly body: Fields; readonly members: readonly MemberSpan[] } | undefined {
    const { members: before, body } = this.#known;
    const list = listOf(before);
    const messages = list === undefined ? undefined : body[list.key];
    if (list?.elements === undefined || !Array.isArray(messages) || !hasPlainKeys(before)) return undefined;
    const members = before.slice(0, before.indexOf(list));
    const values: [string, unknown][] = members.map(({ key }) => [key, body[key]]);
    const elements = list.elements.slice(0, this.#shared);
    this.#at = this.#pastSpace(elements.at(-1)?.end ?? 0);
    const all = [...(messages as readonly unknown[]).slice(0, this.#shared), ...this.#restOfList(elements)];
    values.push([list.key, all]);
    members.push({ key: list.key, start: list.start, value: { start: list.value.start, end: this.#at }, elements });
    while (this.#is(COMMA)) {
      const [member, value] = this.#member();
      members.push(member);
      values.push([member.key, value]);
    }
    if (!this.#is(CLOSE_OBJECT) || this.#at < this.#bytes.length) return undefined;
    return hasPlainKeys(members) ? { body: Object.fromEntries(values), members } : undefined;
  }

  #restOfList(elements: Span[]): unknown[] {
    const values: unknown[] = [];
    while (this.#is(COMMA)) {
      const span = this.#value();
      elements.push(span);
      values.push(this.#parsed(span));
    }
    if (this.#bytes[this.#at] !== CLOSE_LIST) throw notJson("a list without end");
    this.#at++;
    return values;
  }

  #member(): [MemberSpan, unknown] {
    const start = this.#at;
    if (this.#bytes[start] !== QUOTE) throw notJson("a key without quotes");
    const keyEnd = endOfString(this.#bytes, start);
    const key = String(this.#parsed({ start, end: keyEnd }));
    this.#at = this.#pastSpace(keyEnd);
    if (!this.#is(COLON)) throw notJson("a key without a value");
    const value = this.#value();
    const known = this.#known.members.find((member) => member.key === key);
    const isSame = known !== undefined && this.#isSame(known.value, value);
    const shift = value.start - (known?.value.start ?? 0);
    const elements = isSame ? known.elements?.map((span) => ({ start: span.start + shift, end: span.end + shift })) : undefined;
    if (isSame) return [{ key, start, value, elements }, this.#known.body[key]];
    const parsed = this.#parsed(value);
    return [{ key, start, value, elements: Array.isArray(parsed) ? elementsAt(this.#bytes, value.start).elements : undefined }, parsed];
  }

  #isSame(known: Span, span: Span): boolean {
    return known.end - known.start === span.end - span.start && this.#known.bytes.compare(this.#bytes, span.start, span.end, known.start, known.end) === 0;
  }

  /** Reads the next value, and the white space after it. */
  #value(): Span {
    const start = this.#at;
    const end = endOfValue(this.#bytes, start);
    this.#at = this.#pastSpace(end);
    return { start, end };
  }

  /** Skips this character, and the white space around it. False: the next character is another one. */
  #is(character: number): boolean {
    this.#at = this.#pastSpace(this.#at);
    if (this.#bytes[this.#at] !== character) return false;
    this.#at = this.#pastSpace(this.#at + 1);
    return true;
  }

  /** Skips only JSON's white space, unlike `skipSpace`, which assumes that the bytes are JSON. */
  #pastSpace(start: number): number {
    let at = start;
    while (WHITE_SPACE.has(this.#bytes[at] ?? 0)) at++;
    return at;
  }

  #parsed({ start, end }: Span): unknown {
    return JSON.parse(this.#bytes.toString("utf8", start, end));
  }
}
