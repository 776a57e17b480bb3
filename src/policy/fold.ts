import type { Edit, Proposal } from "../edits/edit.ts";
import type { LogIndex } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import { placeKey } from "../messages/place.ts";
import type { Target } from "../messages/target.ts";
import { frozenStretch, isFrozen, newestRound } from "../passes/hold-back.ts";
import { modelInfo } from "../pricing/model-info.ts";
import type { ModelInfo } from "../pricing/models/model.ts";
import { Catalogue } from "./catalogue.ts";
import type { Decision } from "./decision.ts";
import { Levels } from "./levels.ts";
import { FULL, SKELETON, STUB, type Level, type Piece } from "./piece.ts";
import type { ParsedPolicy } from "./policy-options.ts";
import { bestCut, type Rates } from "./schedule.ts";
import { wantedOf, type Wanted } from "./wanted.ts";

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

/** How hard it is tried to get below a limit: as in every batch, then with a smaller tail, then with next to none. */
const STRENGTHS = [0, 1, 2] as const;

/**
 * Decides, at each call, what is shown shorter from then on. It reads the log, the steps and the edits that were made, and nothing else:
 * the same of these give the same edits, on any machine and after any restart. The work of a step grows with what is new, but for a
 * few additions per message.
 */
export class Fold {
  readonly #options: ParsedPolicy;
  readonly #catalogue = new Catalogue();
  readonly #levels: Levels;
  /** Per position: tokens as they are shown now; 0 where a range hides the message. */
  readonly #shown: number[] = [];
  /** Per position: tokens as they are shown where nothing hides them. */
  readonly #own: number[] = [];
  #shownTotal = 0;
  readonly #byPlace = new Map<string, Piece>();
  #last: Step | undefined;
  #saidFloor = false;
  decision: Decision | undefined;

  constructor(options: ParsedPolicy) {
    this.#options = options;
    this.#levels = new Levels(options, this.#catalogue.words);
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
    for (const [position, own] of this.#own.entries()) {
      const tokens = shown.has(position) ? own : 0;
      this.#shownTotal += tokens - (this.#shown[position] ?? 0);
      this.#shown[position] = tokens;
    }
  }

  /** What to show shorter from this call on; `commit` says what of it was done. */
  step(log: readonly Message[], index: LogIndex, step: Step, target: Target): Proposal[] {
    // A call that is made again is sent again as it was.
    if (this.#last?.upTo === step.upTo) return [];
    const from = this.#shown.length;
    this.#read(log, index);
    const ingested = this.#ingest(log, from);
    const batch = this.#batch(log, step);
    this.#last = step;
    const frozen = frozenStretch(log, { index, target });
    const newest = newestRound(log, { index, target });
    // In the newest round only results may be shortened, before the model has seen them.
    return [...ingested, ...batch].filter((proposal) => {
      if (proposal.kind !== "replace-result" && proposal.kind !== "replace-input") return false;
      return !isFrozen(frozen, proposal.at.position) && (proposal.kind === "replace-result" || proposal.at.position < newest);
    });
  }

  /** Takes note of edits that are in force. */
  commit(edits: readonly Edit[]): void {
    for (const edit of edits) {
      if (edit.kind !== "replace-result" && edit.kind !== "replace-input") continue;
      const piece = this.#byPlace.get(placeKey(edit.at));
      if (piece === undefined) continue;
      const { position } = piece.at;
      const tokens = Math.max(0, piece.tokens - (edit.tokensBefore - edit.tokensAfter));
      const change = tokens - piece.shownTokens;
      const isShown = this.#shown[position] !== 0;
      this.#own[position] = (this.#own[position] ?? 0) + change;
      if (isShown) {
        this.#shown[position] = (this.#shown[position] ?? 0) + change;
        this.#shownTotal += change;
      }
      piece.shownTokens = tokens;
      piece.level = levelOf(edit);
    }
  }

  #read(log: readonly Message[], index: LogIndex): void {
    const known = this.#catalogue.pieces.length;
    this.#catalogue.read(log, index);
    for (const piece of this.#catalogue.pieces.slice(known)) this.#byPlace.set(placeKey(piece.at), piece);
    for (const tokens of this.#catalogue.tokens.slice(this.#shown.length)) {
      this.#shown.push(tokens);
      this.#own.push(tokens);
      this.#shownTotal += tokens;
    }
  }

  #ingest(log: readonly Message[], from: number): Proposal[] {
    const proposals: Proposal[] = [];
    const { pieces } = this.#catalogue;
    for (let number = pieces.length - 1; number >= 0; number--) {
      const piece = pieces[number];
      if (piece === undefined || piece.at.position < from) break;
      if (piece.kind !== "result" || piece.isWhole || this.#options.tools[piece.tool]?.protect === true) continue;
      const proposal = this.#levels.ingest(log, piece);
      if (proposal !== undefined) proposals.push(proposal);
    }
    return proposals.reverse();
  }

  #batch(log: readonly Message[], step: Step): Proposal[] {
    const { highTokens, lowTokens, minBatchTokens, batches, horizonPercent } = this.#options;
    const wanted = this.#wanted(0);
    const removable = savedBy(wanted);
    const info = modelInfo(step.model, { onWarning: () => undefined });
    const decided = (because: Decision["because"], removedTokens = 0, rewrittenTokens = 0): void => {
      this.decision = {
        call: this.#calls,
        upTo: step.upTo,
        shownTokens: this.#shownTotal,
        removableTokens: removable,
        removedTokens,
        rewrittenTokens,
        because,
      };
    };
    if (highTokens > 0 && this.#shownTotal > highTokens) {
      const strongest = STRENGTHS.map((strength) => this.#wanted(strength));
      const enough = strongest.find((found) => this.#shownTotal - savedBy(found) <= lowTokens);
      const chosen = enough ?? strongest.at(-1) ?? [];
      const isFloor = this.#shownTotal - savedBy(chosen) > highTokens;
      decided(isFloor && !this.#saidFloor ? "the floor is above the limit" : "over the limit", savedBy(chosen));
      this.#saidFloor ||= isFloor;
      return this.#apply(log, chosen, 0);
    }
    if (removable < minBatchTokens) {
      decided("nothing to do");
      return [];
    }
    if (step.isCold === true || this.#isCold(step, info)) {
      decided("the cache is cold", removable);
      return this.#apply(log, wanted, 0);
    }
    const cut = batches ? bestCut(this.#shown, perPosition(wanted, this.#shown.length), (this.#calls * horizonPercent) / 100, ratesOf(info)) : undefined;
    if (cut === undefined || cut.removed < minBatchTokens) {
      decided("it would not pay");
      return [];
    }
    decided("it pays", cut.removed, cut.rewritten);
    return this.#apply(log, wanted, cut.position);
  }

  /** Which call it is: there was one for each response. */
  get #calls(): number {
    return this.#catalogue.turns + 1;
  }

  #wanted(strength: 0 | 1 | 2): Wanted[] {
    return wantedOf(this.#catalogue, this.#shown, this.#options, strength);
  }

  #apply(log: readonly Message[], wanted: readonly Wanted[], from: number): Proposal[] {
    return wanted.flatMap(({ piece, level, tokens }) => {
      const proposal = piece.at.position < from ? undefined : this.#levels.shorten(log, piece, level, tokens);
      return proposal === undefined ? [] : [proposal];
    });
  }

  /** Another model, another head, or a pause that the cache did not survive: what is sent has to be written anew in any case. */
  #isCold(step: Step, { cache }: ModelInfo): boolean {
    const last = this.#last;
    if (last === undefined || last.model === UNKNOWN_CALL.model) return false;
    if (last.model !== step.model || last.headHash !== step.headHash) return true;
    const livesMs = cache.kind === "prefix" ? cache.idleMs : (cache.ttlMs[cache.defaultTtl] ?? Infinity);
    return step.atMs !== undefined && last.atMs !== undefined && step.atMs - last.atMs > livesMs;
  }
}

function levelOf(edit: Edit): Level {
  if (edit.kind === "replace-input") return SKELETON;
  return edit.kind !== "replace-result" ? FULL : edit.form === "stub" ? STUB : edit.form === "skeleton" ? SKELETON : FULL;
}

function savedBy(wanted: readonly Wanted[]): number {
  return wanted.reduce((sum, { piece, tokens }) => sum + piece.shownTokens - tokens, 0);
}

function perPosition(wanted: readonly Wanted[], length: number): number[] {
  const removable = new Array<number>(length).fill(0);
  for (const { piece, tokens } of wanted) removable[piece.at.position] = (removable[piece.at.position] ?? 0) + piece.shownTokens - tokens;
  return removable;
}

function ratesOf({ prices, cache }: ModelInfo): Rates {
  const write = cache.kind === "prefix" ? prices.input : (prices.cacheWrite[cache.defaultTtl] ?? prices.input);
  return { read: prices.cacheRead / prices.input, write: write / prices.input };
}
