import type { JsonFields } from "../json-fields.ts";

/** Tells which call of an answer a piece belongs to. Some servers leave out the index: there, an id begins a new call. */
export class CallSlots {
  #last = -1;

  slotOf(delta: JsonFields): number {
    const { index, id } = delta;
    if (typeof index === "number") this.#last = index;
    else if (this.#last === -1 || (typeof id === "string" && id !== "")) this.#last++;
    return this.#last;
  }
}
