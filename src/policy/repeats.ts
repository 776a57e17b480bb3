import type { Edit, Proposal } from "../edits/edit.ts";
import { blockAt, type Message, type ToolResultBlock } from "../messages/message.ts";
import { placeKey } from "../messages/place.ts";
import { isOfPiece, RESTORED, showsAll } from "./piece-edits.ts";
import { newestOf, type Piece } from "./piece.ts";

/**
 * What was read again. A duplicate ("[Read again later …]") points to something that is shown in full: it is made only then, and where that
 * goes, what pointed to it is shown again as it came.
 */
export class Repeats {
  readonly #duplicates = new Set<Piece>();

  /** Takes note of an edit that is in force. */
  note(piece: Piece, edit: Extract<Edit, { kind: "replace-result" | "replace-input" | "replace-block" }>): void {
    piece.isCut = !showsAll(edit);
    piece.isDuplicate = isDuplicate(edit);
    if (piece.isDuplicate) this.#duplicates.add(piece);
    else this.#duplicates.delete(piece);
  }

  /** Returns whether a later result has a piece again, all of which is shown. What was read often is looked at once. */
  among(isShownWhole: (piece: Piece) => boolean): (piece: Piece) => boolean {
    const known = new Map<Piece, boolean>();
    return (piece) => {
      const newest = newestOf(piece);
      if (newest === piece) return false;
      const isWhole = known.get(newest) ?? isShownWhole(newest);
      known.set(newest, isWhole);
      return isWhole;
    };
  }

  /** Of what is about to be done: without duplicates of what is not shown in full then, and with what they took, where they were made before. */
  settle(log: readonly Message[], proposals: readonly Proposal[], isHidden: Uint8Array, pieces: ReadonlyMap<string, Piece>): readonly Proposal[] {
    const made = proposals.filter(isOfPiece);
    if (this.#duplicates.size === 0 && !made.some(isDuplicate)) return proposals;
    const cut = new Set(made.filter((proposal) => !showsAll(proposal)).map(({ at }) => placeKey(at)));
    const goes = (piece: Piece): boolean => piece.isCut || isHidden[piece.at.position] === 1 || cut.has(placeKey(piece.at));
    const pointsToNothing = (piece: Piece | undefined): boolean => piece !== undefined && goes(newestOf(piece));
    const kept = proposals.filter((proposal) => !isOfPiece(proposal) || !isDuplicate(proposal) || !pointsToNothing(pieces.get(placeKey(proposal.at))));
    const lost = [...this.#duplicates].filter((piece) => isHidden[piece.at.position] === 0 && pointsToNothing(piece));
    return [...kept, ...lost.map((piece) => restored(log, piece))];
  }
}

function isDuplicate(proposal: Proposal): boolean {
  return proposal.kind === "replace-result" && proposal.form === "duplicate";
}

function restored(log: readonly Message[], { at, callId }: Piece): Proposal {
  const { content = "" } = blockAt(log, at) as ToolResultBlock;
  return { kind: "replace-result", at, callId, form: "custom", content, pass: RESTORED, reason: "what has it again is not shown in full", madeAt: log.length };
}
