/** How much of a thread every operation is asked to keep, ours and the peers' alike. */

/** Old calls and results are taken out or shortened up to the last so many messages. */
export const RECENT_MESSAGES = 10;

/** Peers that count tool results instead of messages keep so many. */
export const RECENT_RESULTS: number = RECENT_MESSAGES / 2;

/** Windows keep the newer half. */
export function newerHalf(messages: number): number {
  return Math.floor(messages / 2);
}
