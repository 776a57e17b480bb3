import type { JsonFields } from "../json-fields.ts";
import { CallSlots } from "./call-slots.ts";
import { nameOfCall } from "./chat-answer.ts";

/** Removes the pieces of hidden calls from a stream, and numbers the other calls across all answers. */
export class ShownCalls {
  readonly #isHidden: (toolName: string) => boolean;
  #slots = new CallSlots();
  /** Indexes under which the client sees the calls of the current answer, unless hidden. */
  #places = new Map<number, number | "hidden">();
  /** Pieces of calls whose name has not come yet. */
  #nameless = new Map<number, readonly JsonFields[]>();
  #shown = 0;

  constructor(isHidden: (toolName: string) => boolean) {
    this.#isHidden = isHidden;
  }

  /** Returns what the client gets now: the same object if nothing is changed. */
  show(delta: JsonFields): readonly JsonFields[] {
    const slot = this.#slots.slotOf(delta);
    const pieces = [...(this.#nameless.get(slot) ?? []), delta];
    const place = this.#places.get(slot) ?? this.#placeFor(nameOfCall(delta));
    if (place === undefined) {
      this.#nameless.set(slot, pieces);
      return [];
    }
    this.#nameless.delete(slot);
    this.#places.set(slot, place);
    return place === "hidden" ? [] : pieces.map((piece) => (piece["index"] === place ? piece : { ...piece, index: place }));
  }

  /** Another answer follows. */
  continue(): void {
    this.#slots = new CallSlots();
    this.#places = new Map();
    this.#nameless = new Map();
  }

  #placeFor(name: string): number | "hidden" | undefined {
    if (name === "") return undefined;
    return this.#isHidden(name) ? "hidden" : this.#shown++;
  }
}
