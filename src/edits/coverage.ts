import type { LogIndex } from "../messages/index-log.ts";
import type { Call } from "../messages/open-calls.ts";
import { blocksOf, type Message } from "../messages/message.ts";
import { comparePlaces, isBefore, type Place } from "../messages/place.ts";
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
    const texts = blockEdits.filter(({ edit }) => edit.kind === "replace-block");
    this.#hiddenCalls = this.#settlePairs(index, rounds, texts, changed);
    this.#dropBetweenBorders(changed);
  }

  get hasRanges(): boolean {
    return this.#ranges.length > 0;
  }

  /** Returns the range that removes the whole message. */
  rangeAround(position: number): RangeSpan | undefined {
    return this.#staying.has(position) ? undefined : this.#whole[position];
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
    return this.#inherited.get(call) ?? call.result;
  }

  #rangeOf(at: Place): RangeSpan | undefined {
    return this.#whole[at.position] ?? this.#borders.get(at.position)?.find((range) => !isBefore(at, range.from) && isBefore(at, range.to));
  }

  #markRanges(): (RangeSpan | undefined)[] {
    const whole = new Array<RangeSpan | undefined>(this.#ranges.at(-1)?.to.position ?? 0);
    for (const range of this.#ranges) {
      const { from, to } = range;
      whole.fill(range, from.block === 0 ? from.position : from.position + 1, to.position);
      for (const { position, block } of [from, to]) if (block > 0) this.#addBorder(position, range);
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

  #settlePairs(index: LogIndex, rounds: readonly RoundEdit[], texts: readonly PlacedEdit[], changed: ChangedMessages): (Proposal | undefined)[] {
    const { calls, callsBefore, providerRunAt, thinking } = index;
    this.#collapseRounds(rounds, thinking, changed);
    // After the last edit there is nothing to settle, except for calls that belong to an earlier call.
    const last = Math.max(this.#ranges.at(-1)?.to.position ?? 0, rounds.at(-1)?.call ?? 0, texts.at(-1)?.at.position ?? 0);
    const end = providerRunAt.length > 0 ? calls.length : (callsBefore[last + 1] ?? calls.length);
    const hidden = new Array<Proposal | undefined>(end);
    let nextRound = 0;
    let round = rounds[0];
    let nextText = 0;
    let text = texts[0];
    const notAnsweredNext: Call[] = [];
    const bereft: Bereft[] = [];
    for (let number = 0; number < end; number++) {
      const call = calls[number] as Call;
      const { result } = call;
      // In a long thread most rounds are inside one range, call and result.
      const around = call.owner === undefined ? this.#whole[call.position] : undefined;
      if (around !== undefined && (result === undefined || this.#whole[result.position] === around)) {
        hidden[number] = around.edit;
        continue;
      }
      while (round !== undefined && round.call < call.position) round = rounds[++nextRound];
      while (text !== undefined && isBefore(text.at, call)) text = texts[++nextText];
      const collapsed = round?.call === call.position ? round : undefined;
      const taken = call.owner === undefined ? (this.#rangeOf(call)?.edit ?? collapsed) : hidden[call.owner.number];
      // A call that is replaced by text is shown as that text.
      const edit = taken ?? (text !== undefined && comparePlaces(text.at, call) === 0 ? text.edit : undefined);
      hidden[number] = edit;
      if (edit === undefined) {
        this.#stay(call);
        if (result !== undefined) this.#stay(result);
        if (result === undefined || result.position > call.position + 1) notAnsweredNext.push(call);
        continue;
      }
      if (taken !== undefined) this.#leave(call, edit, changed);
      if (result === undefined) continue;
      // A collapsed round goes with all of its calls.
      if (edit.kind === "collapse-round") this.#leave(result, edit, changed);
      else bereft.push({ call, result, edit });
    }
    this.#settleResults(bereft, Map.groupBy(notAnsweredNext, callKey), changed);
    return hidden;
  }

  /** Removes the results of removed calls, unless a call that stays needs one. */
  #settleResults(bereft: readonly Bereft[], heirs: ReadonlyMap<string, Call[]>, changed: ChangedMessages): void {
    for (const { call, result, edit } of bereft) {
      const sameId = (heirs.size > 0 ? heirs.get(callKey(call)) : undefined) ?? [];
      const heir = sameId.at(-1);
      if (heir === undefined || (heir.result !== undefined && heir.result.position <= result.position)) {
        this.#leave(result, edit, changed);
        continue;
      }
      sameId.pop();
      this.#inherited.set(heir, result);
      this.#stay(result);
      if (heir.result !== undefined) this.#leave(heir.result, edit, changed);
    }
  }

  /** Removes a block, unless a range around it does so anyway. */
  #leave(at: Place, edit: Proposal, changed: ChangedMessages): void {
    if (this.#rangeOf(at) === undefined) changed.drop(at.position, at.block, edit);
    else this.#staying.get(at.position)?.delete(at.block);
  }

  /** Keeps a block that a range around it would remove. */
  #stay(at: Place): void {
    if (this.#rangeOf(at) === undefined) return;
    const staying = this.#staying.get(at.position);
    if (staying === undefined) this.#staying.set(at.position, new Set([at.block]));
    else staying.add(at.block);
  }

  #dropBetweenBorders(changed: ChangedMessages): void {
    for (const position of [...this.#borders.keys(), ...this.#staying.keys()]) {
      for (const block of blocksOf(this.#log[position] as Message).keys()) {
        const range = this.rangeOver({ position, block });
        if (range !== undefined) changed.drop(position, block, range.edit);
      }
    }
  }
}

/** A result whose call is removed, and the edit that removes it. */
interface Bereft {
  readonly call: Call;
  readonly result: Place;
  readonly edit: Proposal;
}

/** Returns the same key for calls of one message with the same id. */
function callKey({ position, server, id }: Call): string {
  return `${position} ${server} ${id}`;
}
