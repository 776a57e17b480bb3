import { invalid } from "../../errors/palimpsest-error.ts";
import { elementsAt, membersAt, type Span } from "./json-spans.ts";

/** Where a value is in a text. Looked up only on demand, because most are never asked for. */
export class Place {
  readonly #bytes: Uint8Array;
  readonly #find: () => Span;
  #span: Span | undefined;
  #inner: ReadonlyMap<string, Span> | undefined;

  private constructor(bytes: Uint8Array, find: () => Span) {
    this.#bytes = bytes;
    this.#find = find;
  }

  static at(bytes: Uint8Array, span: Span): Place {
    return new Place(bytes, () => span);
  }

  get span(): Span {
    this.#span ??= this.#find();
    return this.#span;
  }

  /** Returns the place of a member, or of an element by its number. It must exist. */
  inner(key: string): Place {
    return new Place(this.#bytes, () => {
      this.#inner ??= innerSpans(this.#bytes, this.span.start);
      const span = this.#inner.get(key);
      if (span === undefined) throw invalid("INVALID_INPUT", key, "a key of the text that the value was parsed from", key);
      return span;
    });
  }
}

const OPEN_LIST = 0x5b;

/** Of a duplicate key, the last one counts, as in `JSON.parse`. */
function innerSpans(bytes: Uint8Array, start: number): ReadonlyMap<string, Span> {
  if (bytes[start] === OPEN_LIST) return new Map(elementsAt(bytes, start).elements.map((span, index) => [String(index), span]));
  return new Map(membersAt(bytes, start).members.map(({ key, value }) => [key, value]));
}
