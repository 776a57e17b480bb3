import ranks from "gpt-tokenizer/bpeRanks/o200k_base";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** Text that looks like a special token is plain text. */
const PLAIN = { disallowedSpecial: new Set<string>() };

export function countO200k(text: string): number {
  return encode(text, PLAIN).length;
}

/** Counts the tokens that begin at each UTF-16 position of the text. A token that begins within a character counts for that character. */
export function tokenStarts(text: string): Uint8Array {
  const positions = positionsOfBytes(text);
  const starts = new Uint8Array(text.length);
  let byte = 0;
  for (const token of encode(text, PLAIN)) {
    const position = positions[byte] ?? 0;
    starts[position] = (starts[position] ?? 0) + 1;
    byte += bytesOf(token);
  }
  return starts;
}

function positionsOfBytes(text: string): number[] {
  const positions: number[] = [];
  let position = 0;
  for (const character of text) {
    for (let byte = Buffer.byteLength(character); byte > 0; byte--) positions.push(position);
    position += character.length;
  }
  return positions;
}

function bytesOf(token: number): number {
  const piece = ranks[token];
  return typeof piece === "string" ? Buffer.byteLength(piece) : (piece?.length ?? 0);
}
