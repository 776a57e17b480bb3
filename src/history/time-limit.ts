/** What `work` gives, if it comes in time; else it throws, and tells `work` by its signal. What comes later is nobody's concern. */
export async function withTimeLimit<T>(what: string, limitMs: number, work: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
  const aborting = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new DOMException(`${what} took longer than ${limitMs} ms`, "TimeoutError");
      aborting.abort(error);
      reject(error);
    }, limitMs);
  });
  try {
    return await Promise.race([Promise.resolve(work(aborting.signal)), late]);
  } finally {
    clearTimeout(timer);
  }
}
