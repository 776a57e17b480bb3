import { isUtf8 } from "node:buffer";
import { isRecord } from "../errors/is-record.ts";
import { membersAt, skipSpace, type MemberSpan } from "./splice/json-spans.ts";
import { readAfter, sharedWith, type KnownBody } from "./splice/read-after.ts";

/** A request that could be read: as it came, unpacked, and parsed. */
export interface Received {
  readonly bytes: Buffer;
  readonly unpacked: Buffer;
  readonly body: Readonly<Record<string, unknown>>;
  /** Where the members of the body are in `unpacked`. */
  readonly members: () => readonly MemberSpan[];
}

/** Limits of the remembered bodies. */
const MOST_BODIES = 64;
const MOST_BYTES = 32 * 1024 * 1024;
/** A conversation that continues is among the newest of those that begin alike. */
const MOST_COMPARED = 4;
/** Messages at the end that may differ in the next call, because a cache marker moves on. */
const MOST_CHANGED = 3;

interface Closest {
  readonly known: KnownBody;
  readonly number: number;
  readonly shared: number;
  /** Where the last of them ends. */
  readonly end: number;
  readonly isReplaced: boolean;
}

/**
 * Reads requests. An agent sends its whole history with every call, so most bytes of a body are those of the body before. They are not parsed
 * again: their messages are the same objects, which later steps recognize quickly.
 */
export class RequestReader {
  /** The newest last. */
  readonly #known: Received[] = [];
  #knownBytes = 0;

  /** Size of all remembered bodies. */
  get bytes(): number {
    return this.#knownBytes;
  }

  /** Returns how many of these bytes are not known from an earlier body. */
  unseenBytes(unpacked: Buffer): number {
    return unpacked.length - (this.#closest(unpacked)?.end ?? 0);
  }

  /** Undefined: not a JSON object in UTF-8. It is then sent as it came. */
  read(bytes: Buffer, unpacked: Buffer): Received | undefined {
    if (!isUtf8(unpacked)) return undefined;
    const received = this.#goOn(bytes, unpacked) ?? readWhole(bytes, unpacked);
    if (received !== undefined) this.#remember(received);
    return received;
  }

  #goOn(bytes: Buffer, unpacked: Buffer): Received | undefined {
    const best = this.#closest(unpacked);
    if (best === undefined) return undefined;
    const read = readAfter(best.known, best.shared, unpacked);
    if (read === undefined) return undefined;
    // The next body will continue this one.
    if (best.isReplaced) this.#forget(best.number);
    const { body, members } = read;
    return { bytes, unpacked, body, members: () => members };
  }

  /** Returns the known body that shares the most messages with this one. */
  #closest(unpacked: Buffer): Closest | undefined {
    let best: Closest | undefined;
    let compared = 0;
    for (let number = this.#known.length - 1; number >= 0 && compared < MOST_COMPARED; number--) {
      const received = this.#known[number];
      if (received === undefined) continue;
      const known = { bytes: received.unpacked, body: received.body, members: received.members() };
      const { shared, length, end } = sharedWith(known, unpacked);
      if (shared === 0) continue;
      compared++;
      const isReplaced = length - shared <= MOST_CHANGED;
      if (best === undefined || shared > best.shared) best = { known, number, shared, end, isReplaced };
      if (isReplaced) break;
    }
    return best;
  }

  #remember(received: Received): void {
    this.#known.push(received);
    this.#knownBytes += received.unpacked.length;
    while (this.#known.length > MOST_BODIES || (this.#knownBytes > MOST_BYTES && this.#known.length > 1)) this.#forget(0);
  }

  #forget(number: number): void {
    for (const { unpacked } of this.#known.splice(number, 1)) this.#knownBytes -= unpacked.length;
  }
}

function readWhole(bytes: Buffer, unpacked: Buffer): Received | undefined {
  try {
    const body: unknown = JSON.parse(unpacked.toString("utf8"));
    if (!isRecord(body)) return undefined;
    let members: readonly MemberSpan[] | undefined;
    return { bytes, unpacked, body, members: () => (members ??= membersAt(unpacked, skipSpace(unpacked, 0)).members) };
  } catch {
    return undefined;
  }
}
