import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, type Block, type Message } from "../messages/message.ts";
import { replacementOf } from "./apply-block-edits.ts";
import type { ArrangeTarget } from "./arrange.ts";
import { withoutBlank } from "./blank.ts";
import { newestBlockEdits, type PlacedEdit } from "./block-edits.ts";
import type { Proposal, ProposalOf } from "./edit.ts";
import { isSpanEdit, placesOf } from "./edit-places.ts";
import { validEdits } from "./validate-edits.ts";
import type { View } from "./view-writer.ts";

/** A view, and what it was arranged from. */
export interface KnownView extends View {
  /** The length of the log at that time. */
  readonly length: number;
  /** All edits made by then. */
  readonly edits: readonly Proposal[];
}

export interface ExtendedView extends View {
  /** How many messages at its start are the same as in the previous view. */
  readonly kept: number;
}

/**
 * Returns what `arrange` would return for a log that has grown, with new edits at its end, without reading what comes before. Undefined
 * if new messages or edits could change how anything before them is shown: then the view has to be arranged from scratch.
 */
export function extendView(
  known: KnownView,
  log: readonly Message[],
  index: LogIndex,
  added: readonly Proposal[],
  target: ArrangeTarget,
): ExtendedView | undefined {
  if (index.providerRunAt.length > 0 || target.seenFrom > known.length || continuesResponse(known, log)) return undefined;
  const changes = validEdits(log, index, added).map(withoutBlank);
  if (changes.length !== added.length || !changes.every(isReplacement)) return undefined;
  const from = changes.reduce((first, edit) => Math.min(first, edit.at.position), known.length);
  if (!endsWhole(known, log, from) || !answersWhole(known, log, index, from)) return undefined;
  // An edit hides thinking that comes after it (A4.8): here none does.
  if (changes.length > 0 && from <= (index.thinking.at(-1)?.position ?? -1)) return undefined;
  const earlier = from === known.length ? [] : known.edits.filter((edit) => edit.undoneAt === undefined && touches(edit, from));
  if (!earlier.every(isReplacement)) return undefined;
  const byPosition = Map.groupBy(newestBlockEdits([...earlier.map(withoutBlank), ...changes]), ({ at }) => at.position);
  const kept = known.messages.length - (known.length - from);
  const messages = known.messages.slice(0, kept);
  const positions = known.positions.slice(0, kept);
  for (let position = from; position < log.length; position++) {
    const message = log[position] as Message;
    messages.push(withReplacements(message, byPosition.get(position) ?? []));
    positions.push(position);
  }
  return { messages, positions, kept };
}

/** Neighbouring assistant messages are one response, and an edit made before a response shows only from its end on. */
function continuesResponse({ length }: KnownView, log: readonly Message[]): boolean {
  return log[length - 1]?.role === "assistant" && log[length]?.role === "assistant";
}

/** Replacing a result or an input changes nothing else. */
function isReplacement(edit: Proposal): edit is ProposalOf<"replace-result" | "replace-input"> {
  return (edit.kind === "replace-result" || edit.kind === "replace-input") && edit.undoneAt === undefined;
}

function touches(edit: Proposal, from: number): boolean {
  if (edit.kind === "replace-range") return edit.to.position >= from;
  if (isSpanEdit(edit)) return edit.lastResult >= from;
  return placesOf(edit).some(({ position }) => position >= from);
}

/** Returns whether the view ends with every message from right before this position on. */
function endsWhole({ positions, length }: KnownView, log: readonly Message[], from: number): boolean {
  const before = from - 1;
  if (log[before]?.role === "system") return false;
  const first = positions.length - (length - before);
  for (let number = first; number < positions.length; number++) if (positions[number] !== before + number - first) return false;
  return true;
}

/** Returns whether the results from this position on answer calls that come there too, or whose message is shown unchanged. */
function answersWhole({ messages, positions, length }: KnownView, log: readonly Message[], { answered, resultsBefore }: LogIndex, from: number): boolean {
  return answered.slice(resultsBefore[from]).every((call) => {
    if (call === undefined || call.position >= from) return true;
    const at = positions.length - (length - call.position);
    return positions[at] === call.position && messages[at] === log[call.position];
  });
}

function withReplacements(message: Message, edits: readonly PlacedEdit[]): Message {
  if (edits.length === 0) return message;
  const content = [...blocksOf(message)];
  for (const { at, edit } of edits) content[at.block] = replacementOf(content[at.block] as Block, edit) as Block;
  return { ...message, content };
}
