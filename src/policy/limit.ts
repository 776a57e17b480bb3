import type { Proposal } from "../edits/edit.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blocksOf, isToolResult, type Message } from "../messages/message.ts";
import { countBelow } from "./count-below.ts";
import type { Decision } from "./decision.ts";
import type { Digests } from "./digests.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import type { ShownSizes } from "./shown-sizes.ts";
import { savedBy, type Wanted } from "./wanted.ts";

/** What a batch does, and how many tokens go by it. */
interface Batch {
  readonly proposals: Proposal[];
  readonly removed: number;
}

/** Who shortens pieces, and knows which may not be. */
export interface Shortener {
  wanted(log: readonly Message[], strength: 0 | 2): Wanted[];
  apply(log: readonly Message[], wanted: readonly Wanted[]): Proposal[];
  isPinned(position: number): boolean;
}

/** Keeps what is shown below a limit, whatever it costs. */
export class Limit {
  readonly #options: ParsedPolicy;
  readonly #sizes: ShownSizes;
  readonly #digests: Digests;
  readonly #shortener: Shortener;

  constructor(options: ParsedPolicy, sizes: ShownSizes, digests: Digests, shortener: Shortener) {
    this.#options = options;
    this.#sizes = sizes;
    this.#digests = digests;
    this.#shortener = shortener;
  }

  /** The mildest way below it, or the strongest if none is mild enough. `removable`: what lines alone could give. `isFloor`: not even that is enough. */
  below(log: readonly Message[], index: LogIndex, end: number): Batch & { readonly removable: number; readonly isFloor: boolean } {
    const wanted = this.#shortener.wanted(log, 0);
    const removable = savedBy(wanted);
    const batch = this.#mildest(log, index, end, wanted, removable);
    return { ...batch, removable, isFloor: this.#sizes.total - batch.removed > this.#options.highTokens };
  }

  /** Who holds what is left, when all that may go is gone. */
  heldWithout(log: readonly Message[], removed: number): NonNullable<Decision["held"]> {
    const held = { pinned: 0, user: 0, assistant: 0, results: 0 };
    for (const [position, tokens] of this.#sizes.shown.entries()) {
      const message = log[position];
      if (this.#shortener.isPinned(position)) held.pinned += tokens;
      else if (message?.role === "assistant") held.assistant += tokens;
      else held[message !== undefined && blocksOf(message).some(isToolResult) ? "results" : "user"] += tokens;
    }
    return { ...held, results: Math.max(0, held.results - removed) };
  }

  #mildest(log: readonly Message[], index: LogIndex, end: number, wanted: readonly Wanted[], removable: number): Batch {
    const { lowTokens } = this.#options;
    // Shortening is what takes time: it is done only for what is shown.
    if (this.#sizes.total - removable <= lowTokens) return { proposals: this.#shortener.apply(log, wanted), removed: removable };
    // Rather nothing but a digest of what is old than less of what is new: that is what is needed most.
    const old = this.#digested(log, index, Math.min(end, this.#sizes.startOfTail(lowTokens / 2)), 0);
    return this.#sizes.total - old.removed <= lowTokens ? old : this.#digested(log, index, end, 2);
  }

  #digested(log: readonly Message[], index: LogIndex, end: number, strength: 0 | 2): Batch {
    const stretches = this.#digests.before(log, index, end, this.#options.lowTokens);
    const starts = stretches.map(({ from }) => from);
    const isDigested = ({ piece: { at } }: Wanted): boolean => at.position < (stretches[countBelow(starts, at.position + 1) - 1]?.to ?? 0);
    const wanted = this.#shortener.wanted(log, strength).filter((each) => !isDigested(each));
    return {
      proposals: [...this.#shortener.apply(log, wanted), ...this.#digests.of(log, index, stretches)],
      removed: savedBy(wanted) + this.#digests.savedBy(stretches),
    };
  }
}
