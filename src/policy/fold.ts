import type { Edit, Proposal } from "../edits/edit.ts";
import type { KnownTokens } from "../edits/make-edits.ts";
import type { LogIndex } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { placeKey } from "../messages/place.ts";
import { bindsPrefix, type Target } from "../messages/target.ts";
import { frozenStretch, isFrozen, newestResponse, newestRound } from "../passes/hold-back.ts";
import { pauseMs } from "../pricing/billing/pause.ts";
import { modelInfo } from "../pricing/model-info.ts";
import type { ModelInfo } from "../pricing/models/model.ts";
import { Catalogue } from "./catalogue.ts";
import type { Decision } from "./decision.ts";
import { Digests } from "./digests.ts";
import { Levels } from "./levels.ts";
import { Limit, type Shortener } from "./limit.ts";
import type { Measured } from "./measured.ts";
import { isOfPiece, levelOf, showsAll } from "./piece-edits.ts";
import type { Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import { refuseLargePins } from "./pin-limit.ts";
import { Repeats } from "./repeats.ts";
import { bestCut, ratesOf } from "./schedule.ts";
import { withoutIt } from "./without-it.ts";
import { ShownSizes } from "./shown-sizes.ts";
import { ShownWords } from "./shown-words.ts";
import { perPosition, savedBy, wantedOf, type Wanted } from "./wanted.ts";

/** A model call: what is known of it beside the log. Recorded, so that the same steps give the same edits again. */
export interface Step {
  /** The length of the log that it is made with. */
  readonly upTo: number;
  readonly model: string;
  readonly headHash: string;
  readonly atMs?: number;
  /** Nothing is cached, whatever the clock says. */
  readonly isCold?: boolean;
}

/** A call of which nothing is known but that it was made. */
export const UNKNOWN_CALL: Omit<Step, "upTo"> = { model: "", headHash: "" };

/** On a cold cache, digests are made from this share of their limit on. */
const COLD_SHARE = 0.5;

/**
 * Decides, at each call, what is shown shorter from then on. It reads the log, the steps and the edits that were made, and nothing else:
 * the same of these give the same edits, on any machine and after any restart. The work of a step grows with what is new, but for a
 * few additions per message.
 */
export class Fold implements KnownTokens {
  readonly #options: ParsedPolicy;
  readonly #catalogue = new Catalogue();
  readonly #words = new ShownWords(this.#catalogue);
  readonly #levels: Levels;
  readonly #sizes = new ShownSizes();
  readonly #measured: Measured = new WeakMap();
  readonly #digests: Digests;
  readonly #limit: Limit;
  #pinned: ReadonlySet<number>;
  #whole: ReadonlySet<number> = new Set();
  readonly #byPlace = new Map<string, Piece>();
  readonly #repeats = new Repeats();
  /** What comes in with this call begins here. */
  #newFrom = 0;
  #last: Step | undefined;
  #saidFloor = false;
  decision: Decision | undefined;

  constructor(options: ParsedPolicy) {
    this.#options = options;
    this.#pinned = new Set(options.pins);
    this.#levels = new Levels(options, this.#words, this.#measured);
    this.#digests = new Digests(options, this.#catalogue, this.#sizes, this.#measured, (position) => this.#pinned.has(position) || this.#whole.has(position));
    const shortener: Shortener = {
      wanted: (log, strength) => this.#wanted(log, strength),
      apply: (log, wanted) => this.#apply(log, wanted, 0),
      isPinned: (position) => this.#pinned.has(position),
    };
    this.#limit = new Limit(options, this.#sizes, this.#digests, shortener);
  }

  /** Goes on behind this step: the edits are facts, and nothing is decided again. */
  restore(log: readonly Message[], index: LogIndex, edits: readonly Edit[], last: Step): void {
    this.#read(log.slice(0, last.upTo), index);
    this.commit(edits);
    this.#last = last;
  }

  /** The last call that was decided. */
  get last(): Step | undefined {
    return this.#last;
  }

  /** Which positions are shown at all, where others hide some: their summaries, not they, are what is sent. */
  setShown(shown: ReadonlySet<number>): void {
    this.#sizes.showOnly(shown);
  }

  /** Messages of which nothing may be shortened. */
  setPinned(pinned: ReadonlySet<number>): void {
    this.#pinned = pinned;
  }

  /** Messages that no digest may take, whatever is done to what is in them. */
  setWhole(whole: ReadonlySet<number>): void {
    this.#whole = whole;
  }

  /** What to show shorter from this call on; `commit` says what of it was done. */
  step(log: readonly Message[], index: LogIndex, step: Step, target: Target): Proposal[] {
    // A call that is made again is sent again as it was.
    if (this.#last?.upTo === step.upTo) return [];
    const from = this.#sizes.length;
    this.#newFrom = from;
    this.#read(log, index);
    refuseLargePins(this.#pinned, this.#catalogue.tokens, this.#options.highTokens);
    const newest = newestRound(log, { index, target });
    const loop = frozenStretch(log, { index, target });
    // A digest in the open loop would take some of its thinking, and all must stay or go (A4.1). What lies before the loop is free, if no thinking is
    // bound to it, but for the response that ended the turn before: without it, that turn would go on in this one (A4.2).
    const batch = this.#batch(log, index, step, loop === undefined ? newest : (newestResponse(log, loop.from)?.from ?? 0));
    // Results and inputs may change below thinking that is not bound to them.
    const frozen = bindsPrefix(target) ? loop : undefined;
    const ingested = this.#ingest(log, from, batch);
    this.#last = step;
    // In the newest round only results may be shortened, before the model has seen them.
    const settled = this.#repeats.settle(log, [...ingested, ...batch], this.#hiddenWith(batch), this.#byPlace);
    return settled.filter((proposal) => {
      if (!isOfPiece(proposal)) return proposal.kind === "replace-range";
      return !isFrozen(frozen, proposal.at.position) && (proposal.kind === "replace-result" || proposal.at.position < newest);
    });
  }

  /** What a result or whole messages take that an edit would replace. Undefined: it is another edit. */
  tokensBefore(proposal: Proposal): number | undefined {
    if (proposal.kind === "replace-result") return this.#byPlace.get(placeKey(proposal.at))?.tokens;
    if (proposal.kind !== "replace-range" || proposal.from.block > 0 || proposal.to.block > 0) return undefined;
    return this.#catalogue.tokens.slice(proposal.from.position, proposal.to.position).reduce((sum, tokens) => sum + tokens, 0);
  }

  /** What was proposed was measured before, where it might not have been shorter. */
  tokensAfter(proposal: Proposal): number | undefined {
    return this.#measured.get(proposal);
  }

  /** Takes note of edits that are in force. */
  commit(edits: readonly Edit[]): void {
    for (const edit of edits) {
      if (edit.kind === "replace-range") this.#sizes.hide(edit.from.position, edit.to.position, edit.tokensAfter);
      if (!isOfPiece(edit)) continue;
      const piece = this.#byPlace.get(placeKey(edit.at));
      if (piece === undefined) continue;
      const tokens = Math.max(0, piece.tokens - (edit.tokensBefore - edit.tokensAfter));
      this.#sizes.change(piece.at.position, tokens - piece.shownTokens);
      piece.shownTokens = tokens;
      piece.level = levelOf(edit);
      this.#repeats.note(piece, edit);
    }
  }

  #read(log: readonly Message[], index: LogIndex): void {
    const known = this.#catalogue.pieces.length;
    this.#catalogue.read(log, index);
    for (const piece of this.#catalogue.pieces.slice(known)) this.#byPlace.set(placeKey(piece.at), piece);
    for (const tokens of this.#catalogue.tokens.slice(this.#sizes.length)) this.#sizes.add(tokens);
  }

  /** What a batch of the same call shortens is shortened once. */
  #ingest(log: readonly Message[], from: number, batch: readonly Proposal[]): Proposal[] {
    const taken = new Set(batch.filter(isOfPiece).map(({ at }) => placeKey(at)));
    const isHidden = this.#hiddenWith(batch);
    this.#words.read(log, isHidden);
    const proposals: Proposal[] = [];
    const { pieces } = this.#catalogue;
    for (let number = pieces.length - 1; number >= 0; number--) {
      const piece = pieces[number];
      if (piece === undefined || piece.at.position < from) break;
      if (!this.#isCuttable(piece)) continue;
      if (isHidden[piece.at.position] === 1 || taken.has(placeKey(piece.at))) continue;
      const proposal = this.#levels.ingest(log, piece);
      if (proposal !== undefined) proposals.push(proposal);
    }
    return proposals.reverse();
  }

  /** 1 at positions that are hidden, or will be by the digests of this batch. */
  #hiddenWith(batch: readonly Proposal[]): Uint8Array {
    const isHidden = new Uint8Array(this.#sizes.length);
    for (let position = 0; position < isHidden.length; position++) if (this.#sizes.isHidden(position)) isHidden[position] = 1;
    for (const proposal of batch) if (proposal.kind === "replace-range") isHidden.fill(1, proposal.from.position, proposal.to.position);
    return isHidden;
  }

  /** `end`: what lies behind it may not give way to a digest. */
  #batch(log: readonly Message[], index: LogIndex, step: Step, end: number): readonly Proposal[] {
    const { highTokens, digestTokens, minBatchTokens, batches, horizonPercent } = this.#options;
    if (highTokens > 0 && this.#sizes.total > highTokens) return this.#keepLimit(log, index, step, end);
    const info = modelInfo(step.model, { onWarning: () => undefined });
    const rates = ratesOf(info);
    const isCold = step.isCold === true || this.#isCold(step, info);
    const because = isCold ? "the cache is cold" : "it pays";
    if (digestTokens > 0 && (batches || isCold) && this.#sizes.total > digestTokens * (isCold ? COLD_SHARE : 1)) {
      const digests = this.#digests.thatPay(log, index, end, rates);
      if (digests !== undefined) {
        const { removed, rewritten } = digests;
        this.#decide(step, because, { removable: removed, removed, rewritten });
        return digests.proposals;
      }
    }
    const wanted = this.#wanted(log, 0);
    const removable = savedBy(wanted);
    if (removable < minBatchTokens) {
      this.#decide(step, "nothing to do", { removable });
      return [];
    }
    if (isCold) {
      this.#decide(step, because, { removable, removed: removable });
      return this.#apply(log, wanted, 0);
    }
    const cut = batches ? bestCut(this.#sizes.shown, perPosition(wanted, this.#sizes.length), (this.#calls * horizonPercent) / 100, rates) : undefined;
    if (cut === undefined || cut.removed < minBatchTokens) {
      this.#decide(step, "it would not pay", { removable });
      return [];
    }
    this.#decide(step, because, { removable, removed: cut.removed, rewritten: cut.rewritten });
    return this.#apply(log, wanted, cut.position);
  }

  #keepLimit(log: readonly Message[], index: LogIndex, step: Step, end: number): readonly Proposal[] {
    const { minBatchTokens } = this.#options;
    const { proposals, removable, removed, isFloor } = this.#limit.below(log, index, end);
    // What came in since is not worth a batch yet: a limit that cannot be kept is no reason to write all anew at every call.
    const isWorthIt = removed >= minBatchTokens;
    if (isFloor && !this.#saidFloor) this.#decide(step, "the floor is above the limit", { removable, removed, held: this.#limit.heldWithout(log, removed) });
    else this.#decide(step, isWorthIt ? "over the limit" : "nothing to do", { removable, removed: isWorthIt ? removed : 0 });
    this.#saidFloor ||= isFloor;
    return isWorthIt ? proposals : [];
  }

  #decide(
    { upTo }: Step,
    because: Decision["because"],
    {
      removable,
      removed = 0,
      rewritten = 0,
      held,
    }: { readonly removable: number; readonly removed?: number; readonly rewritten?: number; readonly held?: Decision["held"] },
  ): void {
    this.decision = {
      call: this.#calls,
      upTo,
      shownTokens: this.#sizes.total,
      removableTokens: removable,
      removedTokens: removed,
      rewrittenTokens: rewritten,
      because,
      ...(held === undefined ? {} : { held }),
    };
  }

  /** Which call it is: there was one for each response. */
  get #calls(): number {
    return this.#catalogue.turns + 1;
  }

  #wanted(log: readonly Message[], strength: 0 | 2): Wanted[] {
    this.#words.read(log, this.#hiddenWith([]));
    const isRepeated = this.#repeats.among((piece) => this.#isShownWhole(log, piece));
    return wantedOf(log, this.#catalogue, this.#sizes, this.#pinned, this.#options, strength, isRepeated);
  }

  /** Is all of it shown? What comes in with this call may be cut yet. */
  #isShownWhole(log: readonly Message[], piece: Piece): boolean {
    if (piece.isCut || this.#sizes.isHidden(piece.at.position)) return false;
    const cut = piece.at.position < this.#newFrom || !this.#isCuttable(piece) ? undefined : this.#levels.ingest(log, piece);
    return cut === undefined || showsAll(cut);
  }

  #isCuttable({ kind, isWhole, at, tool }: Piece): boolean {
    return kind === "result" && !isWhole && !this.#pinned.has(at.position) && this.#options.tools[tool]?.protect !== true;
  }

  #apply(log: readonly Message[], wanted: readonly Wanted[], from: number): Proposal[] {
    return wanted.flatMap(({ piece, level, tokens, isRepeated }) => {
      if (piece.at.position < from) return [];
      const proposal = isRepeated || piece.media > 0 ? withoutIt(log, piece, isRepeated, this.#options) : this.#levels.shorten(log, piece, level, tokens);
      return proposal === undefined ? [] : [proposal];
    });
  }

  /** Another model, another head, or a pause that the cache did not survive: what is sent has to be written anew in any case. */
  #isCold(step: Step, { cache }: ModelInfo): boolean {
    const last = this.#last;
    if (last === undefined || last.model === UNKNOWN_CALL.model) return false;
    if (last.model !== step.model || last.headHash !== step.headHash) return true;
    const livesMs = cache.kind === "prefix" ? cache.idleMs : (cache.ttlMs[cache.defaultTtl] ?? Infinity);
    return pauseMs(last.atMs, step.atMs) > livesMs;
  }
}
