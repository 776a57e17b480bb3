import type { Edit, Proposal } from "../edits/edit.ts";
import type { Decision } from "../policy/decision.ts";
import { UNKNOWN_STEP, type Step } from "../policy/step.ts";
import type { Policy } from "../policy/policy.ts";
import type { Conversation } from "./conversation.ts";

/** Runs the policies of a conversation, one after the other, each at its own time. `named`: shortened pieces name a handle. */
export class PolicyRunner {
  readonly #conversation: Conversation;
  readonly #policies: readonly Policy[];
  readonly #named: boolean;

  constructor(conversation: Conversation, policies: readonly Policy[], named: boolean) {
    this.#conversation = conversation;
    this.#policies = policies;
    this.#named = named;
    if (conversation.length === 0) return;
    const { situation } = conversation;
    // Messages after the last response have not been sent yet.
    const answered = conversation.log.findLastIndex(({ role }) => role === "assistant") + 1;
    const last = conversation.steps.at(-1) ?? { ...UNKNOWN_STEP, upTo: answered };
    for (const policy of policies) policy.resume?.(situation, last);
  }

  /** Call it when results have come in, the first of them at this position, before the model has seen them. */
  arrived(from: number): Edit[] {
    return this.#each((policy) => policy.arrived?.(this.#conversation.situation, from));
  }

  /** Call it before each call of the model. Records the call if a policy needs it to go on after a restart. */
  beforeCall(step: Step): Edit[] {
    this.#conversation.mend();
    const made = this.#each((policy) => policy.beforeCall?.(this.#conversation.situation, step));
    if (this.#policies.some(({ resume }) => resume !== undefined)) this.#conversation.record(step);
    return made;
  }

  /** Call it when the model has answered. `inputTokens`: the size of the request. */
  answered(inputTokens: number): Edit[] {
    return this.#each((policy) => policy.answered?.(this.#conversation.situation, inputTokens));
  }

  /** Call it when the provider has refused a view as too long. `shownTokens` returns the current size of the view. Empty: there is nothing left to shorten. */
  refused(limitTokens: number, shownTokens: () => number): Edit[] {
    const made: Edit[] = [];
    for (const policy of this.#policies) {
      if (policy.refused === undefined) continue;
      for (let attempt = 0; shownTokens() > limitTokens; attempt++) {
        const proposals = policy.refused(this.#conversation.situation, limitTokens, attempt);
        if (proposals === undefined) break;
        made.push(...this.#propose(policy, proposals));
      }
    }
    return made;
  }

  explain(): Decision | undefined {
    for (const { explain } of this.#policies) {
      const decision = explain?.();
      if (decision !== undefined) return decision;
    }
    return undefined;
  }

  #each(propose: (policy: Policy) => readonly Proposal[] | undefined): Edit[] {
    return this.#policies.flatMap((policy) => this.#propose(policy, propose(policy) ?? []));
  }

  #propose(policy: Policy, proposals: readonly Proposal[]): Edit[] {
    const edits = this.#conversation.propose(proposals, { named: this.#named, tokens: policy.tokens });
    if (edits.length > 0) for (const each of this.#policies) each.made?.(edits, each === policy);
    return edits;
  }
}
