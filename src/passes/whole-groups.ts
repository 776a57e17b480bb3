import type { Proposal } from "../edits/edit.ts";
import { parsePartHandle } from "./handle.ts";

/** Keeps only complete groups of these proposals: a note names all places of its group as parts of one handle, so they are made together or not at all. */
export function wholeGroups(proposals: readonly Proposal[], left: readonly Proposal[]): Proposal[] {
  const made = new Set(left.map(({ handle }) => handle));
  const broken = new Set<string | undefined>(proposals.flatMap((proposal) => (made.has(proposal.handle) ? [] : (groupOf(proposal) ?? []))));
  return left.filter((proposal) => !broken.has(groupOf(proposal)));
}

function groupOf(proposal: Proposal): string | undefined {
  return proposal.kind === "replace-range" && proposal.handle !== undefined ? parsePartHandle(proposal.handle)?.handle : undefined;
}
