export interface Progress {
  /** What is being done, and how much of it is done. */
  stage(name: string, share?: { readonly done: number; readonly of: number }): void;
  end(): void;
}

const EVERY_MS = 10_000;

/** On a terminal one line that is written over. Elsewhere a line per stage, and one every ten seconds of a long one. */
export function createProgress(): Progress {
  const { isTTY } = process.stderr;
  let lastStage = "";
  let lastMs = 0;
  return {
    stage(name, share) {
      const text = share === undefined ? name : `${name}: ${share.done} of ${share.of} trajectories`;
      if (isTTY) process.stderr.write(`\r\u001b[K${text}`);
      else if (name !== lastStage || performance.now() - lastMs >= EVERY_MS) {
        console.error(text);
        lastMs = performance.now();
      }
      lastStage = name;
    },
    end() {
      if (isTTY) process.stderr.write("\r\u001b[K");
    },
  };
}
