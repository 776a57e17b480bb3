/** The texts that prices are fitted on: files that exist after `npm ci`, names in many languages, and random strings. None is in the sample texts. */
import { createRandom, type Random } from "../../bench/threads/random.ts";
import { BLOCKS, SCRIPT_PAGES } from "../../src/tokens/pages.ts";
import { LATIN_LOCALES, namesIn, OTHER_LOCALES, SMALLER_LOCALES } from "./language-texts.ts";
import { findFiles, readText } from "./package-files.ts";
import { apiId, HEX, randomBase64, randomString, uuid } from "./random-strings.ts";
import { SAMPLE_PACKAGES } from "./sample-texts.ts";
import { atRandom, charactersOf, emoji, flag, frame, progress, runsOf, wordsOf } from "./script-texts.ts";

export interface TrainingText {
  readonly text: string;
  /** The weight of a word. Words of languages other than English count less, or code would be estimated as if it were Czech. */
  readonly weight: number;
  readonly kind:
    | "text"
    /** Names take more tokens than the same letters in sentences. */
    | "names"
    /** Random characters, which cover what languages do not. */
    | "random";
}

const EXCERPT_CHARS = 3_000;
const SMALL_LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Kinds of files, and the number of excerpts of each. */
const FILES: readonly (readonly [pattern: RegExp, excerpts: number])[] = [
  [/\.d\.[cm]?ts$/, 600],
  [/(?<!\.d)\.[cm]?ts$/, 400],
  [/(?<!\.min)\.[cm]?js$/, 800],
  [/\.min\.[cm]?js$/, 300],
  [/\.json$/, 400],
  [/\.md$/i, 800],
  [/\.html$/, 200],
  [/\.css$/, 100],
  [/LICENSE[^/]*$/i, 300],
];

/** Tables of characters and of browser versions: text that nobody sends to a model. */
const TABLES: readonly string[] = [
  "gpt-tokenizer",
  "emojilib",
  "emoji-regex",
  "iconv-lite",
  "caniuse-lite",
  "electron-to-chromium",
  "node-releases",
  "punycode",
];

/** Translations of TypeScript's messages. */
const TRANSLATIONS: readonly (readonly [language: string, weight: number])[] = [
  ...["cs", "de", "es", "fr", "it", "pl", "pt-br", "tr"].map((language) => [language, 0.4] as const),
  // The only source for the cost of sentences in these scripts.
  ...["ja", "ko", "zh-cn"].map((language) => [language, 1] as const),
  ...["ru", "zh-tw"].map((language) => [language, 0.3] as const),
];
const EXCERPTS_PER_LANGUAGE = 20;
const MESSAGES_PER_EXCERPT = 30;

export function trainingTexts(): TrainingText[] {
  const random = createRandom(7);
  return [
    ...fileTexts(random),
    ...translations(random),
    ...zodMessages(),
    ...sentences(),
    ...names(),
    ...randomTexts(random),
    ...randomCharacters(random),
    ...drawings(random),
  ];
}

function fileTexts(random: Random): TrainingText[] {
  const skipped = new RegExp(`/(${[...SAMPLE_PACKAGES, ...TABLES].join("|")})/|/typescript/lib/[a-z-]+/`);
  const files = findFiles("node_modules/**/*").filter((path) => !skipped.test(`/${path}`));
  return FILES.flatMap(([pattern, excerpts]) => {
    const ofKind = files.filter((path) => pattern.test(path));
    return Array.from({ length: excerpts }, () => {
      const text = readText(random.pick(ofKind));
      const start = random.integer(0, Math.max(0, text.length - EXCERPT_CHARS));
      return { text: text.slice(start, start + EXCERPT_CHARS), weight: 1, kind: "text" as const };
    }).filter(({ text }) => !text.includes("sourceMappingURL=data"));
  });
}

function translations(random: Random): TrainingText[] {
  return TRANSLATIONS.flatMap(([language, weight]) => {
    const path = `node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`;
    const messages = Object.values(JSON.parse(readText(path)) as Record<string, string>);
    return Array.from({ length: EXCERPTS_PER_LANGUAGE }, () => {
      const start = random.integer(0, messages.length - MESSAGES_PER_EXCERPT);
      return { text: messages.slice(start, start + MESSAGES_PER_EXCERPT).join("\n"), weight, kind: "text" as const };
    });
  });
}

/** In forty languages. */
function zodMessages(): TrainingText[] {
  return findFiles("node_modules/zod/v4/locales/*.js").map((path) => {
    const strings = readText(path).match(/(["`])[^"`\n]*\P{ASCII}[^"`\n]*\1/gu) ?? [];
    return { text: strings.join("\n"), weight: 0.4, kind: "text" as const };
  });
}

/** A few sentences, written for this purpose, in languages that the files lack or have too little of. */
function sentences(): TrainingText[] {
  return readText("scripts/tokens/texts/sentences.txt")
    .trim()
    .split("\n")
    .map((text) => ({ text, weight: 12, kind: "text" as const }));
}

function names(): TrainingText[] {
  const ofLocales = (locales: readonly string[], weight: number): TrainingText[] =>
    locales.flatMap((locale) => {
      const text = namesIn(locale);
      return text === undefined ? [] : [{ text, weight, kind: "names" as const }];
    });
  return [...ofLocales(LATIN_LOCALES, 0.4), ...ofLocales(OTHER_LOCALES, 0.2), ...ofLocales(SMALLER_LOCALES, 0.05)];
}

function randomTexts(random: Random): TrainingText[] {
  const lines = (count: number, line: () => string): string => Array.from({ length: count }, line).join(random.pick(["\n", ", ", '","']));
  const letters = (): string => wordsOfLetters(random, SMALL_LETTERS, random.integer(3, 14));
  const makers: readonly (readonly [make: () => string, weight: number])[] = [
    [() => randomBase64(random, 1_600), 1],
    [() => lines(30, () => randomString(random, HEX, random.pick([32, 40, 64]))), 1],
    [() => randomString(random, HEX, 2_000), 1],
    [() => lines(4, () => randomString(random, HEX.toUpperCase(), random.pick([40, 64, 200]))), 1],
    [() => lines(40, () => uuid(random)), 1],
    [() => lines(40, () => apiId(random)), 1],
    [letters, 0.3],
    [letters, 0.3],
    [() => letters().toUpperCase(), 0.3],
    [() => randomString(random, SMALL_LETTERS, 2_000), 0.3],
    [() => lines(20, () => randomString(random, "ACGT", 70)), 0.3],
    [() => randomString(random, "acgt", 1_400), 0.15],
    [() => lines(20, () => randomString(random, "ACDEFGHIKLMNPQRSTVWY", 60)), 0.3],
  ];
  return makers.flatMap(([make, weight]) => Array.from({ length: 40 }, () => ({ text: make(), weight, kind: "text" as const })));
}

function wordsOfLetters(random: Random, alphabet: string, length: number): string {
  return Array.from({ length: 200 }, () => randomString(random, alphabet, length)).join(" ");
}

/** Every script and block, even those of no language in this list. */
function randomCharacters(random: Random): TrainingText[] {
  const blocks = [
    ...Object.values(SCRIPT_PAGES).map(({ first, last }) => [first, last] as const),
    ...BLOCKS.map(([first, last]) => [first, last] as const),
    [0xc0, 0xff],
    [0x100, 0x17f],
    [0x180, 0x24f],
    [0x250, 0x2af],
    [0x2b0, 0x2ff],
    [0x300, 0x36f],
    [0x1e00, 0x1eff],
    [0x700, 0x8ff],
    [0x1100, 0x11ff],
    [0x13a0, 0x177f],
    [0x1800, 0x1dff],
    [0x1f00, 0x1fff],
    ...Array.from({ length: 12 }, (_, index) => [0x2000 + 0x100 * index, 0x20ff + 0x100 * index] as const),
    [0x2c00, 0x2dff],
    [0xa000, 0xabff],
    [0xfb00, 0xfe2f],
    [0xfe70, 0xfefe],
    ...Array.from({ length: 32 }, (_, index) => [0x10000 + 0x800 * index, 0x107ff + 0x800 * index] as const),
    [0x20000, 0x30000],
  ] as const;
  const privateUse = Array.from({ length: 0x1900 }, (_, index) => String.fromCharCode(0xe000 + index));
  return [...blocks.map(([first, last]) => charactersOf(first, last)), privateUse]
    .filter((characters) => characters.length > 0)
    .flatMap((characters) =>
      [atRandom(random, characters, 3_000), wordsOf(random, characters, 400), spaced(random, characters), runsOf(random, characters, 60)].map((text) => ({
        text,
        weight: 0.15,
        kind: "random" as const,
      })),
    );
}

function spaced(random: Random, characters: readonly string[]): string {
  return Array.from({ length: 800 }, () => random.pick(characters)).join(" ");
}

function drawings(random: Random): TrainingText[] {
  const cell = (): string => random.pick(["", "ok", "12.5", "name", "path/to/file", "a few words here", "100%", "error: not found"]);
  const many = (count: number, make: () => string, between: string): string => Array.from({ length: count }, make).join(between);
  const makers: readonly (() => string)[] = [
    () => many(4, () => frame(random, cell), "\n\n"),
    () => many(20, () => progress(random), "\n"),
    () => runsOf(random, Array.from("─━═█░▒▓│║┃■□★☆▬▄▀—…·•"), 30),
    () => many(60, () => random.pick(["─", "─", "─", "━", "═"]).repeat(random.integer(30, 110)), "\n"),
    () => many(60, () => emoji(random), random.pick(["", " ", " text\n"])),
    () => many(80, () => flag(random), random.pick(["", " "])),
    () => atRandom(random, Array.from("┌┬┐├┼┤└┴┘─│═║╔╗╚╝╠╣╦╩╬━┃"), 400),
    () => many(200, () => random.pick(Array.from(SMALL_LETTERS)) + atRandom(random, charactersOf(0x300, 0x36f), random.integer(1, 8)), ""),
  ];
  return makers.flatMap((make) => Array.from({ length: 40 }, () => ({ text: make(), weight: 0.2, kind: "text" as const })));
}
