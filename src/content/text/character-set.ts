/** A set of ASCII characters. Other characters count as members unless the constructor says otherwise. */
export class CharacterSet {
  readonly #isOne = new Uint8Array(0x80);
  readonly #othersToo: boolean;

  constructor(characters: string, othersToo = true) {
    for (let at = 0; at < characters.length; at++) this.#isOne[characters.charCodeAt(at)] = 1;
    this.#othersToo = othersToo;
  }

  has(code: number): boolean {
    return code < 0x80 ? this.#isOne[code] === 1 : this.#othersToo;
  }
}
