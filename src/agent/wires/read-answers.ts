import type { Answer } from "../front-end/wire.ts";
import type { JsonFields } from "./json-fields.ts";

/** Puts the events of one streamed answer together. */
interface Accumulator {
  add(event: JsonFields): void;
  /** Undefined: it is not complete. */
  result(): object | undefined;
}

/** The answers that one stream of a client consists of: the current one, and those before it that called hidden tools only. */
export class ReadAnswers<A extends Accumulator> {
  readonly #begin: () => A;
  readonly before: object[] = [];
  current: A;
  isContinued = false;

  constructor(begin: () => A) {
    this.#begin = begin;
    this.current = begin();
  }

  /** Returns the current answer, once it is complete. */
  read(read: (raw: object) => Answer): Answer | undefined {
    const result = this.current.result();
    return result === undefined ? undefined : read(result);
  }

  /** Another answer follows in the same stream. */
  continue(): void {
    const result = this.current.result();
    if (result !== undefined) this.before.push(result);
    this.current = this.#begin();
    this.isContinued = true;
  }
}
