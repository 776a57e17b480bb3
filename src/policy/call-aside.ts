/** Calls what a user of the package gave to be told: it cannot stop what it is told of. */
export function callAside<T>(listener: (value: T) => void, value: T): void {
  try {
    listener(value);
  } catch (error) {
    queueMicrotask(() => {
      throw error as Error;
    });
  }
}
