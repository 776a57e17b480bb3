import type { Recoverable } from "../../../src/replay/replay-policy.ts";
import type { Message } from "../../../src/messages/message.ts";
import { segmentsOf } from "./segments.ts";
import type { ValueTable } from "./value-table.ts";
import type { IndexedMessage } from "./view-index.ts";

/** How a view shows a value. `bare`: without the words that it was read with. */
export type Credit = "bound" | "bare" | "recoverable" | "lost";

export interface CreditOf {
  readonly credit: Credit;
  /** For `recoverable`: what a recall brings back. */
  readonly recalled?: Recoverable;
}

const handlesIn = new WeakMap<Message, Map<string, boolean>>();

export function creditIn(view: readonly IndexedMessage[], recoverable: readonly Recoverable[], number: number, table: ValueTable): CreditOf {
  let isVisible = false;
  for (let at = view.length - 1; at >= 0; at--) {
    const texts = view[at]?.holders.get(number);
    if (texts === undefined) continue;
    isVisible = true;
    if (texts.some((text) => table.isBoundIn(text, number))) return { credit: "bound" };
  }
  if (isVisible) return { credit: "bare" };
  const recalled = recoverable.find(({ handle, text }) => table.hitsInRaw(text).has(number) && names(view, handle));
  return recalled === undefined ? { credit: "lost" } : { credit: "recoverable", recalled };
}

/** A view may name a part of an original in a range: `7f3kq20x-1…-40`. */
function names(view: readonly IndexedMessage[], named: string): boolean {
  const handle = named.replace(/-\d+$/, "");
  return view.some(({ message }) => {
    let known = handlesIn.get(message);
    if (known === undefined) handlesIn.set(message, (known = new Map()));
    let isNamed = known.get(handle);
    if (isNamed === undefined) known.set(handle, (isNamed = segmentsOf(message).some(({ text }) => text.includes(handle))));
    return isNamed;
  });
}
