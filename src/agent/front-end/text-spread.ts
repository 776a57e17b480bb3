import type { Message } from "../../messages/message.ts";
import { amountOfMessage } from "./own-request.ts";

const GROUPS = 64;

/** How much text a view has in messages of each size group. Short enough to be kept with a conversation. */
export type TextSpread = readonly number[];

export function spreadOf(view: readonly Message[]): TextSpread {
  const sums = new Array<number>(GROUPS).fill(0);
  for (const message of view) {
    const { text } = amountOfMessage(message);
    sums[text % GROUPS] = (sums[text % GROUPS] ?? 0) + text;
  }
  return sums;
}

/** Estimates how much text was added and removed, in total: a changed message is in another size group. */
export function movedBetween(before: TextSpread, now: TextSpread): number {
  return now.reduce((sum, text, group) => sum + Math.abs(text - (before[group] ?? 0)), 0);
}
