/** What the prices of the pieces are fitted on: files that are there after `npm ci`, and random strings. Nothing of it is in the sample texts. */
import { createRandom, type Random } from "../../bench/threads/random.ts";
import { findFiles, readText } from "./package-files.ts";
import { apiId, HEX, randomBase64, randomString, uuid } from "./random-strings.ts";
import { SAMPLE_PACKAGES } from "./sample-texts.ts";

export interface TrainingText {
  readonly text: string;
  /** How much its words count. Those of other languages than English count little, or code would be estimated as if it were Czech. */
  readonly wordWeight: number;
  /** How much its characters beyond ASCII count. */
  readonly scriptWeight: number;
  /** Another language in Latin letters. */
  readonly isForeign: boolean;
}

const ENGLISH = { wordWeight: 1, scriptWeight: 1, isForeign: false };
const EXCERPT_CHARS = 3_000;

/** Kinds of files, and how many excerpts are taken of each. */
const FILES: readonly (readonly [pattern: RegExp, excerpts: number])[] = [
  [/\.d\.[cm]?ts$/, 300],
  [/(?<!\.d)\.[cm]?ts$/, 200],
  [/(?<!\.min)\.[cm]?js$/, 400],
  [/\.min\.[cm]?js$/, 150],
  [/\.json$/, 200],
  [/\.md$/i, 400],
  [/\.html$/, 100],
  [/\.css$/, 50],
  [/LICENSE[^/]*$/i, 150],
];

/** Tables of characters and of browsers' versions: text that nobody sends to a model. */
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

/** Translations of TypeScript's messages. Simplified Chinese is far more common than traditional; both share their characters. */
const LANGUAGES: readonly (readonly [language: string, scriptWeight: number, isForeign: boolean])[] = [
  ...["cs", "de", "es", "fr", "it", "pl", "pt-br", "tr"].map((language) => [language, 1, true] as const),
  ...["ja", "ko", "ru"].map((language) => [language, 1, false] as const),
  ["zh-cn", 3, false],
  ["zh-tw", 0.3, false],
];
const EXCERPTS_PER_LANGUAGE = 20;
const MESSAGES_PER_EXCERPT = 30;

const EMOJI: readonly string[] = Array.from("✅❌⚠🚀🔥✨🎉📦🐛🔧📝💡⚡🔒👍❤😀😂🙏👏🎨🚧♻🌍📚🔍🏠⭐➡✓✗●▶◆★☆☐☑✔✖❗❓");

export function trainingTexts(): TrainingText[] {
  const random = createRandom(7);
  return [...fileTexts(random), ...translations(random), ...wordsOfManyScripts(), ...randomTexts(random)];
}

function fileTexts(random: Random): TrainingText[] {
  const skipped = new RegExp(`/(${[...SAMPLE_PACKAGES, ...TABLES].join("|")})/|/typescript/lib/[a-z-]+/`);
  const files = findFiles("node_modules/**/*").filter((path) => !skipped.test(`/${path}`));
  return FILES.flatMap(([pattern, excerpts]) => {
    const ofKind = files.filter((path) => pattern.test(path));
    return Array.from({ length: excerpts }, () => {
      const text = readText(random.pick(ofKind));
      const start = random.integer(0, Math.max(0, text.length - EXCERPT_CHARS));
      return { ...ENGLISH, text: text.slice(start, start + EXCERPT_CHARS) };
    }).filter(({ text }) => !text.includes("sourceMappingURL=data"));
  });
}

function translations(random: Random): TrainingText[] {
  return LANGUAGES.flatMap(([language, scriptWeight, isForeign]) => {
    const path = `node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`;
    const messages = Object.values(JSON.parse(readText(path)) as Record<string, string>);
    return Array.from({ length: EXCERPTS_PER_LANGUAGE }, () => {
      const start = random.integer(0, messages.length - MESSAGES_PER_EXCERPT);
      return { text: messages.slice(start, start + MESSAGES_PER_EXCERPT).join("\n"), wordWeight: 0.1, scriptWeight, isForeign };
    });
  });
}

/** zod's messages, in forty languages: the only text here in Arabic, Hebrew, Thai and others. */
function wordsOfManyScripts(): TrainingText[] {
  return findFiles("node_modules/zod/v4/locales/*.js").map((path) => {
    const strings = readText(path).match(/(["`])[^"`\n]*\P{ASCII}[^"`\n]*\1/gu) ?? [];
    return { text: strings.join("\n"), wordWeight: 0.1, scriptWeight: 1, isForeign: false };
  });
}

function randomTexts(random: Random): TrainingText[] {
  const lines = (count: number, line: () => string): string => Array.from({ length: count }, line).join(random.pick(["\n", ", ", '","']));
  const makers: readonly (() => string)[] = [
    () => randomBase64(random, 1_600),
    () => lines(30, () => randomString(random, HEX, random.pick([32, 40, 64]))),
    () => randomString(random, HEX, 2_000),
    () => lines(4, () => randomString(random, HEX.toUpperCase(), random.pick([40, 64, 200]))),
    () => lines(40, () => uuid(random)),
    () => lines(40, () => apiId(random)),
    () => Array.from({ length: 60 }, () => emoji(random)).join(random.pick(["", " ", " text\n"])),
  ];
  return makers.flatMap((make) => Array.from({ length: 40 }, () => ({ ...ENGLISH, text: make() })));
}

function emoji(random: Random): string {
  return random.chance(0.7) ? random.pick(EMOJI) : String.fromCodePoint(random.integer(0x1f300, 0x1f64f));
}
