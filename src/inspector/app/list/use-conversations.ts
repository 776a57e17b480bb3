import { useEffect, useState } from "preact/hooks";
import type { ConversationRow, ConversationsAnswer } from "../../answers.ts";
import { ApiError, read, refresh } from "../state/api.ts";
import { changed, demoChanges } from "../state/live.ts";
import { keyOf } from "./conversation-tree.ts";

export interface Conversations {
  readonly rows: readonly ConversationRow[] | undefined;
  readonly error: ApiError | undefined;
  readonly hasMore: boolean;
  readonly more: () => void;
  readonly reload: () => void;
}

interface Loaded {
  readonly query: string;
  readonly rows: readonly ConversationRow[];
  readonly next: string | undefined;
}

/** Loads the conversations that match the filters, and keeps them up to date. */
export function useConversations(query: string, filters: (row: ConversationRow) => boolean): Conversations {
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<ApiError>();
  const [again, setAgain] = useState(0);
  const fresh = refresh.value;
  const demo = demoChanges.value;
  const path = (after: string): string => `conversations?limit=60${query === "" ? "" : `&${query}`}${after}`;

  useEffect(() => {
    const abort = new AbortController();
    read<ConversationsAnswer>(path(""), abort.signal)
      .then(({ conversations, next }) => {
        setLoaded({ query, rows: conversations, next });
        setError(undefined);
      })
      .catch((failure: unknown) => {
        if (!abort.signal.aborted && failure instanceof ApiError) setError(failure);
      });
    return () => abort.abort();
  }, [query, again, fresh, demo]);

  const news = changed.value;
  useEffect(() => {
    if (news === undefined || !filters(news.row)) return;
    setLoaded((before) => {
      if (before === undefined) return before;
      const { row } = news;
      // A real conversation replaces the demo's.
      const others = before.rows.filter((other) => keyOf(other) !== keyOf(row) && (row.isDemo || !other.isDemo));
      return { ...before, rows: [row, ...others] };
    });
  }, [news]);

  const more = (): void => {
    if (loaded?.next === undefined) return;
    read<ConversationsAnswer>(path(`&after=${encodeURIComponent(loaded.next)}`))
      .then(({ conversations, next }) =>
        setLoaded((before) => {
          if (before === undefined || before.next !== loaded.next) return before;
          const known = new Set(before.rows.map(keyOf));
          return { ...before, rows: [...before.rows, ...conversations.filter((row) => !known.has(keyOf(row)))], next };
        }),
      )
      .catch((failure: unknown) => failure instanceof ApiError && setError(failure));
  };
  const isThis = loaded !== undefined && loaded.query === query;
  return { rows: isThis ? loaded.rows : loaded?.rows, error, hasMore: loaded?.next !== undefined, more, reload: () => setAgain((count) => count + 1) };
}
