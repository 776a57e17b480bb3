/** Calls a caller's listener. What it throws cannot stop us. */
export function callAside<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error as Error;
    });
  }
}
