import { signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ErrorAnswer } from "../../answers.ts";

const API = "/inspector/api/";
const TOKEN = "palimpsest-token";

/** Set when the server requires the token: the page then asks for it. */
export const needsToken = signal(false);
/** Incremented when everything must be reloaded: the server came back, or a token was entered. */
export const refresh = signal(0);

export class ApiError extends Error {
  readonly answer: ErrorAnswer["error"];
  readonly status: number;

  constructor(status: number, answer: ErrorAnswer["error"]) {
    super(answer.message);
    this.status = status;
    this.answer = answer;
  }
}

export function enterToken(token: string): void {
  sessionStorage.setItem(TOKEN, token);
  needsToken.value = false;
  refresh.value++;
}

export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const token = sessionStorage.getItem(TOKEN);
  let response: Response;
  try {
    response = await fetch(API + path, { ...init, headers: token === null ? {} : { "x-palimpsest-token": token }, credentials: "same-origin" });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new ApiError(0, {
      code: "SERVER_GONE",
      message: `No connection to ${location.host}.`,
      remedy: "Start it again, then try again.",
      meaning: "If the proxy has stopped, agents that use it cannot reach their provider.",
    });
  }
  if (response.ok) return response;
  const body = (await response.json().catch(() => undefined)) as ErrorAnswer | undefined;
  if (response.status === 401) needsToken.value = true;
  throw new ApiError(
    response.status,
    body?.error ?? { code: `HTTP_${response.status}`, message: `The server answered with ${response.status}.`, remedy: "Load the page again." },
  );
}

export async function read<T>(path: string, signal?: AbortSignal): Promise<T> {
  const response = await request(path, signal === undefined ? {} : { signal });
  return (await response.json()) as T;
}

export interface Answered<T> {
  /** The last data; it stays while newer data is loading. */
  readonly data: T | undefined;
  readonly error: ApiError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

/** Loads a path of the API. A new `version` reloads it without clearing the data. Loads nothing if `path` is undefined. */
export function useAnswer<T>(path: string | undefined, version: unknown = 0): Answered<T> {
  const [state, setState] = useState<{ readonly path: string | undefined; readonly data?: T; readonly error?: ApiError }>({ path: undefined });
  const [again, setAgain] = useState(0);
  const loading = useRef<string | undefined>(undefined);
  const fresh = refresh.value;
  useEffect(() => {
    if (path === undefined) return undefined;
    const abort = new AbortController();
    loading.current = path;
    read<T>(path, abort.signal)
      .then((data) => setState({ path, data }))
      .catch((error: unknown) => {
        if (abort.signal.aborted) return;
        const said =
          error instanceof ApiError
            ? error
            : new ApiError(0, { code: "UNREADABLE", message: "The server's answer cannot be read.", remedy: "Reload the page." });
        setState((before) => ({ ...(before.path === path && before.data !== undefined ? { data: before.data } : {}), path, error: said }));
      });
    return () => abort.abort();
  }, [path, version, again, fresh]);
  const isSame = state.path === path;
  return {
    data: isSame ? state.data : undefined,
    error: isSame ? state.error : undefined,
    isLoading: !isSame,
    reload: () => setAgain((count) => count + 1),
  };
}

/** Downloads a file that needs the token. */
export async function download(path: string, name: string): Promise<void> {
  const blob = await (await request(path)).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function refPath({ thread, branch }: { readonly thread: string; readonly branch: string }): string {
  return `conversations/${encodeURIComponent(thread)}/${encodeURIComponent(branch)}`;
}
