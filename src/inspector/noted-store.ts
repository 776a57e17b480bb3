import { compareText } from "../store/stored-text.ts";
import type { Store } from "../store/store.ts";

export interface Note {
  readonly thread: string;
  readonly kind: string;
  readonly key: string;
  readonly at: number;
  readonly value: string;
}

export interface NoteQuery {
  readonly kind: string;
  readonly thread?: string;
  readonly keys?: readonly string[];
  readonly prefix?: string;
  readonly after?: Pick<Note, "thread" | "key" | "at">;
  readonly limit?: number;
  readonly newestFirst?: boolean;
}

export interface Notes {
  putNotes(notes: readonly Note[]): Promise<void>;
  notes(query: NoteQuery): Promise<Note[]>;
  dropNotes(kind: string, olderThanMs: number, thread?: string): Promise<number>;
}

export type NotedStore = Store & Notes;

/** Until the stores have notes of their own. */
export function withNotes(store: Store): NotedStore {
  if ("putNotes" in store) return store as NotedStore;
  const byKind = new Map<string, Map<string, Note>>();
  const compare = (a: Pick<Note, "thread" | "key" | "at">, b: Pick<Note, "thread" | "key" | "at">, inThread: boolean): number =>
    inThread ? compareText(a.key, b.key) : a.at - b.at || compareText(a.thread, b.thread) || compareText(a.key, b.key);
  return {
    ...store,
    putNotes: (notes) => {
      for (const note of notes) {
        const kind = byKind.get(note.kind) ?? new Map<string, Note>();
        byKind.set(note.kind, kind);
        kind.set(`${note.thread}\n${note.key}`, note);
      }
      return Promise.resolve();
    },
    notes: ({ kind, thread, keys, prefix = "", after, limit, newestFirst = false }) => {
      const all = byKind.get(kind) ?? new Map<string, Note>();
      const sign = newestFirst ? -1 : 1;
      const chosen = thread !== undefined && keys !== undefined ? keys.flatMap((key) => all.get(`${thread}\n${key}`) ?? []) : [...all.values()];
      const wanted = keys === undefined ? undefined : new Set(keys);
      const found = chosen
        .filter((note) => (thread === undefined || note.thread === thread) && note.key.startsWith(prefix) && (wanted?.has(note.key) ?? true))
        .sort((a, b) => sign * compare(a, b, thread !== undefined))
        .filter((note) => after === undefined || sign * compare(note, after, thread !== undefined) > 0);
      return Promise.resolve(found.slice(0, limit));
    },
    dropNotes: (kind, olderThanMs, thread) => {
      let dropped = 0;
      for (const [key, note] of byKind.get(kind) ?? [])
        if (note.at < olderThanMs && (thread === undefined || note.thread === thread) && byKind.get(kind)?.delete(key) === true) dropped++;
      return Promise.resolve(dropped);
    },
  };
}
