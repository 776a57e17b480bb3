import type { Edit } from "../edits/edit.ts";

/** The passes of the policy, which tell its edits from those made by hand. */
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
