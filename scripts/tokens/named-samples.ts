/** Samples of kinds with formerly bad estimates, generated from a seed; and the first article of the Declaration of Human Rights in many languages. */
import { createRandom, type Random } from "../../bench/threads/random.ts";
import { readText } from "./package-files.ts";
import { HEX, randomBase64, randomString, uuid } from "./random-strings.ts";
import type { Sample } from "./script-samples.ts";
import { atRandom, charactersOf, emoji, flag, frame, progress } from "./script-texts.ts";

const SMALL_LETTERS = "abcdefghijklmnopqrstuvwxyz";
const CELLS: readonly string[] = ["name", "status", "passed", "src/index.ts", "1,024", "12.5 ms", "yes", "a longer cell", "failed: timeout"];

const PHONETIC =
  "/hiː wəz ˈsɪtɪŋ baɪ ðə ˈwɪndəʊ ˈriːdɪŋ ən ˈəʊld ˈnjuːspeɪpə wen ðə ˈtelɪfəʊn ˈræŋ/ [ˌɒnəˌmætəˈpiːə], [ˈʃɛdjuːl], [ˈkʌmftəbəl], [θɔːt], [ˈvɛdʒtəbəl], /ˈɡuːtn̩ ˈmɔʁɡn̩/, /ɔʁəˈvwaʁ/, /ɡɾaθjas/, [ˈt͡ʃiːz], [ʒyʁi], [ɕɛɲ], [ˈmʌðə ənd ˈfɑːðə ˈlɪvd ˈhæpɪli ɪn ə ˈsmɔːl ˈhaʊs nɪə ðə ˈrɪvə]\n";

/** Drawings, emoji and glyphs; and identifiers. */
export function namedSamples(seed: number): Sample[] {
  const random = createRandom(seed);
  const many = (count: number, make: () => string, between: string): string => Array.from({ length: count }, make).join(between);
  return Object.entries({
    "corners and crossings": atRandom(random, Array.from("┌┬┐├┼┤└┴┘"), 2_400),
    "table frames": many(12, () => frame(random, () => ""), "\n\n"),
    "tables with text": many(12, () => frame(random, () => random.pick(CELLS)), "\n\n"),
    "heavy rules": many(40, () => "━".repeat(random.integer(40, 100)), "\n"),
    "double rules": many(40, () => "═".repeat(random.integer(40, 100)), "\n"),
    "light rules": many(40, () => "─".repeat(random.integer(40, 100)), "\n"),
    "rich panels": many(10, () => panel(random), "\n"),
    "progress bars": many(80, () => progress(random), "\n"),
    "full and light blocks": atRandom(random, ["█", "░"], 2_400),
    "braille spinners": many(400, () => `${random.pick(Array.from("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"))} working`, "\n"),
    "dense emoji": many(800, () => emoji(random), ""),
    "emoji in text": many(250, () => `${emoji(random)} ${random.pick(CELLS)}`, "\n"),
    flags: many(700, () => flag(random), ""),
    "flags with spaces": many(500, () => flag(random), " "),
    "private-use glyphs": many(900, () => String.fromCharCode(random.integer(0xe0a0, 0xf8ff)), " "),
    "private-use glyphs, dense": many(2_400, () => String.fromCharCode(random.integer(0xe000, 0xf8ff)), ""),
    "stacked combining marks": many(500, () => random.pick(Array.from(SMALL_LETTERS)) + atRandom(random, charactersOf(0x300, 0x36f), random.integer(2, 8)), ""),
    "mathematical letters": many(400, () => atRandom(random, charactersOf(0x1d400, 0x1d6a3), random.integer(2, 9)), " "),
    "phonetic transcription": PHONETIC.repeat(8),
    runes: many(400, () => atRandom(random, charactersOf(0x16a0, 0x16ea), random.integer(2, 9)), " "),
    hex: randomString(random, HEX, 2_400),
    base64: randomBase64(random, 1_800),
    uuids: many(70, () => uuid(random), "\n"),
    "numbers in columns": many(
      200,
      () => `${random.integer(1, 99_999)},${(random.next() * 100).toFixed(2)},${random.integer(0, 1)},${random.next().toFixed(5)}`,
      "\n",
    ),
  }).map(([name, text]) => ({ name, text }));
}

/** Letters that spell nothing. */
export function randomLetterSamples(seed: number): Sample[] {
  const random = createRandom(seed);
  const words = (alphabet: string, length: () => number): string => Array.from({ length: 400 }, () => randomString(random, alphabet, length())).join(" ");
  return Object.entries({
    "words of 3 random letters": words(SMALL_LETTERS, () => 3).repeat(2),
    "words of 5 random letters": words(SMALL_LETTERS, () => 5),
    "words of 8 random letters": words(SMALL_LETTERS, () => 8),
    "words of 12 random letters": words(SMALL_LETTERS, () => 12),
    "words of 4 to 20 random letters": words(SMALL_LETTERS, () => random.integer(4, 20)),
    "words of 8 random capitals": words(SMALL_LETTERS.toUpperCase(), () => 8),
    "words of 8 random letters of both cases": words(SMALL_LETTERS + SMALL_LETTERS.toUpperCase(), () => 8),
    "random letters in one stretch": randomString(random, SMALL_LETTERS, 3_000),
    "random capitals in one stretch": randomString(random, SMALL_LETTERS.toUpperCase(), 3_000),
    "random consonants": words("bcdfghjklmnpqrstvwxz", () => 7),
    DNA: Array.from({ length: 50 }, () => randomString(random, "ACGT", 60)).join("\n"),
    "DNA in one stretch, small letters": randomString(random, "acgt", 3_000),
    RNA: randomString(random, "ACGU", 3_000),
    protein: Array.from({ length: 50 }, () => randomString(random, "ACDEFGHIKLMNPQRSTVWY", 60)).join("\n"),
  }).map(([name, text]) => ({ name, text }));
}

/** By language, each repeated to over 2,000 characters. */
export function declarationSamples(): Sample[] {
  return readText("scripts/tokens/texts/declaration.txt")
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", text = ""] = line.split("\t");
      return { name, text: Array.from({ length: Math.ceil(2_000 / text.length) }, () => text).join("\n") };
    });
}

function panel(random: Random): string {
  const width = random.integer(40, 90);
  const line = (): string =>
    `│ ${Array.from({ length: 20 }, () => random.pick(CELLS))
      .join(" ")
      .slice(0, width - 4)
      .padEnd(width - 4)} │`;
  const title = ` ${random.pick(CELLS)} `;
  return [`╭─${title}${"─".repeat(width - title.length - 3)}╮`, ...Array.from({ length: random.integer(2, 6) }, line), `╰${"─".repeat(width - 2)}╯`].join("\n");
}
