import type { OutputStream } from "./command-io.ts";

const EVERY_MS = 100;
/** Short work needs no progress. */
const AFTER_MS = 500;

export interface Progress {
  report(done: number, total?: number): void;
  end(): void;
}

/** Shows progress on standard error if that is a terminal, and erases it when the work is done. `sizeOf` formats an amount. */
export function createProgress(label: string, stream: OutputStream, sizeOf: (amount: number) => string = megabytes): Progress {
  const startedAt = Date.now();
  let shownAt = startedAt;
  let isShown = false;
  return {
    report(done, total) {
      const now = Date.now();
      if (stream.isTTY !== true || now - startedAt < AFTER_MS || now - shownAt < EVERY_MS) return;
      shownAt = now;
      isShown = true;
      stream.write(`\r\u001B[K${label} ${total === undefined ? sizeOf(done) : `${Math.floor((100 * done) / Math.max(1, total))} % of ${sizeOf(total)}`}`);
    },
    end() {
      if (isShown) stream.write("\r\u001B[K");
    },
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
