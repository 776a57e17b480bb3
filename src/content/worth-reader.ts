import type { Familiarity } from "./familiarity.ts";
import { addToHash, FEWEST_WORDS } from "./lines.ts";
import { dependsOnStanding, NEW, worthOfWord } from "./word-worths.ts";
import { forEachWord, type VisitWord } from "./words.ts";

/** What any line with a word is worth, and what each of its characters adds. */
const LINE_WORTH = 4;
const CHARACTER_WORTH = 0.02;
/** Of a line that stood in an earlier result. */
const KNOWN_SHARE = 0.2;

/** Reads a text from its start to its end and says what its parts are worth. */
export class WorthReader {
  readonly #familiarity: Familiarity;
  readonly #visit: VisitWord;
  #worth = 0;
  #words = 0;
  #hash = 0;

  constructor(familiarity: Familiarity) {
    this.#familiarity = familiarity;
    this.#visit = (word, shape) => {
      this.#hash = addToHash(this.#hash, word);
      this.#words++;
      this.#worth += worthOfWord(shape, dependsOnStanding(shape) ? familiarity.standingOf(word) : NEW);
    };
  }

  between(text: string, from: number, to: number): number {
    this.#worth = 0;
    this.#words = 0;
    this.#hash = 0;
    forEachWord(text, from, to, this.#visit);
    if (this.#words === 0) return 0;
    const worth = LINE_WORTH + CHARACTER_WORTH * (to - from) + this.#worth;
    return this.#words >= FEWEST_WORDS && this.#familiarity.isKnownLine(this.#hash) ? worth * KNOWN_SHARE : worth;
  }
}
