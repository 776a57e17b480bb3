import type { Note } from "../../store/store.ts";
import type { ConversationAbout } from "../calls/conversation-about.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { redactedJson } from "./redaction.ts";
import { numbered, type Place, type SessionArchive } from "./session-archive.ts";
import type { SessionKeeper } from "./session-keeper.ts";

/** Records of calls that end within this time are written together. */
const TOGETHER_MS = 20;
/** How many records wait for an unavailable store; the oldest are dropped first. */
const MOST_WAITING = 10_000;

/** The record of a call that is over. */
export interface FinishedRecord {
  readonly about: ConversationAbout;
  readonly sequence: number;
  readonly record: CallRecord;
  /** Returns the keeper of its conversation, which knows the final branch. Undefined: it belongs to no conversation, and the record names the branch. */
  readonly keeper: ((archive: SessionArchive) => SessionKeeper | undefined) | undefined;
}

/** Writes the records of calls to a store. They wait here while it is unavailable. */
export class RecordWriter {
  readonly #archive: () => Promise<SessionArchive | undefined>;
  readonly #onWritten: () => void;
  readonly #onError: (error: unknown) => void;
  #waiting: FinishedRecord[] = [];
  #writing: Promise<void> = Promise.resolve();
  #wroteAtMs = 0;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(archive: () => Promise<SessionArchive | undefined>, onWritten: () => void, onError: (error: unknown) => void) {
    this.#archive = archive;
    this.#onWritten = onWritten;
    this.#onError = onError;
  }

  /** The records that are not written yet. */
  get waiting(): readonly FinishedRecord[] {
    return this.#waiting;
  }

  /** Queues a record. Does not wait. */
  add(finished: FinishedRecord): void {
    this.#waiting.push(finished);
    if (this.#waiting.length > MOST_WAITING) this.#waiting = this.#waiting.slice(-MOST_WAITING);
    // A single record is written at once, several in a row together.
    if (Date.now() - this.#wroteAtMs >= TOGETHER_MS) void this.write();
    else this.#soon ??= setTimeout(() => void this.write(), TOGETHER_MS);
  }

  /** Writes one batch after the other, each with everything that waits. */
  write(throws = false): Promise<void> {
    clearTimeout(this.#soon);
    this.#soon = undefined;
    this.#wroteAtMs = Date.now();
    const write = async (): Promise<void> => {
      const finished = [...this.#waiting];
      if (finished.length === 0) return;
      try {
        const archive = await this.#archive();
        if (archive !== undefined) await archive.store.putNotes(await notesOf(finished, archive));
        const written = new Set(finished);
        this.#waiting = this.#waiting.filter((one) => !written.has(one));
        this.#onWritten();
      } catch (error) {
        this.#onError(error);
        throw error;
      }
    };
    const written = this.#writing.then(write);
    this.#writing = written.catch(() => undefined);
    return throws ? written : this.#writing;
  }

  /** Stops the timer for the next write. */
  close(): void {
    clearTimeout(this.#soon);
  }
}

/** Returns a note per call, and the last summary of each conversation. */
async function notesOf(finished: readonly FinishedRecord[], archive: SessionArchive): Promise<Note[]> {
  const { redact } = archive;
  const calls: Note[] = [];
  const abouts = new Map<string, Note>();
  const places = new Map<SessionKeeper | undefined, Place | undefined>();
  for (const { about, sequence, record, keeper } of finished) {
    const kept = keeper?.(archive);
    if (!places.has(kept)) places.set(kept, await kept?.settle());
    const { thread, branch } = places.get(kept) ?? about;
    const at = about.lastMs;
    calls.push({ thread, kind: "call", key: numbered(branch, sequence), at, value: redactedJson({ ...record, branch }, redact) });
    abouts.set(JSON.stringify([thread, branch]), { thread, kind: "about", key: branch, at, value: redactedJson({ ...about, branch }, redact) });
  }
  return [...calls, ...abouts.values()];
}
