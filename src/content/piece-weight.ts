/** Without a space, a word break or a separator in so many characters it is data that nobody reads. */
const OPAQUE_RUN = /[A-Za-z0-9+/=_-]{200}/;

const OPAQUE_WEIGHT = 0.02;
const PIECE_WEIGHT = 1;

/** Of a piece of a line that is too long: base64 and the like are worth next to nothing. */
export function pieceWeight(piece: string): number {
  return OPAQUE_RUN.test(piece) ? OPAQUE_WEIGHT : PIECE_WEIGHT;
}
