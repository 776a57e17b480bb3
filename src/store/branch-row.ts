import type { BranchInfo, Head } from "./store.ts";
import { decodeText } from "./stored-text.ts";

/** A branch as the databases return it. */
export interface BranchRow {
  readonly number: number;
  readonly thread: number;
  readonly start: number;
  readonly length: number;
  readonly head: string | null;
  readonly origin: string;
  readonly steps_hash: string;
}

export interface BranchInfoRow {
  readonly name: string;
  readonly length: number;
  readonly head: string | null;
  readonly start: number;
  readonly parent: string | null;
}

export function headOf(branch: Pick<BranchRow, "head" | "length"> | undefined): Head {
  if (branch === undefined) return { hash: null, length: 0 };
  return { hash: branch.head === null ? null : decodeText(branch.head), length: branch.length };
}

export function branchInfoOf(row: BranchInfoRow): BranchInfo {
  return {
    name: decodeText(row.name),
    ...headOf(row),
    ...(row.parent !== null && { from: { branch: decodeText(row.parent), length: row.start } }),
  };
}
