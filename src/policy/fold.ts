import type { Edit, Proposal } from "../edits/edit.ts";
import type { LogIndex } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import type { Place } from "../messages/place.ts";
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
  /** Per position: tokens as they are shown now. */
  readonly #shown: number[] = [];
  #shownTotal = 0;
  readonly #byPlace = new Map<string, Piece>();
  #steps = 0;
  #last: Step | undefined;
  #saidFloor = false;
  decision: Decision | undefined;

  constructor(options: ParsedPolicy) {
    this.#options = options;
    this.#levels = new Levels(options, this.#catalogue.words);
  }

  /** Goes on from what was decided before: the steps and the edits are facts, and nothing is decided again. */
  restore(log: readonly Message[], index: LogIndex, steps: readonly Step[], edits: readonly Edit[]): void {
    const last = steps.at(-1);
    if (last === undefined) return;
    this.#read(log.slice(0, last.upTo), index);
    this.commit(edits);
    this.#steps = steps.length;
    this.#last = last;
  }

  /** What to show shorter from this call on; `commit` says what of it was done. */
  step(log: readonly Message[], index: LogIndex, step: Step, target: Target): Proposal[] {
    const from = this.#shown.length;
    this.#read(log, index);
    this.#steps++;
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
      const piece = this.#byPlace.get(keyOf(edit.at));
      if (piece === undefined) continue;
      const { position } = piece.at;
      const tokens = Math.max(0, piece.tokens - (edit.tokensBefore - edit.tokensAfter));
      this.#shown[position] = (this.#shown[position] ?? 0) - piece.shownTokens + tokens;
      this.#shownTotal += tokens - piece.shownTokens;
      piece.shownTokens = tokens;
      piece.level = levelOf(edit);
    }
  }

  #read(log: readonly Message[], index: LogIndex): void {
    const known = this.#catalogue.pieces.length;
    this.#catalogue.read(log, index);
    for (const piece of this.#catalogue.pieces.slice(known)) this.#byPlace.set(keyOf(piece.at), piece);
    for (const tokens of this.#catalogue.tokens.slice(this.#shown.length)) {
      this.#shown.push(tokens);
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
        call: this.#steps,
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
    const cut = batches ? bestCut(this.#shown, perPosition(wanted, this.#shown.length), (this.#steps * horizonPercent) / 100, ratesOf(info)) : undefined;
    if (cut === undefined || cut.removed < minBatchTokens) {
      decided("it would not pay");
      return [];
    }
    decided("it pays", cut.removed, cut.rewritten);
    return this.#apply(log, wanted, cut.position);
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
    if (last === undefined) return false;
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

function keyOf(at: Place): string {
  return `${at.position}.${at.block}`;
}
