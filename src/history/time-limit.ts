/**
 * Returns the result of `work`. Throws if that takes too long or the caller gives up, and aborts the signal of `work`. A later result
 * or failure is ignored.
 */
export async function withTimeLimit<T>(what: string, limitMs: number, work: (signal: AbortSignal) => T | Promise<T>, givenUp: AbortSignal = NEVER): Promise<T> {
  givenUp.throwIfAborted();
  const aborting = new AbortController();
  let stop: (error: Error) => void = () => undefined;
  const late = new Promise<never>((_, reject) => {
    stop = (error) => {
      aborting.abort(error);
      reject(error);
    };
  });
  const onGivenUp = (): void => {
    stop(givenUp.reason as Error);
  };
  givenUp.addEventListener("abort", onGivenUp);
  const timer = setTimeout(() => {
    stop(new DOMException(`${what} took longer than ${limitMs} ms`, "TimeoutError"));
  }, limitMs);
  try {
    return await Promise.race([late, Promise.resolve(work(aborting.signal))]);
  } finally {
    clearTimeout(timer);
    givenUp.removeEventListener("abort", onGivenUp);
  }
}

const NEVER = new AbortController().signal;
