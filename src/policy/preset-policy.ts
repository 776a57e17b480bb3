import type { Edit, Proposal } from "../edits/edit.ts";
import { firstPlace, isSpanEdit } from "../edits/edit-places.ts";
import type { Decision } from "./decision.ts";
import { DIGEST_PASS } from "./digest.ts";
import { DROP_ROUNDS } from "./drop-rounds.ts";
import { StepDecider } from "./step-decider.ts";
import type { Step } from "./step.ts";
import type { Policy, Situation } from "./policy.ts";
import type { ParsedPolicy } from "./policy-options.ts";

/** Applies a preset: shortens results when they come in, in batches when they pay, and in digests. */
export class PresetPolicy implements Policy {
  readonly #options: ParsedPolicy;
  #decider: StepDecider;
  /** The edits in force that the decider knows, by id. */
  #noted: ReadonlySet<string> = new Set();
  /** It has read edits of others since it last looked at what is shown. */
  #looks = false;
  /** Positions that must not be shortened, beside those that the conversation pins. */
  pins: ReadonlySet<number>;

  constructor(options: ParsedPolicy) {
    this.#options = options;
    this.#decider = new StepDecider(options);
    this.pins = new Set(options.pins);
  }

  get tokens(): StepDecider {
    return this.#decider;
  }

  readonly resume = (now: Situation, last: Step): void => {
    this.#decider = new StepDecider(this.#options);
    const read = now.inForce.filter((edit) => isReadBy(edit, last.upTo));
    this.#decider.restore(now.log, now.index, read, last);
    this.#noted = idsOf(read);
    this.#looks = read.some(isForeignSpan);
  };

  readonly beforeCall = (now: Situation, step: Step): readonly Proposal[] => {
    this.#catchUp(now);
    this.#decider.setPinned(this.pins.size === 0 ? now.pinned : new Set([...this.pins, ...now.pinned]));
    this.#decider.setWhole(now.keptWhole);
    this.#decider.setFixed(now.fixedUntil > 0);
    return this.#decider.step(now.log, now.index, step, now.target);
  };

  readonly made = (edits: readonly Edit[]): void => {
    this.#decider.commit(edits);
    this.#noted = new Set([...this.#noted, ...idsOf(edits)]);
  };

  readonly explain = (): Decision | undefined => this.#decider.decision;

  /** Reads edits that others made. If an edit that the decider has read was undone, starts with a new decider. */
  #catchUp(now: Situation): void {
    const inForce = idsOf(now.inForce);
    const { last } = this.#decider;
    if (last !== undefined && [...this.#noted].some((id) => !inForce.has(id))) this.resume(now, last);
    const unknown = now.inForce.filter((edit) => !this.#noted.has(edit.id) && isReadBy(edit, last?.upTo ?? 0));
    this.#decider.commit(unknown);
    if (this.#looks || now.inForce.some((edit) => isForeignSpan(edit) && !this.#noted.has(edit.id))) this.#decider.setShown(new Set(now.shownPositions));
    this.#looks = false;
    this.#noted = idsOf([...unknown, ...now.inForce.filter(({ id }) => this.#noted.has(id))]);
  }
}

/** Returns whether a decider that has read `length` messages has read everything that the edit removes. */
function isReadBy(edit: Edit, length: number): boolean {
  const end = edit.kind === "replace-range" ? edit.to.position : isSpanEdit(edit) ? edit.lastResult + 1 : firstPlace(edit).position + 1;
  return end <= length;
}

/** Returns whether the edit hides messages and is not the decider's own. */
function isForeignSpan(edit: Edit): boolean {
  return isSpanEdit(edit) && edit.pass !== DIGEST_PASS && edit.pass !== DROP_ROUNDS;
}

function idsOf(edits: readonly Edit[]): ReadonlySet<string> {
  return new Set(edits.map(({ id }) => id));
}
