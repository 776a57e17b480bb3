/** Where a rule was seen. None of them was tried against a live API for this table. */
export type Evidence = "docs" | "issue" | "live" | "claim" | "source";

export interface ProviderRule {
  /** "A2.1", as in `Finding.rule`. In a group without numbered rules, the group's number: "A6". */
  readonly number: string;
  /** One plain sentence. */
  readonly rule: string;
  /** The provider's own words, with `X`, `N` and `M` as placeholders. Empty if unknown, or if nothing is refused. */
  readonly errors: readonly string[];
  readonly seen: readonly (readonly [evidence: Evidence, where: string])[];
  /** Says where sources disagree, or that a rule holds only for some models. */
  readonly note?: string;
  /** For a rule that no check reports: how this package keeps it. */
  readonly kept?: string;
}

export interface RuleGroup {
  /** "A2". */
  readonly id: string;
  readonly title: string;
  readonly rules: readonly ProviderRule[];
}

export interface Provider {
  readonly name: string;
  readonly groups: readonly RuleGroup[];
}
