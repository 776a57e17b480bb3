import type { Edit } from "../../edits/edit.ts";
import { isSpanEdit } from "../../edits/edit-places.ts";
import { capResults } from "../../passes/cap-results/cap-results.ts";
import { collapseRounds } from "../../passes/collapse-rounds/collapse-rounds.ts";
import { pruneTurns } from "../../passes/prune-turns/prune-turns.ts";
import { truncateOldResults } from "../../passes/truncate-old-results/truncate-old-results.ts";
import { Fold, UNKNOWN_CALL, type Step } from "../../policy/fold.ts";
import { callAside } from "./thread-events.ts";
import type { ThreadLog } from "./thread-log.ts";
import type { ParsedCompaction } from "./thread-options.ts";

/** What shortens a thread by itself, each at its own time. `named`: what is shortened names a handle. */
export class Shortener {
  readonly #thread: ThreadLog;
  readonly #config: ParsedCompaction;
  readonly #named: boolean;
  readonly #fold: Fold | undefined;
  /** Was something hidden at the last call? In an earlier life of the thread it may have been. */
  #hid = true;

  /** `last`: the last call that the policy has decided, in an earlier life of the thread; unknown: none since its log was written. */
  constructor(thread: ThreadLog, config: ParsedCompaction, named: boolean, last?: Step) {
    this.#thread = thread;
    this.#config = config;
    this.#named = named;
    this.#fold = config.policy === undefined ? undefined : new Fold({ ...config.policy, thread: thread.id, naming: named ? "inputs" : "none" });
    if (thread.length === 0 || this.#fold === undefined) return;
    const { log, index } = thread.parsed;
    // What came behind the last response has not been sent yet.
    const answered = log.findLastIndex(({ role }) => role === "assistant") + 1;
    this.#fold.restore(log, index, thread.inForce, last ?? { ...UNKNOWN_CALL, upTo: answered });
  }

  /** To go on from after a restart. */
  get decided(): Step | undefined {
    return this.#fold?.last;
  }

  /** When results have come in, before the model has seen them: nothing is lost that was cached or thought. */
  atIngest(position: number): Edit[] {
    const { maxToolResultTokens: maxTokens } = this.#config;
    if (maxTokens === undefined) return [];
    const { log, ...context } = this.#thread.parsed;
    const proposals = capResults(log, this.#thread.inForce, { ...context, maxTokens });
    return this.#thread.propose(
      proposals.filter((proposal) => proposal.kind === "replace-result" && proposal.at.position >= position),
      this.#named,
    );
  }

  beforeRequest(call: CallFacts): Edit[] {
    const { collapse, prune } = this.#config;
    const made: Edit[] = this.#fold === undefined ? [] : this.#follow(this.#fold, call);
    if (collapse !== undefined) {
      const { log, ...context } = this.#thread.parsed;
      made.push(...this.#thread.propose(collapseRounds(log, this.#thread.inForce, { ...context, ...collapse }), this.#named));
    }
    if (prune !== undefined) {
      const { log, ...context } = this.#thread.parsed;
      made.push(...this.#thread.propose(pruneTurns(log, this.#thread.inForce, { ...context, ...prune }), this.#named));
    }
    return made;
  }

  afterResponse(inputTokens: number): Edit[] {
    const { budget } = this.#config;
    if (budget === undefined || budget.inputTokenBudget === 0 || inputTokens <= budget.inputTokenBudget) return [];
    const { log, ...context } = this.#thread.parsed;
    // What was cut at ingest may be cut again: whether that makes it shorter is seen when it is settled.
    const others = this.#thread.inForce.filter((edit) => edit.pass !== "cap-results");
    const made = this.#thread.propose(truncateOldResults(log, others, { ...context, retainChars: budget.toolResultRetentionChars }), this.#named);
    if (made.length > 0) callAside(budget.onCompact, { compacted: made.length, inputTokens, inputTokenBudget: budget.inputTokenBudget });
    return made;
  }

  #follow(fold: Fold, { model, headHash, atMs }: CallFacts): Edit[] {
    const { log, index, target } = this.#thread.parsed;
    const hides = this.#thread.inForce.some(isSpanEdit);
    // Also when what was hidden at the last call has been taken back.
    if (hides || this.#hid) fold.setShown(new Set(this.#thread.arrange().positions));
    fold.setPinned(new Set(this.#thread.pinned.keys()));
    fold.setWhole(this.#thread.keptWhole);
    const proposals = fold.step(log, index, { upTo: log.length, model, headHash, atMs }, target);
    const made = this.#thread.propose(proposals, this.#named);
    fold.commit(made);
    this.#hid = hides || made.some(isSpanEdit);
    return made;
  }
}

/** What a policy has to know of a call beside its messages. */
export interface CallFacts {
  readonly model: string;
  /** Of system and tools. */
  readonly headHash: string;
  readonly atMs: number;
}
