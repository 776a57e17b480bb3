import { setTimeout as wait } from "node:timers/promises";

const LONGEST_MS = 120_000;

/** Returns whether it became true in time, and before the other thing ended. A moment is added, so that what was just sent has arrived. */
export async function until(isSo: () => boolean, other: Promise<unknown>): Promise<boolean> {
  const end = Date.now() + LONGEST_MS;
  const over = { value: false };
  void other.then(() => (over.value = true));
  while (!isSo()) {
    if (Date.now() > end || over.value) return false;
    await wait(50);
  }
  await wait(500);
  return true;
}
