import type { Place } from "../messages/place.ts";
import type { Change } from "./change.ts";

/**
 * Returns the id of an edit: a 64-bit hash of kind, places, shown content and `madeAt`. It tells edits of one thread apart;
 * it is not a defence against forged content (the commits of a history have a cryptographic hash for that).
 */
export function editId(change: Change, madeAt: number): string {
  return hash64(`${change.kind}|${madeAt}|`, ...shownPart(change));
}

/** Returns what to hash, in parts, so that long content is not copied first. */
function shownPart(change: Change): readonly string[] {
  switch (change.kind) {
    case "replace-result":
      return typeof change.content === "string" ? [`${place(change.at)}|s`, change.content] : [`${place(change.at)}|b`, JSON.stringify(change.content)];
    case "replace-input":
      return [`${place(change.at)}|`, JSON.stringify(change.input)];
    case "collapse-round":
      return [`${change.call}-${change.lastResult}|`, change.note];
    case "replace-range":
      return [`${place(change.from)}-${place(change.to)}|${change.role}|`, change.summary];
    case "strip-blocks":
      return [change.at.map(place).join(",")];
    case "replace-block":
      return [`${place(change.at)}|`, change.text];
  }
}

function place(at: Place): string {
  return `${at.position}.${at.block}`;
}

/**
 * Hashes the texts as one. Two multiply-xor lanes of 32 bits (murmur's finalizer), in plain integer arithmetic: fast, and the same on
 * every runtime.
 */
export function hash64(...texts: readonly string[]): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (const text of texts) {
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index);
      a = Math.imul(a ^ unit, 2654435761);
      b = Math.imul(b ^ unit, 1597334677);
    }
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return hex(b) + hex(a);
}

function hex(lane: number): string {
  return (lane >>> 0).toString(16).padStart(8, "0");
}
