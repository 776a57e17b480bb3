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

/** What a turn takes in a digest, about. */
const TURN_TOKENS = 60;
/** What any digest takes, about. */
const LEAST_TOKENS = 120;
/** Digests take at most this share of the limit that they are made for, if there are not too many of them. */
const MOST_SHARE = 0.3;
/** A digest of few turns may take this much, as long as all of them together keep to their share. */
const ROOM_TOKENS = 400;
/** A stretch is worth a digest if that takes less than this share of it. */
const WORTH_SHARE = 0.5;

/** A stretch, what it takes as it is shown now, and what its digest may take and is expected to. */
export interface Stretch extends Digestible {
  readonly shownTokens: number;
  readonly maxTokens: number;
  readonly tokens: number;
}

/** Is its digest so much shorter that it should be made? */
export function isWorthIt({ shownTokens, tokens }: Stretch): boolean {
  return tokens < shownTokens * WORTH_SHARE;
}

/** What digests do, and how many tokens go and have to be written to the cache again by it. */
interface DigestPlan {
  readonly proposals: readonly Proposal[];
  readonly removed: number;
  readonly rewritten: number;
}

/** Which stretches of a log may give way to digests, and what it saves. Sizes are estimated, so that none is made only to be measured. */
export class Digests {
  readonly #options: ParsedPolicy;
  readonly #catalogue: Catalogue;
  readonly #sizes: ShownSizes;
  readonly #measured: Measured;
  readonly #stays: (position: number) => boolean;
  readonly #protectsTools: boolean;
  /** Per position: does someone other than the assistant and its tools speak there? Words that were said do not change. */
  readonly #saysMore: boolean[] = [];

  constructor(options: ParsedPolicy, catalogue: Catalogue, sizes: ShownSizes, measured: Measured, stays: (position: number) => boolean) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#sizes = sizes;
    this.#measured = measured;
    this.#stays = stays;
    this.#protectsTools = Object.values(options.tools).some(({ protect }) => protect === true);
  }

  /** What is worth one before `end`, to keep below a limit. */
  before(log: readonly Message[], index: LogIndex, end: number, limit: number): Stretch[] {
    return this.allBefore(log, index, end, limit).filter(isWorthIt);
  }

  /** All that could give way to one, worth it or not. */
  allBefore(log: readonly Message[], index: LogIndex, end: number, limit: number): Stretch[] {
    // Without its last response, a turn that is over would read as one that goes on.
    const last = Math.min(end, this.#catalogue.startOfLast(1));
    // What a digest has taken already stays in it: two that cross cannot both be shown, and one inside of another is not.
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

  /** Of all before the newest, if it is worth writing that to the cache again. What comes from `unsentFrom` on has to be written in any case. */
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
