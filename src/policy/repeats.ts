import type { Edit, Proposal } from "../edits/edit.ts";
import { blockAt, type Message, type ToolResultBlock } from "../messages/message.ts";
import { placeKey } from "../messages/place.ts";
import { isOfPiece, RESTORED, showsAll } from "./piece-edits.ts";
import { newestOf, type Piece } from "./piece.ts";

/**
 * Handles results that were read again. A duplicate ("[Read again later …]") always points to something that is shown in full: if that
 * is shortened, the duplicate's original is shown again.
 */
export class Repeats {
  readonly #duplicates = new Set<Piece>();

  /** Records an edit that is in force. */
  note(piece: Piece, edit: Extract<Edit, { kind: "replace-result" | "replace-input" | "replace-block" }>): void {
    piece.isCut = !showsAll(edit);
    piece.isDuplicate = isDuplicate(edit);
    if (piece.isDuplicate) this.#duplicates.add(piece);
    else this.#duplicates.delete(piece);
  }

  /** Returns a test whether a later result that is shown whole repeats a piece. Checks each later result only once. */
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

  /** Returns the proposals without duplicates of results that will not be shown in full, and with edits that restore the originals of such duplicates made earlier. */
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
