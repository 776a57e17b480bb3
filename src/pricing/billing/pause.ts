/**
 * Returns the time between two requests. 0 if unknown: a time is missing, or the clock was set back. The next pause is then measured on
 * the new clock.
 */
export function pauseMs(beforeMs: number | undefined, nowMs: number | undefined): number {
  return beforeMs === undefined || nowMs === undefined ? 0 : Math.max(0, nowMs - beforeMs);
}
