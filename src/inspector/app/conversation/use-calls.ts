import { useEffect, useState } from "preact/hooks";
import type { CallPoint, CallsAnswer } from "../../answers.ts";
import { ApiError, read, refPath, refresh } from "../state/api.ts";

const PAGE = 1_000;

/** Loads all calls of a conversation, page by page. A new `version` looks for new calls. */
export function useCalls(
  ref: { readonly thread: string; readonly branch: string },
  version: number,
): { readonly calls: readonly CallPoint[] | undefined; readonly error: ApiError | undefined } {
  const path = refPath(ref);
  const [state, setState] = useState<{ readonly path: string; readonly calls?: readonly CallPoint[]; readonly error?: ApiError }>({ path });
  const fresh = refresh.value;
  useEffect(() => {
    const abort = new AbortController();
    const load = async (): Promise<void> => {
      let known = state.path === path ? (state.calls ?? []) : [];
      for (;;) {
        const { calls, next } = await read<CallsAnswer>(`${path}/calls?limit=${PAGE}&after=${known.at(-1)?.sequence ?? 0}`, abort.signal);
        known = [...known, ...calls];
        setState({ path, calls: known });
        if (next === undefined) return;
      }
    };
    load().catch((error: unknown) => {
      if (!abort.signal.aborted && error instanceof ApiError) setState((before) => ({ ...before, path, error }));
    });
    return () => abort.abort();
  }, [path, version, fresh]);
  const isThis = state.path === path;
  return { calls: isThis ? state.calls : undefined, error: isThis ? state.error : undefined };
}
