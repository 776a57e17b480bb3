/** All that the pure layers use beyond ECMAScript itself: what browsers, workers and servers have in common. Used by tsconfig.pure.json only. */
declare const console: { error(...data: unknown[]): void };
declare const crypto: { getRandomValues<A extends Uint8Array>(array: A): A };

interface AbortSignal {
  readonly aborted: boolean;
  readonly reason: unknown;
  throwIfAborted(): void;
}
