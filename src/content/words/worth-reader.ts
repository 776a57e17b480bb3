import { NO_WORDS, type Familiarity } from "./known-words.ts";
import { dependsOnStanding, NEW, worthOfWord } from "./word-worths.ts";
import { Words } from "./words.ts";

/** What any line with a word is worth, and what each of its characters adds. */
const LINE_WORTH = 4;
const CHARACTER_WORTH = 0.02;

/** One for all readers: nobody needs what it holds for longer than it takes to add it up. */
const WORDS = new Words();

/** Reads a text from its start to its end and says what its parts are worth. */
export class WorthReader {
  readonly #familiarity: Familiarity;

  constructor(familiarity: Familiarity) {
    this.#familiarity = familiarity;
  }

  /** A line of the text, if it is known which. */
  line(line: number, text: string, from: number, to: number): number {
    const { lines } = this.#familiarity;
    const worth = lines?.worthOf(line) ?? NO_WORDS;
    // A number before a blank line is a word once the space after it is gone.
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
