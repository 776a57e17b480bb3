import type { Proposal } from "../edits/edit.ts";
import type { LogIndex } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import type { Catalogue } from "./catalogue.ts";
import { digestFacts, digestOf } from "./digest.ts";
import { digestibleIn, saysMore, type Digestible } from "./digestible.ts";
import type { Measured } from "./measured.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import type { Rates } from "./schedule.ts";
import type { ShownSizes } from "./shown-sizes.ts";

/** The approximate size of a turn in a digest. */
const TURN_TOKENS = 60;
/** The approximate size of the smallest digest. */
const LEAST_TOKENS = 120;
/** Unless there are too many, all digests together take at most this share of their limit. */
const MOST_SHARE = 0.3;
/** A digest of few turns may take this much, as long as all digests together keep to their share. */
const ROOM_TOKENS = 400;
/** A stretch is worth a digest if that takes less than this share of it. */
const WORTH_SHARE = 0.5;

/** A stretch, its current size, and the maximum and expected sizes of its digest. */
export interface Stretch extends Digestible {
  readonly shownTokens: number;
  readonly maxTokens: number;
  readonly tokens: number;
}

/** Returns whether the digest is short enough to be worth making. */
export function isWorthIt({ shownTokens, tokens }: Stretch): boolean {
  return tokens < shownTokens * WORTH_SHARE;
}

/** Digests to make, with the tokens that they remove and those that have to be written to the cache again. */
interface DigestPlan {
  readonly proposals: readonly Proposal[];
  readonly removed: number;
  readonly rewritten: number;
}

/** Finds which stretches of a log digests may replace, and what that saves. Sizes are estimated, so that no digest is written only to be measured. */
export class Digests {
  readonly #options: ParsedPolicy;
  readonly #catalogue: Catalogue;
  readonly #sizes: ShownSizes;
  readonly #measured: Measured;
  readonly #stays: (position: number) => boolean;
  readonly #protectsTools: boolean;
  /** Whether someone other than the assistant and its tools speaks at each position. This never changes. */
  readonly #saysMore: boolean[] = [];

  constructor(options: ParsedPolicy, catalogue: Catalogue, sizes: ShownSizes, measured: Measured, stays: (position: number) => boolean) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#sizes = sizes;
    this.#measured = measured;
    this.#stays = stays;
    this.#protectsTools = Object.values(options.tools).some(({ protect }) => protect === true);
  }

  /** Returns the stretches before `end` that are worth a digest, to stay below a limit. */
  before(log: readonly Message[], index: LogIndex, end: number, limit: number): Stretch[] {
    return this.allBefore(log, index, end, limit).filter(isWorthIt);
  }

  /** Returns all stretches that a digest could replace, worth it or not. */
  allBefore(log: readonly Message[], index: LogIndex, end: number, limit: number): Stretch[] {
    // Keep the last response: without it, a finished turn would look unfinished.
    const last = Math.min(end, this.#catalogue.startOfLast(1));
    // A new digest takes in older ones as a whole: two that cross cannot both be shown, and one inside another is not shown.
    for (let position = this.#saysMore.length; position < log.length; position++) this.#saysMore.push(saysMore(log[position] as Message, index, position));
    const isKept = (position: number): boolean => {
      if (this.#saysMore[position] === true) return true;
      return !this.#sizes.isHidden(position) && (this.#stays(position) || this.#isProtected(position) || this.#catalogue.hasMoreThanText(position));
    };
    const stretches = digestibleIn(log, index, last, isKept)
      .filter(({ from, to }) => !this.#sizes.isInside(from) && !this.#sizes.isInside(to))
      .map((stretch) => ({ ...stretch, turns: this.#catalogue.turnsBetween(stretch.from, stretch.to) }));
    const turnsInAll = stretches.reduce((sum, { turns }) => sum + turns, 0);
    const forAll = limit * MOST_SHARE;
    const least = Math.max(LEAST_TOKENS, Math.min(ROOM_TOKENS, forAll / stretches.length));
    return stretches.map(({ turns, ...stretch }) => {
      const maxTokens = Math.floor(Math.max(least, (forAll * turns) / turnsInAll));
      const shownTokens = this.#sizes.shownBetween(stretch.from, stretch.to);
      return { ...stretch, shownTokens, maxTokens, tokens: Math.min(maxTokens, LEAST_TOKENS + TURN_TOKENS * turns) };
    });
  }

  savedBy(stretches: readonly Stretch[]): number {
    return stretches.reduce((sum, { shownTokens, tokens }) => sum + shownTokens - tokens, 0);
  }

  of(log: readonly Message[], index: LogIndex, stretches: readonly Stretch[]): Proposal[] {
    const facts = digestFacts(log, index);
    return stretches.flatMap((stretch) => digestOf(log, index, stretch, facts, this.#options, this.#measured) ?? []);
  }

  /** Returns digests of all but the newest messages, if they save more than writing those to the cache again costs. Messages from `unsentFrom` on are written anyway. */
  thatPay(log: readonly Message[], index: LogIndex, end: number, { read, write }: Rates, unsentFrom: number): DigestPlan | undefined {
    const { digestTokens, digestTailTokens, digestTailTurns, digestWithinCalls } = this.#options;
    const tail = Math.min(this.#sizes.startOfTail(digestTailTokens), this.#catalogue.startOfLast(digestTailTurns));
    const stretches = this.before(log, index, Math.min(end, tail), digestTokens);
    const removed = this.savedBy(stretches);
    const rewritten = this.#sizes.shownBetween(stretches[0]?.from ?? 0, Math.max(tail, unsentFrom)) - removed;
    if (stretches.length === 0 || digestWithinCalls * read * removed <= (write - read) * rewritten) return undefined;
    const proposals = this.of(log, index, stretches);
    return proposals.length === 0 ? undefined : { proposals, removed, rewritten };
  }

  #isProtected(position: number): boolean {
    return this.#protectsTools && this.#catalogue.toolsAt(position).some((tool) => this.#options.tools[tool]?.protect === true);
  }
}
