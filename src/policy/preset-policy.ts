import type { Edit, Proposal } from "../edits/edit.ts";
import { firstPlace, isSpanEdit } from "../edits/edit-places.ts";
import type { Decision } from "./decision.ts";
import { DIGEST_PASS } from "./digest.ts";
import { DROP_ROUNDS } from "./drop-rounds.ts";
import { Fold, type Step } from "./fold.ts";
import type { Policy, Situation } from "./policy.ts";
import type { ParsedPolicy } from "./policy-options.ts";

/** A preset, with its numbers: what is shortened when results come in, in batches when they pay, and in digests. */
export class PresetPolicy implements Policy {
  readonly #options: ParsedPolicy;
  #fold: Fold;
  /** The edits in force that the fold knows, by id. */
  #noted: ReadonlySet<string> = new Set();
  /** Positions that are not shortened, beside those that the conversation pins. */
  pins: ReadonlySet<number>;

  constructor(options: ParsedPolicy) {
    this.#options = options;
    this.#fold = new Fold(options);
    this.pins = new Set(options.pins);
  }

  get tokens(): Fold {
    return this.#fold;
  }

  readonly resume = (now: Situation, last: Step): void => {
    this.#fold = new Fold(this.#options);
    const read = now.inForce.filter((edit) => isReadBy(edit, last.upTo));
    this.#fold.restore(now.log, now.index, read, last);
    this.#noted = idsOf(read.filter((edit) => !isForeignSpan(edit)));
  };

  readonly beforeCall = (now: Situation, step: Step): readonly Proposal[] => {
    this.#catchUp(now);
    this.#fold.setPinned(this.pins.size === 0 ? now.pinned : new Set([...this.pins, ...now.pinned]));
    this.#fold.setWhole(now.keptWhole);
    this.#fold.setFixed(now.fixedUntil > 0);
    return this.#fold.step(now.log, now.index, step, now.target);
  };

  readonly made = (edits: readonly Edit[]): void => {
    this.#fold.commit(edits);
    this.#noted = new Set([...this.#noted, ...idsOf(edits)]);
  };

  readonly explain = (): Decision | undefined => this.#fold.decision;

  /** Others make edits too, and edits are undone: a fold that has read one which is no longer in force begins anew. */
  #catchUp(now: Situation): void {
    const inForce = idsOf(now.inForce);
    const { last } = this.#fold;
    if (last !== undefined && [...this.#noted].some((id) => !inForce.has(id))) this.resume(now, last);
    const unknown = now.inForce.filter((edit) => !this.#noted.has(edit.id) && isReadBy(edit, last?.upTo ?? 0));
    this.#fold.commit(unknown);
    if (now.inForce.some((edit) => isForeignSpan(edit) && !this.#noted.has(edit.id))) this.#fold.setShown(new Set(now.shownPositions));
    this.#noted = idsOf([...unknown, ...now.inForce.filter(({ id }) => this.#noted.has(id))]);
  }
}

/** Has a fold that has read so many messages read all that the edit takes out? */
function isReadBy(edit: Edit, length: number): boolean {
  const end = edit.kind === "replace-range" ? edit.to.position : isSpanEdit(edit) ? edit.lastResult + 1 : firstPlace(edit).position + 1;
  return end <= length;
}

/** What the fold itself hides it knows. */
function isForeignSpan(edit: Edit): boolean {
  return isSpanEdit(edit) && edit.pass !== DIGEST_PASS && edit.pass !== DROP_ROUNDS;
}

function idsOf(edits: readonly Edit[]): ReadonlySet<string> {
  return new Set(edits.map(({ id }) => id));
}
