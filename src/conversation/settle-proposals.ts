import type { Edit, Proposal, ProposalOf } from "../edits/edit.ts";
import { firstPlace, isSpanEdit, placesOf } from "../edits/edit-places.ts";
import { blockAt, isText, type Block, type Message, type ToolResultBlock } from "../messages/message.ts";
import { comparePlaces, isBefore, laterOf, type Place } from "../messages/place.ts";
import { wholeGroups } from "../passes/whole-groups.ts";
import type { Kept } from "./kept.ts";
import { positionTaken } from "./pin.ts";

interface Stretch {
  readonly from: Place;
  readonly to: Place;
}

/**
 * Returns what is left of a pass's proposals beside the edits in force. Ranges end where another one begins, so that none
 * cross. Proposals inside a range, for what has to stay, or that would not be shorter than what is shown now, are dropped.
 */
export function settleProposals(log: readonly Message[], proposals: readonly Proposal[], inForce: readonly Edit[], kept: Kept): Proposal[] {
  const ranges = inForce.filter((edit) => edit.kind === "replace-range");
  const collapsed = new Set(inForce.flatMap((edit) => (edit.kind === "collapse-round" ? [edit.call] : [])));
  const settled = proposals.flatMap((proposal) => {
    if (proposal.kind === "replace-range") return settleRange(proposal, ranges, kept);
    const stretch = stretchOf(proposal);
    if (isKept(proposal, kept) || isTakenBack(proposal, kept) || ranges.some((range) => overlaps(range, stretch))) return [];
    if (proposal.kind === "collapse-round" && collapsed.has(proposal.call)) return [];
    return proposal.kind === "replace-result" && !isOriginal(log, proposal) && !isShorter(log, proposal, inForce) ? [] : [proposal];
  });
  return wholeGroups(proposals, settled);
}

function isKept(proposal: Proposal, { pinned, shown, recalled }: Kept): boolean {
  if (isSpanEdit(proposal)) return positionTaken(proposal, shown) !== undefined;
  return positionTaken(proposal, pinned) !== undefined || placesOf(proposal).some((at) => recalled.some((place) => comparePlaces(place, at) === 0));
}

function isTakenBack(proposal: Proposal, { undone }: Kept): boolean {
  return undone.some((edit) => edit.pass === proposal.pass && edit.kind === proposal.kind && comparePlaces(firstPlace(edit), firstPlace(proposal)) === 0);
}

function settleRange(range: ProposalOf<"replace-range">, others: readonly ProposalOf<"replace-range">[], { shown }: Kept): Proposal[] {
  const parts = aroundKept(range, shown).flatMap((part) => besideRanges(part, others));
  // A text that names its original describes exactly this stretch, so it cannot be divided.
  return range.handle === undefined || parts.every((part) => isSameStretch(part, range)) ? parts : [];
}

/** Divides a range around what has to stay: the first part keeps the summary. */
function aroundKept(range: ProposalOf<"replace-range">, kept: ReadonlySet<number>): ProposalOf<"replace-range">[] {
  const parts: ProposalOf<"replace-range">[] = [];
  let from = range.from;
  for (const position of [...kept].sort((a, b) => a - b)) {
    const before = { position, block: 0 };
    const behind = { position: position + 1, block: 0 };
    if (!isBefore(before, range.to) || !isBefore(from, behind)) continue;
    if (isBefore(from, before)) parts.push({ ...range, from, to: before });
    from = laterOf(from, behind);
  }
  if (isBefore(from, range.to)) parts.push({ ...range, from });
  return parts.map((part, number) => (number === 0 ? part : { ...part, summary: "" }));
}

/** A range may swallow others, and is then shown instead of them. One that would begin or end inside another stops at its border. */
function besideRanges(range: ProposalOf<"replace-range">, others: readonly ProposalOf<"replace-range">[]): ProposalOf<"replace-range">[] {
  let { from, to } = range;
  for (const other of others) {
    // On the same stretch, a shorter summary may replace the current one.
    if (isSameStretch({ from, to }, other) && range.summary.length < other.summary.length) continue;
    const isInside = !isBefore(from, other.from) && !isBefore(other.to, to);
    if (isInside) return [];
    if (isBefore(other.from, from) && isBefore(from, other.to)) from = other.to;
    if (isBefore(other.from, to) && isBefore(to, other.to)) to = other.from;
  }
  return comparePlaces(from, to) < 0 ? [{ ...range, from, to }] : [];
}

function isSameStretch(a: Stretch, b: Stretch): boolean {
  return comparePlaces(a.from, b.from) === 0 && comparePlaces(a.to, b.to) === 0;
}

function stretchOf(edit: Proposal): Stretch {
  if (edit.kind === "replace-range") return edit;
  if (isSpanEdit(edit)) return { from: { position: edit.call, block: 0 }, to: { position: edit.lastResult + 1, block: 0 } };
  const places = [...placesOf(edit)].sort(comparePlaces);
  const first = places[0] ?? { position: 0, block: 0 };
  const last = places.at(-1) ?? first;
  return { from: first, to: { position: last.position, block: last.block + 1 } };
}

function overlaps(a: Stretch, b: Stretch): boolean {
  return isBefore(a.from, b.to) && isBefore(b.from, a.to);
}

/** Returns whether the proposal restores the original result. */
function isOriginal(log: readonly Message[], { at, content }: ProposalOf<"replace-result">): boolean {
  return (blockAt(log, at) as ToolResultBlock | undefined)?.content === content;
}

/** A result that is already shortened is shortened again only if that makes it even shorter. */
function isShorter(log: readonly Message[], proposal: ProposalOf<"replace-result">, inForce: readonly Edit[]): boolean {
  const shown = inForce.findLast((edit) => edit.kind === "replace-result" && comparePlaces(edit.at, proposal.at) === 0);
  const now = shown?.kind === "replace-result" ? shown.content : (blockAt(log, proposal.at) as ToolResultBlock | undefined)?.content;
  if (now === undefined) return false;
  // Images and other non-text blocks have no text length, but leaving one out makes the result shorter.
  return otherBlocks(proposal.content) < otherBlocks(now) || textLength(proposal.content) < textLength(now);
}

function otherBlocks(content: string | readonly Block[]): number {
  return typeof content === "string" ? 0 : content.filter((block) => !isText(block)).length;
}

function textLength(content: string | readonly Block[]): number {
  return typeof content === "string" ? content.length : content.reduce((sum, block) => sum + (isText(block) ? block.text.length : 0), 0);
}
