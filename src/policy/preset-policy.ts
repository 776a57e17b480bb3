import type { Edit, Proposal } from "../edits/edit.ts";
import { isSpanEdit } from "../edits/edit-places.ts";
import type { Decision } from "./decision.ts";
import { DIGEST_PASS } from "./digest.ts";
import { DROP_ROUNDS } from "./drop-rounds.ts";
import { Fold, type Step } from "./fold.ts";
import type { Policy, Situation } from "./policy.ts";
import type { ParsedPolicy } from "./policy-options.ts";

/** A preset, with its numbers: what is shortened when results come in, in batches when they pay, and in digests. */
export class PresetPolicy implements Policy {
  readonly tokens: Fold;
  readonly #fold: Fold;
  /** Positions that are not shortened, beside those that the conversation pins. */
  pins: ReadonlySet<number>;
  /** The spans in force, as far as the fold knows them: it knows its own. Others come and go, and its own may be undone. */
  #spans: readonly Edit[] = [];

  constructor(options: ParsedPolicy) {
    this.#fold = new Fold(options);
    this.pins = new Set(options.pins);
    this.tokens = this.#fold;
  }

  readonly resume = ({ log, index, inForce }: Situation, last: Step): void => {
    this.#fold.restore(log, index, inForce, last);
    this.#spans = inForce.filter((edit) => isSpanEdit(edit) && OWN_SPANS.has(edit.pass));
  };

  readonly beforeCall = (now: Situation, step: Step): readonly Proposal[] => {
    const spans = now.inForce.filter(isSpanEdit);
    if (spans.length !== this.#spans.length || spans.some((span, number) => span !== this.#spans[number])) this.#fold.setShown(new Set(now.shownPositions));
    this.#spans = spans;
    this.#fold.setPinned(this.pins.size === 0 ? now.pinned : new Set([...this.pins, ...now.pinned]));
    this.#fold.setWhole(now.keptWhole);
    return this.#fold.step(now.log, now.index, step, now.target);
  };

  readonly made = (edits: readonly Edit[]): void => {
    this.#fold.commit(edits);
    this.#spans = [...this.#spans, ...edits.filter(isSpanEdit)];
  };

  readonly explain = (): Decision | undefined => this.#fold.decision;
}

const OWN_SPANS: ReadonlySet<string> = new Set([DIGEST_PASS, DROP_ROUNDS]);
