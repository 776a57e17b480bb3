import { callAside } from "./call-aside.ts";
import type { Edit, Proposal } from "../edits/edit.ts";
import { capResults } from "../passes/cap-results/cap-results.ts";
import { collapseRounds } from "../passes/collapse-rounds/collapse-rounds.ts";
import { pruneTurns } from "../passes/prune-turns/prune-turns.ts";
import { truncateOldResults } from "../passes/truncate-old-results/truncate-old-results.ts";
import type { CompactionNotice } from "../stateless/compact-old-tool-results.ts";
import type { ParsedPrunerConfig } from "../stateless/pruner-config.ts";
import type { Policy, Situation } from "./policy.ts";

const CAP_PASS = "cap-results";

/** Cuts results of more than `maxTokens` tokens when they come in. */
export function cap(maxTokens: number): Policy {
  return {
    arrived: (now, from) =>
      capResults(now.log, now.inForce, { ...context(now), maxTokens }).filter((proposal) => proposal.kind === "replace-result" && proposal.at.position >= from),
  };
}

export interface CollapseConfig {
  readonly afterTurns: number;
  readonly multiToolTurns: boolean;
  readonly gistChars: number;
}

/** Replaces each old call and its result by one line. */
export function collapse(config: CollapseConfig): Policy {
  return { beforeCall: (now) => collapseRounds(now.log, now.inForce, { ...context(now), ...config }) };
}

/** Removes whole messages. */
export function prune(config: ParsedPrunerConfig): Policy {
  return { beforeCall: (now) => pruneTurns(now.log, now.inForce, { ...context(now), ...config }) };
}

export interface BudgetPolicyConfig {
  readonly inputTokenBudget: number;
  readonly toolResultRetentionChars: number;
  readonly onCompact: (notice: CompactionNotice) => void;
}

/** Cuts the results of all rounds but the newest, after a response to a request that was over the budget. */
export function budget({ inputTokenBudget, toolResultRetentionChars: retainChars, onCompact }: BudgetPolicyConfig): Policy {
  let read = 0;
  return {
    answered: (now, inputTokens) => {
      read = inputTokens;
      if (inputTokenBudget === 0 || inputTokens <= inputTokenBudget) return [];
      return truncateOldResults(now.log, otherThanCapped(now), { ...context(now), retainChars });
    },
    made: (edits, isOwn) => {
      if (isOwn && edits.length > 0) callAside(onCompact, { compacted: edits.length, inputTokens: read, inputTokenBudget });
    },
  };
}

/** Shortens hard when the provider has refused a request as too long, more with each attempt. */
export function rescue(): Policy {
  const attempts: readonly ((now: Situation, limitTokens: number) => readonly Proposal[])[] = [
    (now) => truncateOldResults(now.log, otherThanCapped(now), { ...context(now), retainChars: 500 }),
    (now) => collapseRounds(now.log, now.inForce, { ...context(now), afterTurns: 8, multiToolTurns: true, gistChars: 0 }),
    ...[40, 20, 10, 4].map(
      (maxTurns) =>
        (now: Situation): readonly Proposal[] =>
          pruneTurns(now.log, now.inForce, { ...context(now), strategy: "summarize", maxTurns }),
    ),
    // Perhaps a single result is too long, and even the newest may still be cut as if it had just come in.
    (now, limitTokens) => capResults(now.log, [], { ...context(now), maxTokens: Math.floor(limitTokens / 2) }),
  ];
  return { refused: (now, limitTokens, attempt) => attempts[attempt]?.(now, limitTokens) };
}

function context({ index, target }: Situation): Pick<Situation, "index" | "target"> {
  return { index, target };
}

/** Results that were cut when they came in may be cut again: settling drops a cut that makes nothing shorter. */
function otherThanCapped({ inForce }: Situation): readonly Edit[] {
  return inForce.filter(({ pass }) => pass !== CAP_PASS);
}
