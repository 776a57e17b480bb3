/** The bytes of an image or a document, decoded on access: a payload has megabytes, its header a few dozen bytes. */
export interface PayloadBytes {
  readonly length: number;
  /** Returns 0 after the end. */
  at(index: number): number;
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const DIGIT_OF: Uint8Array = digitTable();

/** Decodes a base64 string from a position on. Accepts both alphabets; line breaks are not expected. */
export function bytesOfBase64(base64: string, from: number): PayloadBytes {
  const digit = (index: number): number => (index < base64.length ? (DIGIT_OF[base64.charCodeAt(index) & 0x7f] ?? 0) : 0);
  return {
    length: Math.floor(((base64.length - from) * 3) / 4),
    at(index) {
      const place = index % 3;
      const first = from + Math.floor(index / 3) * 4 + place;
      return ((digit(first) << (2 + 2 * place)) | (digit(first + 1) >> (4 - 2 * place))) & 0xff;
    },
  };
}

export function bytesOfArray(array: Uint8Array): PayloadBytes {
  return { length: array.length, at: (index) => array[index] ?? 0 };
}

/** Returns one character per byte. */
export function latin1Text(bytes: PayloadBytes, from: number, to: number): string {
  const characters: string[] = [];
  for (let index = Math.max(0, from); index < Math.min(to, bytes.length); index++) characters.push(String.fromCharCode(bytes.at(index)));
  return characters.join("");
}

function digitTable(): Uint8Array {
  const table = new Uint8Array(0x80);
  for (let value = 0; value < DIGITS.length; value++) table[DIGITS.charCodeAt(value)] = value;
  // base64url
  table[0x2d] = 62;
  table[0x5f] = 63;
  return table;
}
