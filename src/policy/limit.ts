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

/** What a batch does, and how many tokens that removes. */
interface Batch {
  readonly proposals: readonly Proposal[];
  readonly removed: number;
}

/** What a batch needs: the pieces that may be shortened, and how. */
export interface BatchTools {
  wanted(log: readonly Message[], strength: 0 | 2): Wanted[];
  apply(log: readonly Message[], wanted: Wanted): Proposal | undefined;
  /** Returns how many tokens a proposal removes from the view. */
  saved(log: readonly Message[], proposal: Proposal): number;
  isPinned(position: number): boolean;
  /** Returns whether the stretch shows a note that covers other places too. */
  isNote(stretch: Stretch): boolean;
}

/** Drops stretches before `dropsTo`. Of the others before `end`, replaces those worth it by digests, and with `dropsSmall` drops the rest too. */
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

/** How often a plan is revised, using the real size of the previous one. */
const TRIES = 6;
/** A view this close below its target is good enough. */
const CLOSE = 0.92;

/** Keeps the view below a limit: removes the least valuable first, and no more than needed. */
export class Limit {
  readonly #options: ParsedPolicy;
  readonly #catalogue: Catalogue;
  readonly #sizes: ShownSizes;
  readonly #digests: Digests;
  readonly #tools: BatchTools;
  /** Caches what pieces become, as every plan of a call asks for it. */
  #applied = new Map<Wanted, { readonly proposal: Proposal | undefined; readonly saved: number }>();

  constructor(options: ParsedPolicy, catalogue: Catalogue, sizes: ShownSizes, digests: Digests, tools: BatchTools) {
    this.#options = options;
    this.#catalogue = catalogue;
    this.#sizes = sizes;
    this.#digests = digests;
    this.#tools = tools;
  }

  /** Returns the mildest batch that gets `extra` tokens below the limit, or else the strongest, with `isFloor`. `removable`: what shortening single pieces could remove. */
  below(log: readonly Message[], index: LogIndex, end: number, extra: number): Batch & { readonly removable: number; readonly isFloor: boolean } {
    this.#applied = new Map();
    const wanted = this.#tools.wanted(log, 0);
    const batch = this.#mildest(log, index, end, wanted, extra);
    return { ...batch, removable: savedBy(wanted), isFloor: this.#sizes.total - batch.removed > this.#options.highTokens };
  }

  /** Returns whose tokens are left after these proposals. */
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
    // The strongest plan of each way, made on demand.
    const strongest = new Map<Way, Batch>();
    let best = lines;
    // If the low watermark is out of reach, getting halfway there still saves the next calls a batch.
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

  /** Returns the ways in order, each starting with the oldest: digests; dropping what is too small for one; newer messages; single results; no digests either. */
  #ways(log: readonly Message[], end: number, wanted: readonly Wanted[]): Way[] {
    const responses = Array.from({ length: this.#catalogue.turns }, (_, turn) => this.#catalogue.startOfLast(this.#catalogue.turns - turn));
    const newest = Math.min(end, this.#catalogue.startOfLast(1));
    const before = (last: number): number[] => [0, ...responses.slice(0, countBelow(responses, last)), last];
    // The newest messages are needed most.
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

  /** Shortens unused results before used ones, and older before newer ones. Repeated results come first, because removing them loses nothing. */
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

  /** Returns the mildest plan of a way that reaches the target. Sizes of plans are estimates: each try corrects the estimate of the last. */
  #fitted(log: readonly Message[], index: LogIndex, way: Way, target: number, strongest: Batch): Batch {
    const needed = this.#sizes.total - target;
    let best = strongest;
    let planned = needed;
    // A binary search: everything before `first` is known not to be enough, everything after the end is known to be.
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
      // The assistant has to speak after a system message (A1.10): dropping a stretch there would leave a note, and save nothing.
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
