import { writeSync } from "node:fs";

/** What a process says when it waits for the others. */
export const WAITING = "waiting";

/** Returns once whoever started this process has heard of all that they wait, and says so on its standard input. */
export async function meetTheOthers(): Promise<void> {
  writeSync(1, `${WAITING}\n`);
  await new Promise((resolve) => process.stdin.once("data", resolve));
  process.stdin.pause();
}
