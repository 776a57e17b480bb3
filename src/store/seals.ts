import { createHash } from "node:crypto";
import type { Segment } from "./segments.ts";

/**
 * What a store keeps beside commits, not covered by their hashes: names, where branches left others, how long they are, and the recorded
 * steps. Each branch has a seal over all of that. Every append computes it again from the branch's row: `origin`
 * covers what never changes, and `steps` is a hash chain over the branch's own steps.
 */
export interface Sealed {
  readonly origin: string;
  readonly length: number;
  /** In its stored form. */
  readonly head: string | null;
  readonly steps: string;
}

export interface Origin {
  readonly thread: string;
  readonly name: string;
  /** The branch that it left. */
  readonly parent: string | null;
  readonly start: number;
  /** The segments that it shares with others, in order, without its own. */
  readonly shared: readonly Segment[];
}

/** A branch with what its seal covers, as both databases select it. */
export interface UnsealedRow {
  readonly number: number;
  readonly id: string;
  readonly name: string;
  readonly parent: string | null;
  readonly start: number;
  readonly length: number;
  readonly head: string | null;
  readonly steps_hash: string;
}

/** A note as it is stored, without its seal. */
interface Unsealed {
  readonly thread: string;
  readonly kind: string;
  readonly key: string;
  readonly at: number;
  readonly packed: Uint8Array;
}

/** Short, because notes are small and many, and forging a note with another's seal gains nothing. */
const NOTE_SEAL_BYTES = 16;

/** The chain of a branch without steps. */
export const NO_STEPS = "";

export function originOf({ thread, name, parent, start, shared }: Origin): string {
  const segments = shared.map((segment) => [segment.number, segment.start, segment.stop, segment.lastStep]);
  return hashOf(JSON.stringify([thread, name, parent, start, segments]));
}

export function sealOf({ origin, length, head, steps }: Sealed): string {
  return hashOf(JSON.stringify([origin, length, head, steps]));
}

/** Returns the chain with one more step. */
export function stepsWith(steps: string, length: number, packed: Uint8Array): string {
  return createHash("sha256").update(`${steps} ${length} `).update(packed).digest("hex");
}

export function memoSeal(key: Uint8Array, packed: Uint8Array): string {
  return createHash("sha256").update(key).update(packed).digest("hex");
}

/** Returns the seal of a note whose names are in their stored form. */
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
