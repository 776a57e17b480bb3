/**
 * How long nothing was sent between two requests. 0 where that is unknown: a time is missing, or the clock was set back in between. The
 * next pause is measured on the new clock.
 */
export function pauseMs(beforeMs: number | undefined, nowMs: number | undefined): number {
  return beforeMs === undefined || nowMs === undefined ? 0 : Math.max(0, nowMs - beforeMs);
}
