import type { LogIndex } from "../messages/index-log.ts";
import type { Call } from "../messages/open-calls.ts";
import { blockCount, type Message } from "../messages/message.ts";
import { placeKey, isBefore, type Place } from "../messages/place.ts";
import type { PlacedEdit } from "./block-edits.ts";
import type { ChangedMessages } from "./changed-messages.ts";
import type { Proposal } from "./edit.ts";
import type { RangeEdit, RoundEdit } from "./edit-places.ts";
import type { OuterSpans, Span } from "./spans.ts";

type RangeSpan = Span<RangeEdit>;

/**
 * What the spans remove from the view. If a border is inside a round, a result follows its call: it is removed if the call
 * is removed, wherever the result is, and stays if the call stays (A2.1, A2.2). A call follows the provider-run call that it
 * belongs to (A3.2, A3.3). If calls of one message share an id, a result answers all of them (B1) and stays as long as one does.
 */
export class Coverage {
  readonly #log: readonly Message[];
  readonly #ranges: readonly RangeSpan[];
  /** The range that covers the whole message at each position. */
  readonly #whole: readonly (RangeSpan | undefined)[];
  /** Ranges that begin or end between two blocks of a message. */
  readonly #borders = new Map<number, RangeSpan[]>();
  /** Blocks inside a range that stay, because what they belong to is outside of it. */
  readonly #staying = new Map<number, Set<number>>();
  /** The edit that removes each call. */
  readonly #hiddenCalls: readonly (Proposal | undefined)[];
  /** For a call without a result, or with one further away: the result of a removed call with the same id. */
  readonly #inherited = new Map<Call, Place>();

  constructor(log: readonly Message[], index: LogIndex, { ranges, rounds }: OuterSpans, blockEdits: readonly PlacedEdit[], changed: ChangedMessages) {
    this.#log = log;
    this.#ranges = ranges;
    this.#whole = this.#markRanges();
    const asText = new Map<string, Proposal>();
    for (const { at, edit } of blockEdits) if (edit.kind === "replace-block") asText.set(placeKey(at), edit);
    const hidesNothing = ranges.length === 0 && rounds.length === 0 && asText.size === 0;
    this.#hiddenCalls = hidesNothing ? [] : this.#settlePairs(index, rounds, asText, changed);
    this.#dropBetweenBorders(changed);
  }

  get hasRanges(): boolean {
    return this.#ranges.length > 0;
  }

  /** Returns the range that removes the whole message. */
  rangeAround(position: number): RangeSpan | undefined {
    if (!this.hasRanges) return undefined;
    const range = this.#whole[position];
    return range !== undefined && this.#staying.size > 0 && this.#staying.has(position) ? undefined : range;
  }

  /** Returns the position after the messages from here on that a range removes whole; the position itself if none does. */
  hiddenUntil(position: number): number {
    const range = this.rangeAround(position);
    if (range === undefined) return position;
    return this.#staying.size > 0 ? position + 1 : range.to.position;
  }

  /** Returns the range that removes this block. */
  rangeOver(at: Place): RangeSpan | undefined {
    return this.#staying.get(at.position)?.has(at.block) === true ? undefined : this.#rangeOf(at);
  }

  hidesCall(call: Call): boolean {
    return this.#hiddenCalls[call.number] !== undefined;
  }

  /** Returns the result that is shown for a call that is shown. */
  resultOf(call: Call): Place | undefined {
    return (this.#inherited.size > 0 ? this.#inherited.get(call) : undefined) ?? call.result;
  }

  #rangeOf(at: Place): RangeSpan | undefined {
    if (!this.hasRanges) return undefined;
    const whole = this.#whole[at.position];
    if (whole !== undefined || this.#borders.size === 0) return whole;
    return this.#borders.get(at.position)?.find((range) => !isBefore(at, range.from) && isBefore(at, range.to));
  }

  #markRanges(): (RangeSpan | undefined)[] {
    if (this.#ranges.length === 0) return [];
    const whole = new Array<RangeSpan | undefined>(this.#log.length);
    for (const range of this.#ranges) {
      const { from, to } = range;
      whole.fill(range, from.block === 0 ? from.position : from.position + 1, to.position);
      if (from.block > 0) this.#addBorder(from.position, range);
      if (to.block > 0 && (from.block === 0 || to.position !== from.position)) this.#addBorder(to.position, range);
    }
    return whole;
  }

  #addBorder(position: number, range: RangeSpan): void {
    const ranges = this.#borders.get(position);
    if (ranges === undefined) this.#borders.set(position, [range]);
    else ranges.push(range);
  }

  /** Removes the thinking of a collapsed call too: it was about a call that is no longer there. */
  #collapseRounds(rounds: readonly RoundEdit[], thinking: readonly Place[], changed: ChangedMessages): void {
    let next = 0;
    for (const edit of rounds) {
      for (let at = thinking[next]; at !== undefined && at.position <= edit.call; at = thinking[++next]) {
        if (at.position === edit.call) changed.drop(edit.call, at.block, edit);
      }
      changed.addNote(edit.call, edit.note, edit);
    }
  }

  #settlePairs(index: LogIndex, rounds: readonly RoundEdit[], asText: ReadonlyMap<string, Proposal>, changed: ChangedMessages): (Proposal | undefined)[] {
    const { calls, callsBefore, providerRunAt, thinking } = index;
    this.#collapseRounds(rounds, thinking, changed);
    const hidden = new Array<Proposal | undefined>(calls.length);
    // After the last span there is nothing to settle, except for calls that belong to an earlier call, and those that are text now.
    const end = asText.size > 0 || providerRunAt.length > 0 ? calls.length : (callsBefore[this.#lastSpan(rounds) + 1] ?? calls.length);
    let nextRound = 0;
    let round = rounds[0];
    const notAnsweredNext: Call[] = [];
    const bereft: Call[] = [];
    for (let number = 0; number < end; number++) {
      const call = calls[number] as Call;
      // In a long thread most rounds are inside one range, call and result.
      const around = call.owner === undefined ? this.#whole[call.position] : undefined;
      if (around !== undefined && (call.result === undefined || this.#whole[call.result.position] === around)) {
        hidden[number] = around.edit;
        continue;
      }
      while (round !== undefined && round.call < call.position) round = rounds[++nextRound];
      const range = this.#rangeOf(call);
      const collapsed = round?.call === call.position ? round : undefined;
      const taken = call.owner === undefined ? (range?.edit ?? collapsed) : hidden[call.owner.number];
      const edit = taken ?? (asText.size > 0 ? asText.get(placeKey(call)) : undefined);
      const { result } = call;
      const resultRange = result === undefined ? undefined : this.#rangeOf(result);
      if (edit === undefined) {
        if (range !== undefined) this.#stay(call);
        if (result === undefined || result.position > call.position + 1) notAnsweredNext.push(call);
        if (result !== undefined && resultRange !== undefined) this.#stay(result);
        continue;
      }
      hidden[call.number] = edit;
      // A call that was replaced by text is shown as that text.
      if (range === undefined && edit.kind !== "replace-block") changed.drop(call.position, call.block, edit);
      // A collapsed round goes with all of its calls.
      if (result !== undefined && edit.kind !== "collapse-round") bereft.push(call);
      else if (result !== undefined && resultRange === undefined) changed.drop(result.position, result.block, edit);
    }
    this.#settleResults(bereft, notAnsweredNext, hidden, changed);
    return hidden;
  }

  /** Removes the results of removed calls, unless a call that stays needs one. */
  #settleResults(bereft: readonly Call[], notAnsweredNext: readonly Call[], hidden: readonly (Proposal | undefined)[], changed: ChangedMessages): void {
    const heirs = bereft.length === 0 ? new Map<string, Call[]>() : Map.groupBy(notAnsweredNext, callKey);
    for (const call of bereft) {
      const { result } = call;
      const edit = hidden[call.number];
      if (result === undefined || edit === undefined) continue;
      const sameId = heirs.size > 0 ? heirs.get(callKey(call)) : undefined;
      const heir = sameId?.at(-1);
      if (heir === undefined || (heir.result !== undefined && heir.result.position <= result.position)) {
        this.#leave(result, edit, changed);
        continue;
      }
      sameId?.pop();
      this.#inherited.set(heir, result);
      if (this.#rangeOf(result) !== undefined) this.#stay(result);
      if (heir.result !== undefined) this.#leave(heir.result, edit, changed);
    }
  }

  /** Removes a block, unless a range around it does so anyway. */
  #leave(at: Place, edit: Proposal, changed: ChangedMessages): void {
    if (this.#rangeOf(at) === undefined) changed.drop(at.position, at.block, edit);
    else this.#staying.get(at.position)?.delete(at.block);
  }

  /** The last position with a block that a span may cover. */
  #lastSpan(rounds: readonly RoundEdit[]): number {
    return Math.max(this.#ranges.at(-1)?.to.position ?? 0, rounds.at(-1)?.call ?? 0);
  }

  #stay(at: Place): void {
    const staying = this.#staying.get(at.position);
    if (staying === undefined) this.#staying.set(at.position, new Set([at.block]));
    else staying.add(at.block);
  }

  #dropBetweenBorders(changed: ChangedMessages): void {
    for (const position of [...this.#borders.keys(), ...this.#staying.keys()]) {
      const message = this.#log[position];
      const blocks = message === undefined ? 0 : blockCount(message);
      for (let block = 0; block < blocks; block++) {
        const range = this.rangeOver({ position, block });
        if (range !== undefined) changed.drop(position, block, range.edit);
      }
    }
  }
}

/** Returns the same key for calls of one message with the same id. */
function callKey({ position, server, id }: Call): string {
  return `${position} ${server} ${id}`;
}
