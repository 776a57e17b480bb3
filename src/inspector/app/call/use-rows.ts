import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { FoldRow, Row, RowsAnswer } from "../../answers.ts";
import { ApiError, read } from "../state/api.ts";

export type Show = "new" | "edits" | "all";

/** An entry of the list: a row of the answer, or a row inside an opened fold. */
type Entry = { readonly item: number } | { readonly row: number };

export interface Rows {
  readonly count: number;
  readonly keyOf: (number: number) => string;
  readonly rowAt: (number: number) => Row | undefined;
  readonly onShown: (from: number, to: number) => void;
  readonly unfold: (fold: FoldRow) => void;
  readonly isReady: boolean;
  readonly error: ApiError | undefined;
}

const PAGE = 60;

/** Loads the rows of a call as they scroll into view. */
export function useRows(path: string, show: Show): Rows {
  const base = `${path}/rows`;
  const source = `${base}?show=${show}`;
  const [state, setState] = useState<{ readonly source: string; readonly entries: readonly Entry[] }>({ source: "", entries: [] });
  const [error, setError] = useState<ApiError>();
  const [, redraw] = useState(0);
  const items = useRef(new Map<number, Row>());
  const rows = useRef(new Map<number, Row>());
  const asked = useRef(new Set<string>());
  const current = useRef(source);
  current.current = source;

  const ask = useCallback(
    (key: string, url: string, take: (answer: RowsAnswer) => void): void => {
      if (asked.current.has(key)) return;
      asked.current.add(key);
      read<RowsAnswer>(url)
        .then((answer) => {
          if (current.current !== source) return;
          take(answer);
          redraw((count) => count + 1);
        })
        .catch((failure: unknown) => {
          asked.current.delete(key);
          if (failure instanceof ApiError && current.current === source) setError(failure);
        });
    },
    [source],
  );
  const page = useCallback(
    (number: number): void => {
      ask(`i${number}`, `${source}&from=${number * PAGE}&limit=${PAGE}`, ({ rows: found, from, total }) => {
        found.forEach((row, at) => items.current.set(from + at, row));
        setState((before) => (before.source === source ? before : { source, entries: Array.from({ length: total }, (_, item) => ({ item })) }));
      });
    },
    [ask, source],
  );
  useEffect(() => {
    items.current = new Map();
    rows.current = new Map();
    asked.current = new Set();
    setError(undefined);
    page(0);
  }, [page]);

  const isReady = state.source === source;
  const entries = isReady ? state.entries : [];
  const onShown = useCallback(
    (from: number, to: number): void => {
      for (const entry of entries.slice(from, to)) {
        if ("item" in entry) {
          if (!items.current.has(entry.item)) page(Math.floor(entry.item / PAGE));
        } else if (!rows.current.has(entry.row)) {
          const start = Math.floor(entry.row / PAGE) * PAGE;
          ask(`r${start}`, `${base}?from=${start}&to=${start + PAGE}`, ({ rows: found, from: first }) =>
            found.forEach((row, at) => rows.current.set(first + at, row)),
          );
        }
      }
    },
    [entries, page, ask, base],
  );
  const unfold = (fold: FoldRow): void => {
    setState((before) => ({
      ...before,
      entries: before.entries.flatMap((entry): Entry[] => {
        const isThis = "item" in entry && items.current.get(entry.item) === fold;
        return isThis ? Array.from({ length: fold.to - fold.row }, (_, number) => ({ row: fold.row + number })) : [entry];
      }),
    }));
  };
  const keyOf = useCallback(
    (number: number): string => {
      const entry = entries[number];
      return entry === undefined ? `x${number}` : "item" in entry ? `${show}-i${entry.item}` : `${show}-r${entry.row}`;
    },
    [entries, show],
  );
  const rowAt = (number: number): Row | undefined => {
    const entry = entries[number];
    return entry === undefined ? undefined : "item" in entry ? items.current.get(entry.item) : rows.current.get(entry.row);
  };
  return { count: entries.length, keyOf, rowAt, onShown, unfold, isReady, error };
}
