import type { TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

const STEP_MS = 100;
/** Everything but waiting is done within fewer turns of the event loop. */
const TURNS_PER_STEP = 50;

/** Lets the time of a mocked `setTimeout` pass, while nothing else is to be done, until this is over. Returns how long it waited by that time. */
export async function passTime({ mock }: TestContext, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  over.catch(() => undefined);
  for (let waitedMs = 0; ; waitedMs += STEP_MS) {
    for (let turn = 0; turn < TURNS_PER_STEP; turn++) await nextTurn();
    if (isOver) {
      await over;
      return waitedMs;
    }
    mock.timers.tick(STEP_MS);
  }
}
