import type { Edit, Proposal } from "../edits/edit.ts";
import { makeEdits, type KnownTokens } from "../edits/make-edits.ts";
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
import { DROP_ROUNDS } from "./drop-rounds.ts";
import { cutsToFit, fitsWindow } from "./fit-window.ts";
import { PieceForms } from "./piece-forms.ts";
import { Limit, type BatchTools } from "./limit.ts";
import type { Measured } from "./measured.ts";
import { isOfPiece, levelOf, showsAll } from "./piece-edits.ts";
import type { Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import { refuseLargePins } from "./pin-limit.ts";
import { Repeats } from "./repeats.ts";
import { bestCut, ratesOf } from "./schedule.ts";
import { noteInPlaceOf } from "./note-in-place-of.ts";
import { UNKNOWN_STEP, type Step } from "./step.ts";
import { ShownSizes } from "./shown-sizes.ts";
import { ShownWords } from "./shown-words.ts";
import { perPosition, savedBy, wantedOf, type Wanted } from "./wanted.ts";

/** On a cold cache, this share of their limit is enough for digests. */
const COLD_SHARE = 0.5;

/** Over a limit, a batch is planned at most this often, until the view is close enough below the low watermark. */
const LIMIT_TRIES = 5;
const LIMIT_CLOSE = 0.9;
/** Further attempts aim a little below it, because sizes are estimates. */
const LIMIT_AIM = 0.97;

/**
 * Decides, at each call, what to show shorter from then on. It depends only on the log, the steps and the edits made so far, so
 * equal ones lead to equal edits, on any machine and after any restart. The work of a step grows with the new messages only, apart from a
 * few additions per message.
 */
export class StepDecider implements KnownTokens {
  readonly #options: ParsedPolicy;
  readonly #catalogue = new Catalogue();
  readonly #words = new ShownWords(this.#catalogue);
  readonly #forms: PieceForms;
  readonly #sizes = new ShownSizes();
  readonly #measured: Measured = new WeakMap();
  readonly #digests: Digests;
  readonly #limit: Limit;
  #pinned: ReadonlySet<number>;
  #isFixed = false;
  #whole: ReadonlySet<number> = new Set();
  readonly #byPlace = new Map<string, Piece>();
  readonly #repeats = new Repeats();
  /** Where the messages that are new in this call begin. */
  #newFrom = 0;
  #last: Step | undefined;
  #saidFloor = false;
  /** Notes that cover several places: the start and end of what each replaces. */
  readonly #notes = new Map<number, number>();
  /** Whether a result, or anything else, at this position may change in this call. */
  #mayChange: (position: number, isResult: boolean) => boolean = () => true;
  decision: Decision | undefined;

  constructor(options: ParsedPolicy) {
    this.#options = options;
    this.#pinned = new Set(options.pins);
    this.#forms = new PieceForms(options, this.#words, this.#measured);
    this.#digests = new Digests(options, this.#catalogue, this.#sizes, this.#measured, (position) => this.#pinned.has(position) || this.#whole.has(position));
    const tools: BatchTools = {
      wanted: (log, strength) => this.#wanted(log, strength).filter(({ piece }) => this.#mayChange(piece.at.position, piece.kind === "result")),
      apply: (log, wanted) => this.#apply(log, [wanted], 0)[0],
      saved: (log, proposal) => this.#savedBy(log, proposal),
      isPinned: (position) => this.#pinned.has(position),
      isNote: ({ from, to }) => this.#notes.get(from) === to,
    };
    this.#limit = new Limit(options, this.#catalogue, this.#sizes, this.#digests, tools);
  }

  /** Resumes after this step: the edits are facts, and nothing is decided again. */
  restore(log: readonly Message[], index: LogIndex, edits: readonly Edit[], last: Step): void {
    this.#read(log.slice(0, last.upTo), index);
    this.commit(edits);
    this.#last = last;
    // If the view is above the limit, its floor was reported when it was sent.
    this.#saidFloor = last.model !== UNKNOWN_STEP.model && this.#options.highTokens > 0 && this.#sizes.total > this.#options.highTokens;
  }

  /** The last call that was decided. */
  get last(): Step | undefined {
    return this.#last;
  }

  /** Sets which positions are shown at all, if other policies hide some. */
  setShown(shown: ReadonlySet<number>): void {
    this.#sizes.showOnly(shown);
  }

  /** Sets which messages must not be shortened. */
  setPinned(pinned: ReadonlySet<number>): void {
    this.#pinned = pinned;
  }

  /** Sets whether the provider keeps what was sent, so that it can no longer change. */
  setFixed(isFixed: boolean): void {
    this.#isFixed = isFixed;
  }

  /** Sets which messages no digest may take in, even if pieces in them may be shortened. */
  setWhole(whole: ReadonlySet<number>): void {
    this.#whole = whole;
  }

  /** Returns what to show shorter from this call on. `commit` reports which of it was done. */
  step(log: readonly Message[], index: LogIndex, step: Step, target: Target): Proposal[] {
    // A repeated call is sent again unchanged.
    if (this.#last?.upTo === step.upTo) return [];
    const from = this.#sizes.length;
    this.#newFrom = from;
    this.#read(log, index);
    refuseLargePins(this.#pinned, this.#catalogue.tokens, this.#options.highTokens);
    const newest = newestRound(log, { index, target });
    const loop = frozenStretch(log, { index, target });
    // Results and inputs before thinking may change only if it is not bound to them.
    const frozen = bindsPrefix(target) ? loop : undefined;
    // In the newest round only results may be shortened, before the model has seen them.
    this.#mayChange = (position, isResult) => !isFrozen(frozen, position) && (isResult || position < newest);
    // A digest in the open loop would take some of its thinking, and all must stay or go (A4.1). Everything before the loop is free if no thinking is
    // bound to it, except the response that ended the previous turn: without it, that turn would continue in this one (A4.2).
    const batch = this.#batch(log, index, step, loop === undefined ? newest : (newestResponse(log, loop.from)?.from ?? 0));
    const ingested = this.#fitted(log, this.#ingest(log, from, batch), batch, target);
    this.#last = step;
    const settled = this.#repeats.settle(log, [...ingested, ...batch], this.#hiddenWith(batch), this.#byPlace);
    return settled.filter((proposal) =>
      isOfPiece(proposal) ? this.#mayChange(proposal.at.position, proposal.kind === "replace-result") : proposal.kind === "replace-range",
    );
  }

  /** Returns the tokens of what an edit would replace: a result or whole messages. Undefined: another kind of edit. */
  tokensBefore(proposal: Proposal): number | undefined {
    if (proposal.kind === "replace-result") return this.#byPlace.get(placeKey(proposal.at))?.tokens;
    if (proposal.kind !== "replace-range" || proposal.from.block > 0 || proposal.to.block > 0) return undefined;
    return this.#catalogue.tokens.slice(proposal.from.position, proposal.to.position).reduce((sum, tokens) => sum + tokens, 0);
  }

  /** Returns the tokens of a proposal that was measured because it might not have been shorter. */
  tokensAfter(proposal: Proposal): number | undefined {
    return this.#measured.get(proposal);
  }

  /** Records edits that are in force. */
  commit(edits: readonly Edit[]): void {
    for (const edit of edits) {
      if (edit.kind === "replace-range") this.#sizes.hide(edit.from.position, edit.to.position, edit.tokensAfter);
      if (edit.kind === "replace-range" && edit.pass === DROP_ROUNDS && edit.summary !== "") this.#notes.set(edit.from.position, edit.to.position);
      if (!isOfPiece(edit)) continue;
      const piece = this.#byPlace.get(placeKey(edit.at));
      if (piece === undefined) continue;
      const tokens = tokensWith(piece, edit);
      this.#sizes.change(piece.at.position, tokens - piece.shownTokens);
      piece.shownTokens = tokens;
      piece.level = levelOf(edit);
      this.#repeats.note(piece, edit);
    }
  }

  /** Returns how many tokens a proposal removes from the current view. */
  #savedBy(log: readonly Message[], proposal: Proposal): number {
    const [edit] = makeEdits(log, [proposal], this);
    if (edit?.kind === "replace-range") return this.#sizes.shownBetween(edit.from.position, edit.to.position) - edit.tokensAfter;
    const piece = edit !== undefined && isOfPiece(edit) ? this.#byPlace.get(placeKey(edit.at)) : undefined;
    return edit === undefined || piece === undefined ? 0 : piece.shownTokens - tokensWith(piece, edit);
  }

  #read(log: readonly Message[], index: LogIndex): void {
    const known = this.#catalogue.pieces.length;
    this.#catalogue.read(log, index);
    for (const piece of this.#catalogue.pieces.slice(known)) this.#byPlace.set(placeKey(piece.at), piece);
    for (const tokens of this.#catalogue.tokens.slice(this.#sizes.length)) this.#sizes.add(tokens);
  }

  /** Shortens new results, unless a batch of the same call already does. */
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
      const proposal = this.#forms.atFirstSight(log, piece);
      if (proposal !== undefined) proposals.push(proposal);
    }
    return proposals.reverse();
  }

  /** Cuts new results further, largest first, if the request would not fit the model's window otherwise. */
  #fitted(log: readonly Message[], ingested: readonly Proposal[], batch: readonly Proposal[], { windowTokens }: Target): readonly Proposal[] {
    if (this.#options.lossless || fitsWindow(this.#sizes.total, windowTokens)) return ingested;
    const isHidden = this.#hiddenWith(batch);
    const all = [...ingested, ...batch].map((proposal) => ({ proposal, saved: this.#savedBy(log, proposal) }));
    const shownTokens = this.#sizes.total - all.reduce((sum, { saved }) => sum + saved, 0);
    const savedAt = new Map(all.flatMap(({ proposal, saved }) => (isOfPiece(proposal) ? [[placeKey(proposal.at), saved] as const] : [])));
    const results = this.#newPieces()
      .filter((piece) => this.#isCuttable(piece) && isHidden[piece.at.position] !== 1)
      .map((piece) => ({ piece, tokens: piece.shownTokens - (savedAt.get(placeKey(piece.at)) ?? 0) }));
    const cuts = cutsToFit(results, shownTokens, windowTokens).flatMap(({ piece, maxTokens }) => this.#forms.atFirstSight(log, piece, maxTokens) ?? []);
    const cutAt = new Set(cuts.filter(isOfPiece).map(({ at }) => placeKey(at)));
    return [...ingested.filter((proposal) => !isOfPiece(proposal) || !cutAt.has(placeKey(proposal.at))), ...cuts];
  }

  /** Messages from here on were in no request yet: the newest response and its results. */
  get #unsentFrom(): number {
    return Math.max(this.#newFrom, this.#catalogue.startOfLast(1));
  }

  /** Returns 1 at positions that are hidden, or will be by the digests of this batch. */
  #hiddenWith(batch: readonly Proposal[]): Uint8Array {
    const isHidden = new Uint8Array(this.#sizes.length);
    for (let position = 0; position < isHidden.length; position++) if (this.#sizes.isHidden(position)) isHidden[position] = 1;
    for (const proposal of batch) if (proposal.kind === "replace-range") isHidden.fill(1, proposal.from.position, proposal.to.position);
    return isHidden;
  }

  /** `end`: no digest may replace messages after it. */
  #batch(log: readonly Message[], index: LogIndex, step: Step, end: number): readonly Proposal[] {
    const { highTokens, digestTokens, minBatchTokens, batches, horizonPercent } = this.#options;
    if (this.#isFixed) {
      this.#decide(step, "nothing to do", { removable: 0 });
      return [];
    }
    if (highTokens > 0 && this.#sizes.total > highTokens) return this.#keepLimit(log, index, step, end);
    const info = modelInfo(step.model, { onWarning: () => undefined });
    const rates = ratesOf(info);
    const isCold = step.isCold === true || this.#isCold(step, info);
    const because = isCold ? "the cache is cold" : "it pays";
    if (digestTokens > 0 && (batches || isCold) && this.#sizes.total > digestTokens * (isCold ? COLD_SHARE : 1)) {
      const digests = this.#digests.thatPay(log, index, end, rates, this.#unsentFrom);
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
    const cut = batches
      ? bestCut(this.#sizes.shown, perPosition(wanted, this.#sizes.length), (this.#calls * horizonPercent) / 100, rates, this.#unsentFrom)
      : undefined;
    if (cut === undefined || cut.removed < minBatchTokens) {
      this.#decide(step, "it would not pay", { removable });
      return [];
    }
    this.#decide(step, because, { removable, removed: cut.removed, rewritten: cut.rewritten });
    return this.#apply(log, wanted, cut.position);
  }

  #keepLimit(log: readonly Message[], index: LogIndex, step: Step, end: number): readonly Proposal[] {
    const { minBatchTokens } = this.#options;
    const { proposals, removable, removed, isFloor } = this.#belowLimit(log, index, end);
    // If the limit cannot be kept, do not write everything to the cache again at every call: wait until a batch removes enough.
    const isWorthIt = removed > 0 && (!isFloor || removed >= minBatchTokens || step.isCold === true);
    if (isFloor && !this.#saidFloor) this.#decide(step, "the floor is above the limit", { removable, removed, held: this.#limit.heldAfter(log, proposals) });
    else this.#decide(step, isWorthIt ? "over the limit" : "nothing to do", { removable, removed: isWorthIt ? removed : 0 });
    this.#saidFloor ||= isFloor;
    return isWorthIt ? proposals : [];
  }

  /** The size of new results depends on what else is shown: plans the batch again if the estimate was wrong. */
  #belowLimit(log: readonly Message[], index: LogIndex, end: number): ReturnType<Limit["below"]> {
    const { lowTokens, highTokens } = this.#options;
    const attempt = (extra: number): { readonly batch: ReturnType<Limit["below"]>; readonly shown: number } => {
      const batch = this.#afterIngest(log, () => this.#limit.below(log, index, end, extra));
      const done = [...batch.proposals, ...this.#ingest(log, this.#newFrom, batch.proposals)];
      const settled = this.#repeats.settle(log, done, this.#hiddenWith(batch.proposals), this.#byPlace);
      return { batch, shown: settled.reduce((left, proposal) => left - this.#savedBy(log, proposal), this.#sizes.total) };
    };
    let best = attempt(0);
    let last = best;
    let extra = 0;
    for (let number = 1; number < LIMIT_TRIES; number++) {
      const { batch, shown } = last;
      // Without proposals, only new results are shortened.
      if (batch.isFloor || (shown <= lowTokens && (shown >= lowTokens * LIMIT_CLOSE || batch.proposals.length === 0))) break;
      extra += shown - lowTokens * LIMIT_AIM;
      last = attempt(extra);
      if (best.shown > lowTokens ? last.shown < best.shown : last.shown <= lowTokens && last.shown > best.shown) best = last;
    }
    return { ...best.batch, isFloor: best.shown > highTokens };
  }

  /** Runs `plan` with the sizes that new results will have once shortened, so that no more than needed is removed. */
  #afterIngest<T>(log: readonly Message[], plan: () => T): T {
    this.#words.read(log, this.#hiddenWith([]));
    const cut = this.#newPieces().flatMap((piece) => {
      const proposal = this.#isCuttable(piece) && !this.#sizes.isHidden(piece.at.position) ? this.#forms.atFirstSight(log, piece) : undefined;
      return proposal === undefined ? [] : [{ piece, saved: this.#savedBy(log, proposal) }];
    });
    const resize = (sign: 1 | -1): void => {
      for (const { piece, saved } of cut) {
        piece.shownTokens += sign * saved;
        this.#sizes.change(piece.at.position, sign * saved);
      }
    };
    resize(-1);
    try {
      return plan();
    } finally {
      resize(1);
    }
  }

  /** Returns the pieces that are new in this call. */
  #newPieces(): Piece[] {
    const { pieces } = this.#catalogue;
    let first = pieces.length;
    while (first > 0 && (pieces[first - 1]?.at.position ?? -1) >= this.#newFrom) first--;
    return pieces.slice(first);
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

  /** The number of this call: there was one for each response. */
  get #calls(): number {
    return this.#catalogue.turns + 1;
  }

  #wanted(log: readonly Message[], strength: 0 | 2): Wanted[] {
    this.#words.read(log, this.#hiddenWith([]));
    const isRepeated = this.#repeats.among((piece) => this.#isShownWhole(log, piece));
    return wantedOf(log, this.#catalogue, this.#sizes, this.#pinned, this.#options, strength, isRepeated);
  }

  /** Returns whether all of a piece is shown. One that is new in this call may still be cut. */
  #isShownWhole(log: readonly Message[], piece: Piece): boolean {
    if (piece.isCut || this.#sizes.isHidden(piece.at.position)) return false;
    const cut = piece.at.position < this.#newFrom || !this.#isCuttable(piece) ? undefined : this.#forms.atFirstSight(log, piece);
    return cut === undefined || showsAll(cut);
  }

  #isCuttable({ kind, isWhole, at, tool }: Piece): boolean {
    return kind === "result" && !isWhole && !this.#pinned.has(at.position) && this.#options.tools[tool]?.protect !== true;
  }

  #apply(log: readonly Message[], wanted: readonly Wanted[], from: number): Proposal[] {
    return wanted.flatMap(({ piece, level, tokens, isRepeated }) => {
      if (piece.at.position < from) return [];
      const proposal = isRepeated || piece.media > 0 ? noteInPlaceOf(log, piece, isRepeated, this.#options) : this.#forms.shorten(log, piece, level, tokens);
      return proposal === undefined ? [] : [proposal];
    });
  }

  /** Returns whether the whole request has to be written to the cache anyway: another model, another head, or a pause that outlasted the cache. */
  #isCold(step: Step, { cache }: ModelInfo): boolean {
    const last = this.#last;
    if (last === undefined || last.model === UNKNOWN_STEP.model) return false;
    if (last.model !== step.model || last.headHash !== step.headHash) return true;
    const livesMs = cache.kind === "prefix" ? cache.idleMs : (cache.ttlMs[cache.defaultTtl] ?? Infinity);
    return pauseMs(last.atMs, step.atMs) > livesMs;
  }
}

/** Returns the tokens of a piece once an edit is in force. */
function tokensWith(piece: Piece, { tokensBefore, tokensAfter }: Edit): number {
  return Math.max(0, piece.tokens - (tokensBefore - tokensAfter));
}
