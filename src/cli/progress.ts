const EVERY_MS = 100;
/** Short work needs no progress. */
const AFTER_MS = 500;

/** Says on standard error how far the reading is, where a person watches; erased when it is done. */
export function createProgress(label: string, stream: NodeJS.WriteStream = process.stderr): { report(done: number, total?: number): void; end(): void } {
  const startedAt = Date.now();
  let shownAt = startedAt;
  let isShown = false;
  return {
    report(done, total) {
      const now = Date.now();
      if (!stream.isTTY || now - startedAt < AFTER_MS || now - shownAt < EVERY_MS) return;
      shownAt = now;
      isShown = true;
      stream.write(`\r\u001B[K${label} ${total === undefined ? megabytes(done) : `${Math.floor((100 * done) / Math.max(1, total))} % of ${megabytes(total)}`}`);
    },
    end() {
      if (isShown) stream.write("\r\u001B[K");
    },
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
