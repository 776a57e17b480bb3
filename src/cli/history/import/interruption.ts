import { setImmediate as loopTurn } from "node:timers/promises";
import { InterruptedError } from "../../cli-error.ts";
import type { Interruption, Interrupts } from "../../command-io.ts";

export interface ImportInterruption {
  /** Throws if the import is to stop. */
  check(isResumed: boolean): Promise<void>;
  end(): void;
}

/** Ctrl-C and SIGTERM must not leave part of a thread behind, so they take effect between two pieces. */
export function listenForInterruption(interrupts: Interrupts): ImportInterruption {
  let interruption: Interruption | undefined;
  const end = interrupts.hold((by) => {
    interruption ??= by;
  });
  return {
    check: async (isResumed) => {
      // SQLite writes block the event loop, and signals arrive only when it turns.
      await loopTurn();
      if (interruption === undefined) return;
      if (isResumed) throw new InterruptedError(interruption, "Interrupted: what was written so far stays, unfinished.", "Give --resume again to go on.");
      throw new InterruptedError(interruption, "Interrupted: the thread that was being written was removed again.", "Import it again.");
    },
    end,
  };
}
