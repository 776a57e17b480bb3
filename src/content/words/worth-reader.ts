import { NO_WORDS, type Familiarity } from "./known-words.ts";
import { dependsOnStanding, NEW, worthOfWord } from "./word-worths.ts";
import { Words } from "./words.ts";

/** The worth of any line with a word, and what each character adds. */
const LINE_WORTH = 4;
const CHARACTER_WORTH = 0.02;

/** Shared by all readers: its content is needed only while it is added up. */
const WORDS = new Words();

/** Reads a text from start to end and returns the worth of its parts. */
export class WorthReader {
  readonly #familiarity: Familiarity;

  constructor(familiarity: Familiarity) {
    this.#familiarity = familiarity;
  }

  /** Returns the worth of a line. Uses the known worth, if there is one. */
  line(line: number, text: string, from: number, to: number): number {
    const { lines } = this.#familiarity;
    const worth = lines?.worthOf(line) ?? NO_WORDS;
    // The number of a blank line becomes a word when the space after it is removed.
    return lines === undefined || worth === NO_WORDS ? this.between(text, from, to) : worthOfLine(worth, to - from);
  }

  between(text: string, from: number, to: number): number {
    WORDS.read(text, from, to);
    const { count, hashes, shapes } = WORDS;
    let worth = 0;
    for (let word = 0; word < count; word++) {
      const code = hashes[word] ?? 0;
      const shape = shapes[word] ?? 0;
      worth += worthOfWord(shape, dependsOnStanding(shape) ? this.#familiarity.standingOf(code) : NEW);
    }
    return count === 0 ? 0 : worthOfLine(worth, to - from);
  }
}

function worthOfLine(words: number, chars: number): number {
  return LINE_WORTH + CHARACTER_WORTH * chars + words;
}
