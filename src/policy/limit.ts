import type { Proposal } from "../edits/edit.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, isToolResult, type Message } from "../messages/message.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import type { Catalogue } from "./catalogue.ts";
import { countBelow } from "./count-below.ts";
import type { Decision } from "./decision.ts";
import { isWorthIt, type Digests, type Stretch } from "./digests.ts";
import { dropRounds, savedByDropping } from "./drop-rounds.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import type { ShownSizes } from "./shown-sizes.ts";
import { savedBy, type Wanted } from "./wanted.ts";

/** What a batch does, and how many tokens go by it. */
interface Batch {
  readonly proposals: readonly Proposal[];
  readonly removed: number;
}

/** What a batch is made with: the pieces that may be shortened, and how. */
export interface BatchTools {
  wanted(log: readonly Message[], strength: 0 | 2): Wanted[];
  apply(log: readonly Message[], wanted: Wanted): Proposal | undefined;
  /** How many tokens it takes out of the view. */
  saved(log: readonly Message[], proposal: Proposal): number;
  isPinned(position: number): boolean;
  /** Does a note stand there that tells of other places too? */
  isNote(stretch: Stretch): boolean;
}

/** Stretches before `dropsTo` are dropped; of the others before `end`, those that are worth it give way to digests, and if `dropsSmall`, the rest is dropped too. */
interface Plan {
  readonly wanted: readonly Wanted[];
  readonly end: number;
  readonly dropsTo: number;
  readonly dropsSmall: boolean;
}

/** One way to get below a limit: plans from the mildest to the strongest. */
interface Way {
  readonly ends: readonly number[];
  readonly planTo: (end: number) => Plan;
}

/** A plan is made again, with what was learnt of its real size, at most this often. */
const TRIES = 6;
/** A view this close below its target is not planned again. */
const CLOSE = 0.92;

/** Keeps the view below a limit: the least valuable goes first, and no more than is needed. */
export class Limit {
  readonly #options: ParsedPolicy;
  readonly #catalogue: Catalogue;
  readonly #sizes: ShownSizes;
  readonly #digests: Digests;
  readonly #tools: BatchTools;
  /** What pieces become: asked for again in every plan of a call. */
  #applied = new Map<Wanted, { readonly proposal: Proposal | undefined; readonly saved: number }>();

  constructor(options: ParsedPolicy, catalogue: Catalogue, sizes: ShownSizes, digests: Digests, tools: BatchTools) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#sizes = sizes;
    this.#digests = digests;
    this.#tools = tools;
  }

  /** The mildest way below it, or the strongest if none is mild enough. `extra`: so many tokens more are to go. `removable`: what lines alone could give. `isFloor`: not even that is enough. */
  below(log: readonly Message[], index: LogIndex, end: number, extra: number): Batch & { readonly removable: number; readonly isFloor: boolean } {
    this.#applied = new Map();
    const wanted = this.#tools.wanted(log, 0);
    const batch = this.#mildest(log, index, end, wanted, extra);
    return { ...batch, removable: savedBy(wanted), isFloor: this.#sizes.total - batch.removed > this.#options.highTokens };
  }

  /** Says who holds the tokens that are left after these proposals. */
  heldAfter(log: readonly Message[], proposals: readonly Proposal[]): NonNullable<Decision["held"]> {
    const left = [...this.#sizes.shown];
    for (const proposal of proposals) {
      if (proposal.kind === "replace-range") left.fill(0, proposal.from.position, proposal.to.position);
      else if ("at" in proposal && "position" in proposal.at) left[proposal.at.position] = (left[proposal.at.position] ?? 0) - this.#tools.saved(log, proposal);
    }
    const held = { pinned: 0, user: 0, assistant: 0, results: 0 };
    for (const [position, tokens] of left.entries()) {
      const message = log[position];
      if (message === undefined || tokens <= 0) continue;
      if (this.#tools.isPinned(position)) held.pinned += tokens;
      else if (message.role === "assistant") held.assistant += tokens;
      else {
        const said = Math.min(tokens, contentTokens(blocksOf(message).filter((block) => !isToolResult(block))));
        held.user += said;
        held.results += tokens - said;
      }
    }
    return held;
  }

  #mildest(log: readonly Message[], index: LogIndex, end: number, wanted: readonly Wanted[], extra: number): Batch {
    const lowTokens = Math.max(0, this.#options.lowTokens - extra);
    const highTokens = Math.max(0, this.#options.highTokens - extra);
    const lines = this.#lines(log, wanted, this.#sizes.total - lowTokens);
    if (this.#sizes.total - lines.removed <= lowTokens) return lines;
    const ways = this.#ways(log, end, wanted);
    // The strongest plan of each way, made when it is asked for.
    const strongest = new Map<Way, Batch>();
    let best = lines;
    // Where the low watermark is out of reach, half of the way to it spares the next calls a batch.
    for (const target of [lowTokens, (lowTokens + highTokens) / 2, highTokens]) {
      for (const way of ways) {
        const all = strongest.get(way) ?? this.#made(log, index, way.planTo(way.ends.at(-1) ?? 0));
        strongest.set(way, all);
        if (all.removed > best.removed) best = all;
        if (this.#sizes.total - all.removed <= target) return this.#fitted(log, index, way, target, all);
      }
    }
    return best;
  }

  /** From the oldest on: first digests, then also what is too small for one, then newer ones; then single results; at last no digests either. */
  #ways(log: readonly Message[], end: number, wanted: readonly Wanted[]): Way[] {
    const responses = Array.from({ length: this.#catalogue.turns }, (_, turn) => this.#catalogue.startOfLast(this.#catalogue.turns - turn));
    const newest = Math.min(end, this.#catalogue.startOfLast(1));
    const before = (last: number): number[] => [0, ...responses.slice(0, countBelow(responses, last)), last];
    // What is needed most is the newest.
    const tail = Math.min(newest, this.#sizes.startOfTail(this.#options.lowTokens / 2));
    const strong = this.#tools.wanted(log, 2);
    const way = (last: number, dropsSmall: boolean): Way => ({ ends: before(last), planTo: (to) => ({ wanted, end: to, dropsTo: 0, dropsSmall }) });
    return [
      way(tail, false),
      way(tail, true),
      way(newest, true),
      { ends: strong.map((_, number) => number + 1), planTo: (count) => ({ wanted: strong.slice(0, count), end: newest, dropsTo: 0, dropsSmall: true }) },
      { ends: before(newest), planTo: (to) => ({ wanted: strong, end: newest, dropsTo: to, dropsSmall: true }) },
    ];
  }

  /** Results that nobody used go before those that were used, and old ones before newer ones. What is said again later costs nothing. */
  #lines(log: readonly Message[], wanted: readonly Wanted[], needed: number): Batch {
    const rank = ({ isRepeated, piece }: Wanted): number => (isRepeated ? 0 : piece.uses === 0 ? 1 : 2);
    const proposals: Proposal[] = [];
    let removed = 0;
    for (const each of [...wanted].sort((a, b) => rank(a) - rank(b))) {
      if (removed >= needed) break;
      const { proposal, saved } = this.#apply(log, each);
      if (proposal === undefined) continue;
      proposals.push(proposal);
      removed += saved;
    }
    return { proposals, removed };
  }

  /** The mildest plan of a way that gets to the target. Sizes of plans are estimates: the next try knows how wrong the last was. */
  #fitted(log: readonly Message[], index: LogIndex, way: Way, target: number, strongest: Batch): Batch {
    const needed = this.#sizes.total - target;
    let best = strongest;
    let planned = needed;
    // All before are known not to be enough, all after are known to be.
    let first = 0;
    let last = way.ends.length - 2;
    for (let attempt = 0; attempt < TRIES && first <= last; attempt++) {
      const number = Math.min(Math.max(first, this.#mildestEnd(log, index, way, planned)), last);
      const batch = this.#made(log, index, way.planTo(way.ends[number] ?? 0));
      if (batch.removed >= needed) {
        if (batch.removed < best.removed) best = batch;
        if (this.#sizes.total - batch.removed >= target * CLOSE) break;
        last = number - 1;
      } else first = number + 1;
      planned += needed - batch.removed;
    }
    return best;
  }

  #mildestEnd(log: readonly Message[], index: LogIndex, { ends, planTo }: Way, needed: number): number {
    let low = 0;
    let high = ends.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#expected(log, index, planTo(ends[middle] ?? 0)) >= needed) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #expected(log: readonly Message[], index: LogIndex, plan: Plan): number {
    const { digested, dropped, shortened } = this.#split(log, index, plan);
    return savedBy(shortened) + this.#digests.savedBy(digested) + savedByDropping(dropped);
  }

  #made(log: readonly Message[], index: LogIndex, plan: Plan): Batch {
    const { digested, dropped, shortened } = this.#split(log, index, plan);
    const lines = this.#lines(log, shortened, Infinity);
    const ranges = [...this.#digests.of(log, index, digested), ...dropRounds(log, dropped, this.#options)];
    return {
      proposals: [...lines.proposals, ...ranges],
      removed: ranges.reduce((sum, range) => sum + this.#tools.saved(log, range), lines.removed),
    };
  }

  #split(
    log: readonly Message[],
    index: LogIndex,
    { wanted, end, dropsTo, dropsSmall }: Plan,
  ): { readonly digested: readonly Stretch[]; readonly dropped: readonly Stretch[]; readonly shortened: readonly Wanted[] } {
    const digested: Stretch[] = [];
    const dropped: Stretch[] = [];
    const taken: Stretch[] = [];
    for (const stretch of this.#digests.allBefore(log, index, end, this.#options.lowTokens)) {
      // After a system message something of the assistant's has to stand (A1.10): what is dropped there would leave a note, and save nothing.
      const canDrop = stretch.shownTokens > 0 && log[stretch.from - 1]?.role !== "system";
      const isDropped = canDrop && !this.#tools.isNote(stretch) && (stretch.to <= dropsTo || (dropsSmall && !isWorthIt(stretch)));
      if (!isDropped && !isWorthIt(stretch)) continue;
      (isDropped ? dropped : digested).push(stretch);
      taken.push(stretch);
    }
    const starts = taken.map(({ from }) => from);
    const isTaken = ({ piece: { at } }: Wanted): boolean => at.position < (taken[countBelow(starts, at.position + 1) - 1]?.to ?? 0);
    return { digested, dropped, shortened: wanted.filter((each) => !isTaken(each)) };
  }

  #apply(log: readonly Message[], wanted: Wanted): { readonly proposal: Proposal | undefined; readonly saved: number } {
    let applied = this.#applied.get(wanted);
    if (applied === undefined) {
      const proposal = this.#tools.apply(log, wanted);
      applied = { proposal, saved: proposal === undefined ? 0 : this.#tools.saved(log, proposal) };
      this.#applied.set(wanted, applied);
    }
    return applied;
  }
}
