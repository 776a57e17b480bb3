import { invalid } from "../../errors/palimpsest-error.ts";
import { elementsAt, membersAt, type Span } from "./json-spans.ts";

/** Where a value stands in a text. Of most nobody asks, so it is looked up only when somebody does. */
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

  /** The place of a member, or of an element by its number, which has to be there. */
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

/** Where a key is there twice, the last one counts, as for `JSON.parse`. */
function innerSpans(bytes: Uint8Array, start: number): ReadonlyMap<string, Span> {
  if (bytes[start] === OPEN_LIST) return new Map(elementsAt(bytes, start).elements.map((span, index) => [String(index), span]));
  return new Map(membersAt(bytes, start).members.map(({ key, value }) => [key, value]));
}
