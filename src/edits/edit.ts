import type { Change, EditKind } from "./change.ts";
import { editId } from "./edit-id.ts";
import { parseDraft } from "./parse-draft.ts";

interface Origin {
  /** The pass, person or tool that made it. */
  readonly pass: string;
  readonly reason: string;
  /** Length of the log when the edit first took effect. */
  readonly madeAt: number;
  /** Length of the log when it was undone. */
  readonly undoneAt?: number;
  /** Names the original, for `recall`. */
  readonly handle?: string;
}

/** What a pass writes and `render` needs. `makeEdits` turns it into an edit by adding an id and measures. */
export type Proposal = Origin & Change;
export type ProposalOf<K extends EditKind> = Extract<Proposal, { kind: K }>;

interface Made {
  /** Hash of the change and `madeAt`: making the same edit twice is harmless. */
  readonly id: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export type Edit = Made & Proposal;
export type EditOf<K extends EditKind> = Extract<Edit, { kind: K }>;

/** An edit without its id, which follows from the rest. */
export type EditDraft = Omit<Made, "id"> & Proposal;

export function makeEdit(draft: EditDraft): Edit {
  parseDraft(draft);
  return { id: editId(draft, draft.madeAt), ...draft };
}
