import type { Edit } from "../edits/edit.ts";
import type { Commit } from "./commit.ts";
import type { ToolResultHandler } from "./tool-result-hook.ts";

export interface HistoryEventMap {
  /** This history made edits, or undid one. */
  edit: { readonly commits: readonly Commit[]; readonly edits: readonly Edit[]; readonly undone: boolean };
  /** `compress` has written summaries. */
  compact: { readonly edits: readonly Edit[]; readonly tokensBefore: number; readonly tokensAfter: number };
  /** A handler or a summarizer failed: the original is shown. `commits`: what it was about. */
  error: { readonly error: unknown; readonly commits: readonly string[] };
}

export type HistoryEvent = keyof HistoryEventMap | "tool_result";
export type HistoryListener<K extends HistoryEvent> = K extends keyof HistoryEventMap ? (event: HistoryEventMap[K]) => void : ToolResultHandler;

/** Calls listeners in the order they were added, once the change is written. What a listener throws becomes an uncaught exception. */
export class HistoryEvents {
  readonly #listeners = new Map<keyof HistoryEventMap, Set<(event: never) => void>>();

  /** Returns an unsubscribe function. */
  on<K extends keyof HistoryEventMap>(name: K, listener: (event: HistoryEventMap[K]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  emit<K extends keyof HistoryEventMap>(name: K, event: HistoryEventMap[K]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      try {
        (listener as (event: HistoryEventMap[K]) => void)(event);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
