import type { JsonFields } from "../json-fields.ts";

/** Which call of an answer a piece of a call belongs to. Some servers leave out the index: with them, an id begins a call. */
export class CallSlots {
  #last = -1;

  slotOf(delta: JsonFields): number {
    const { index, id } = delta;
    if (typeof index === "number") this.#last = index;
    else if (this.#last === -1 || (typeof id === "string" && id !== "")) this.#last++;
    return this.#last;
  }
}
