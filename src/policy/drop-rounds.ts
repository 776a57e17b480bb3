import type { Proposal } from "../edits/edit.ts";
import type { Message } from "../messages/message.ts";
import { noteOf, partHandle } from "../passes/handle.ts";
import type { Stretch } from "./digests.ts";
import { MOST_PLACES, stretchHandle } from "./handles.ts";
import type { ParsedPolicy } from "./policy-options.ts";

export const DROP_ROUNDS = "drop-rounds";

/** Estimated tokens of a note. */
const NOTE_TOKENS = 60;

/** Returns about how many tokens dropping these stretches removes. */
export function savedByDropping(stretches: readonly Stretch[]): number {
  return groupsOf(stretches).reduce((sum, group) => sum + shownBy(group) - NOTE_TOKENS, 0);
}

/**
 * Before: 40 short stretches of the assistant's words and rounds, with user messages between them, each too short for a digest.
 * After: a note in place of the first says what is not shown, and names a handle for each. User messages stay where they are.
 */
export function dropRounds(log: readonly Message[], stretches: readonly Stretch[], options: ParsedPolicy): Proposal[] {
  return groupsOf(stretches).flatMap((group) => {
    const first = group[0];
    const last = group.at(-1);
    if (first === undefined || last === undefined) return [];
    const handle = stretchHandle(log, options.thread, first.from, last.to, group.length);
    const handles = group.length === 1 ? [handle] : group.map((_, place) => partHandle(handle, place + 1));
    const summary = noteFor(group, options.naming === "none" ? undefined : handle);
    return group.map(({ from, to }, place): Proposal => {
      const named = handles[place];
      return {
        kind: "replace-range",
        from: { position: from, block: 0 },
        to: { position: to, block: 0 },
        role: "user",
        summary: place === 0 ? summary : "",
        pass: DROP_ROUNDS,
        reason: "over the limit",
        madeAt: log.length,
        ...(options.naming === "none" || named === undefined ? {} : { handle: named }),
      };
    });
  });
}

/** Groups neighbouring stretches, so that each group is larger than its note. */
function groupsOf(stretches: readonly Stretch[]): Stretch[][] {
  const groups: Stretch[][] = [];
  for (let start = 0; start < stretches.length; start += MOST_PLACES) groups.push(stretches.slice(start, start + MOST_PLACES));
  return groups.filter((group) => shownBy(group) > NOTE_TOKENS);
}

function shownBy(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { shownTokens }) => sum + shownTokens, 0);
}

function noteFor(group: readonly Stretch[], handle: string | undefined): string {
  const later = group.length - 1;
  const where = later === 0 ? "" : `, here and at ${later} later place${later === 1 ? "" : "s"}`;
  const messages = group.reduce((sum, { from, to }) => sum + to - from, 0);
  const what = `[Not shown${where}: ${messages} message${messages === 1 ? "" : "s"} of the assistant and its tools, ${shownBy(group)} tokens.`;
  if (handle === undefined) return `${what}]`;
  if (later === 0) return `${what}] ${noteOf([handle])}`;
  return `${what} One handle per place, in order:] [recall handles: ${partHandle(handle, 1)}…-${group.length}]`;
}
