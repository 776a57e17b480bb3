/** How much of a thread every operation must keep, ours and the peers'. */

/** How many of the last messages keep their calls and results. */
export const RECENT_MESSAGES = 10;

/** The same for peers that count tool results instead of messages. */
export const RECENT_RESULTS: number = RECENT_MESSAGES / 2;

/** Windows keep the newer half. */
export function newerHalf(messages: number): number {
  return Math.floor(messages / 2);
}
