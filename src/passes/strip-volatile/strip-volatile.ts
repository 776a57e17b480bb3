import type { Proposal, ProposalOf } from "../../edits/edit.ts";
import { placesOf } from "../../edits/edit-places.ts";
import { blockAt, type Block, type Message } from "../../messages/message.ts";
import { placeKey, isBefore, type Place } from "../../messages/place.ts";
import { withoutReminders } from "../../messages/reminder.ts";
import { frozenStretch, isFrozen } from "../hold-back.ts";
import type { PassContext } from "../pass.ts";

/**
 * Removes what mattered only when it was written: system reminders in user messages and the assistant's thinking.
 *
 *     before: user [text "Fix it.", text "<system-reminder>…</system-reminder>", checkpoint a] · assistant [thinking, text]
 *     after:  user [text "Fix it.", checkpoint a] · assistant [text]
 *
 * Inside longer text, only the tagged span is removed. Tool results are left alone, and so is everything before `from`. `edits`: those in force.
 */
export function stripVolatile(log: readonly Message[], edits: readonly Proposal[], options: PassContext & { readonly from: Place }): Proposal[] {
  const { userBlocks, userTexts, thinking } = options.index;
  const ranges = edits.filter((edit) => edit.kind === "replace-range");
  const done = new Set(edits.filter(isBlockChange).flatMap((edit) => placesOf(edit).map(placeKey)));
  const frozen = frozenStretch(log, options);
  const isLeftAlone = (at: Place): boolean => {
    if (isBefore(at, options.from) || isFrozen(frozen, at.position) || (done.size > 0 && done.has(placeKey(at)))) return true;
    for (const { from, to } of ranges) if (!isBefore(at, from) && isBefore(at, to)) return true;
    return false;
  };
  const reminders: Place[] = [];
  const proposals: Proposal[] = [];
  const origin = { pass: "strip-volatile", reason: "reminders and thinking were for their moment", madeAt: log.length };
  for (let number = 0; number < userBlocks.length; number++) {
    const at = userBlocks[number] as Place;
    const text = userTexts[number];
    const rest = text === undefined ? withoutReminderBlock(blockAt(log, at)) : withoutReminder(text);
    if (rest === undefined || isLeftAlone(at)) continue;
    if (rest === "") reminders.push(at);
    else proposals.push({ ...origin, kind: "replace-block", at, text: rest });
  }
  const volatile = thinking.filter((at) => !isLeftAlone(at));
  const places = reminders.length === 0 ? volatile : mergeAscending(volatile, reminders);
  if (places.length > 0) proposals.push({ ...origin, kind: "strip-blocks", at: places });
  return proposals;
}

function mergeAscending(some: readonly Place[], others: readonly Place[]): Place[] {
  const merged: Place[] = [];
  let next = 0;
  for (const place of some) {
    for (let other = others[next]; other !== undefined && isBefore(other, place); other = others[++next]) merged.push(other);
    merged.push(place);
  }
  for (; next < others.length; next++) merged.push(others[next] as Place);
  return merged;
}

function isBlockChange(edit: Proposal): edit is ProposalOf<"strip-blocks" | "replace-block"> {
  return edit.kind === "strip-blocks" || edit.kind === "replace-block";
}

/** Returns the text without reminders. Undefined: there are none. */
function withoutReminder(text: string): string | undefined {
  const rest = withoutReminders(text);
  if (rest === text) return undefined;
  return rest.trim() === "" ? "" : rest;
}

function withoutReminderBlock(block: Block | undefined): string | undefined {
  return block?.type === "system_reminder" ? "" : undefined;
}
