import type { LogIndex } from "../messages/index-log.ts";
import type { Call } from "../messages/open-calls.ts";
import type { Place } from "../messages/place.ts";

/** Returns the call that the result at this place answers. */
export function callAnsweredAt(at: Place, { results, answered, resultsBefore }: LogIndex): Call | undefined {
  for (let number = resultsBefore[at.position] ?? 0; number < (resultsBefore[at.position + 1] ?? 0); number++)
    if (results[number]?.block === at.block) return answered[number];
  return undefined;
}
