/** Where a rule was seen. None of them was tried against a live API for this table. */
export type Evidence = "docs" | "issue" | "live" | "claim" | "source";

export interface ProviderRule {
  /** "A2.1", as in `Finding.rule`. Rows of a group without numbers of its own have the group's: "A6". */
  readonly number: string;
  /** One plain sentence. */
  readonly rule: string;
  /** The provider's own words; `X`, `N` and `M` stand for what varies. Empty: not known, or nothing is refused. */
  readonly errors: readonly string[];
  readonly seen: readonly (readonly [evidence: Evidence, where: string])[];
  /** Where sources disagree, or a rule holds for some models only. */
  readonly note?: string;
  /** Of a rule that no check reports: how this package keeps it. */
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
