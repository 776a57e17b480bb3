import type { Store } from "../store/store.ts";
import type { SummaryMemo } from "../summarize/memoized.ts";

/** Keeps summaries in the store, for `memoized`, so that no process pays for the same summary again. */
export function summaryMemo(store: Store): SummaryMemo {
  return {
    get: (key) => store.memo(key),
    set: async (key, summary) => {
      await store.setMemo(key, summary);
    },
  };
}
