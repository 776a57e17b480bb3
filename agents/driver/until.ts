import { setTimeout as wait } from "node:timers/promises";

const LONGEST_MS = 120_000;

/** Returns whether it became true in time. A moment is added, so that what was just sent has arrived. */
export async function until(isSo: () => boolean): Promise<boolean> {
  const end = Date.now() + LONGEST_MS;
  while (!isSo()) {
    if (Date.now() > end) return false;
    await wait(50);
  }
  await wait(500);
  return true;
}
