import type { Edit } from "../edits/edit.ts";

/** The passes of the policy, by which its edits are told from those that somebody made by hand. */
const POLICY_PASSES: ReadonlySet<string> = new Set([
  "tidy-results",
  "keep-telling-lines",
  "stub-results",
  "shorten-inputs",
  "drop-superseded",
  "restore-results",
  "age-images",
  "digest-rounds",
  "drop-rounds",
]);

export function isOfPolicy({ pass }: Edit): boolean {
  return POLICY_PASSES.has(pass);
}
