import { createHash } from "node:crypto";
import type { Segment } from "./segments.ts";

/**
 * What a store keeps beside commits, and no hash of a commit covers: names, where branches left others, how long they are, and the recorded
 * steps. Each branch has a seal over all of that. It is made anew with every append, out of what the row of the branch holds: `origin`
 * covers what never changes, and `steps` is a chain over the branch's own steps.
 */
export interface Sealed {
  readonly origin: string;
  readonly length: number;
  /** As it is stored. */
  readonly head: string | null;
  readonly steps: string;
}

export interface Origin {
  readonly thread: string;
  readonly name: string;
  /** The branch that it left. */
  readonly parent: string | null;
  readonly start: number;
  /** What it shares with others, in order, without its own. */
  readonly shared: readonly Segment[];
}

/** A note as it is stored, without its seal. */
interface Unsealed {
  readonly thread: string;
  readonly kind: string;
  readonly key: string;
  readonly at: number;
  readonly packed: Uint8Array;
}

/** Notes are small and many, and nobody gains by making one with the seal of another. */
const NOTE_SEAL_BYTES = 16;

/** Of a branch without steps. */
export const NO_STEPS = "";

export function originOf({ thread, name, parent, start, shared }: Origin): string {
  const segments = shared.map((segment) => [segment.number, segment.start, segment.stop, segment.lastStep]);
  return hashOf(JSON.stringify([thread, name, parent, start, segments]));
}

export function sealOf({ origin, length, head, steps }: Sealed): string {
  return hashOf(JSON.stringify([origin, length, head, steps]));
}

/** The chain with one step more. */
export function stepsWith(steps: string, length: number, packed: Uint8Array): string {
  return createHash("sha256").update(`${steps} ${length} `).update(packed).digest("hex");
}

export function memoSeal(key: Uint8Array, packed: Uint8Array): string {
  return createHash("sha256").update(key).update(packed).digest("hex");
}

/** The names of the note are as they are stored. */
export function noteSeal({ thread, kind, key, at, packed }: Unsealed): Buffer {
  return createHash("sha256")
    .update(JSON.stringify([thread, kind, key, at]))
    .update(packed)
    .digest()
    .subarray(0, NOTE_SEAL_BYTES);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
