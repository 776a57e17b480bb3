import type { Edit } from "../../edits/edit.ts";
import { capResults } from "../../passes/cap-results/cap-results.ts";
import { collapseRounds } from "../../passes/collapse-rounds/collapse-rounds.ts";
import { pruneTurns } from "../../passes/prune-turns/prune-turns.ts";
import { truncateOldResults } from "../../passes/truncate-old-results/truncate-old-results.ts";
import { callAside } from "./thread-events.ts";
import type { ThreadLog } from "./thread-log.ts";
import type { ParsedCompaction } from "./thread-options.ts";

/** What shortens a thread by itself, each at its own time. `named`: what is shortened names a handle. */
export class Shortener {
  readonly #thread: ThreadLog;
  readonly #config: ParsedCompaction;
  readonly #named: boolean;

  constructor(thread: ThreadLog, config: ParsedCompaction, named: boolean) {
    this.#thread = thread;
    this.#config = config;
    this.#named = named;
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

  beforeRequest(): Edit[] {
    const { collapse, prune } = this.#config;
    const made: Edit[] = [];
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
}
