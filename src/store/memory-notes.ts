import type { ParsedNoteQuery } from "./note-input.ts";
import type { Note } from "./store.ts";
import { compareText, encodeText } from "./stored-text.ts";

type OfThread = Map<string, Note>;

/** The notes of a store in memory: by kind, thread and key. */
export class MemoryNotes {
  readonly #kinds = new Map<string, Map<string, OfThread>>();

  put(notes: readonly Note[]): void {
    for (const { thread, kind, key, at, value } of notes) {
      const threads = this.#kinds.get(kind) ?? new Map<string, OfThread>();
      const ofThread = threads.get(thread) ?? new Map<string, Note>();
      this.#kinds.set(kind, threads);
      threads.set(thread, ofThread);
      ofThread.set(key, Object.freeze({ thread, kind, key, at, value }));
    }
  }

  find({ kind, thread, keys, prefix, after, limit, newestFirst }: ParsedNoteQuery): Note[] {
    const threads = this.#kinds.get(kind);
    const asked = thread === undefined ? [...(threads?.values() ?? [])] : [threads?.get(thread) ?? new Map<string, Note>()];
    const order = thread === undefined ? byTime : byKey;
    const compare = newestFirst ? (a: Place, b: Place) => order(b, a) : order;
    const start = encodeText(prefix ?? "");
    return asked
      .flatMap((notes) => (keys === undefined ? [...notes.values()] : [...new Set(keys)].flatMap((key) => notes.get(key) ?? [])))
      .filter(({ key }) => encodeText(key).startsWith(start))
      .filter((note) => after === undefined || compare(note, after) > 0)
      .sort(compare)
      .slice(0, limit);
  }

  drop(kind: string, olderThanMs: number, thread?: string): number {
    const old = this.#all().filter((note) => note.kind === kind && note.at < olderThanMs && (thread === undefined || note.thread === thread));
    for (const note of old) this.#kinds.get(kind)?.get(note.thread)?.delete(note.key);
    return old.length;
  }

  /** Returns whether there were any. */
  forget(thread: string): boolean {
    const there = this.#all().some((note) => note.thread === thread);
    for (const threads of this.#kinds.values()) threads.delete(thread);
    return there;
  }

  rename(from: string, to: string): void {
    const moved = this.#all().filter(({ thread }) => thread === from);
    this.forget(from);
    this.put(moved.map((note) => ({ ...note, thread: to })));
  }

  /** Returns the time of the newest note of each thread that has any. */
  newest(): ReadonlyMap<string, number> {
    const newest = new Map<string, number>();
    for (const { thread, at } of this.#all()) newest.set(thread, Math.max(at, newest.get(thread) ?? 0));
    return newest;
  }

  #all(): Note[] {
    return [...this.#kinds.values()].flatMap((threads) => [...threads.values()].flatMap((notes) => [...notes.values()]));
  }
}

type Place = Pick<Note, "thread" | "key" | "at">;

function byKey(a: Place, b: Place): number {
  return compareText(a.key, b.key);
}

function byTime(a: Place, b: Place): number {
  return a.at - b.at || compareText(a.thread, b.thread) || compareText(a.key, b.key);
}
