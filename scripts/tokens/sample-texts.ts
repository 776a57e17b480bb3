/**
 * The texts that estimates are checked on: one set for every kind in the reference's `calibration.json`, with the same names, and more
 * kinds that nothing was fitted on. Built from the repository, packages that the fit leaves out, generated records and written texts,
 * so that they are the same after every `npm ci`.
 */
import { transformSync } from "esbuild";
import { createRandom } from "../../bench/threads/random.ts";
import { apiRecords, logLines } from "./generated-texts.ts";
import { findFiles, readText } from "./package-files.ts";
import { HEX, randomBase64, randomString } from "./random-strings.ts";

export type CalibrationKind =
  | "ts_code"
  | "js_code"
  | "minified_js"
  | "json_pretty"
  | "json_min"
  | "json_api_ids_numbers"
  | "english_markdown"
  | "english_prose"
  | "html"
  | "cjk"
  | "log_lines"
  | "base64"
  | "hex";

/** Packages that are samples, so the fit must not read them. */
export const SAMPLE_PACKAGES: readonly string[] = ["eslint", "fast-check", "prettier", "undici", "@types/node"];

/** The limit per text, so that none outweighs the others, and per pattern, because counting tokens is slow. */
const MOST_CHARS = 20_000;
const MOST_FILES = 15;

export function calibrationSamples(): Record<CalibrationKind, string[]> {
  const random = createRandom(20_260_314);
  const manifests = findFiles("node_modules/{eslint,fast-check,prettier,undici,@types/node}/package.json").map((path): unknown => JSON.parse(readText(path)));
  const lockfile: unknown = JSON.parse(readText("package-lock.json"));
  const markdown = texts(
    "{README,CONTRIBUTING,ARCHITECTURE,SECURITY}.md",
    "node_modules/{eslint,fast-check,undici}/README.md",
    "node_modules/undici/docs/docs/api/*.md",
  );
  return {
    ts_code: texts("src/{edits,messages,passes,stateless}/**/*.ts", "node_modules/@types/node/*.d.ts"),
    js_code: texts("node_modules/eslint/lib/{rules,linter}/*.js", "node_modules/fast-check/lib/*.js"),
    minified_js: spread(findFiles("node_modules/{eslint/lib/linter,undici/lib/core}/*.js")).map((path) => transformSync(readText(path), { minify: true }).code),
    json_pretty: [...manifests, ...apiRecords(random, 3), lockfile].map((value) => JSON.stringify(value, null, 2).slice(0, MOST_CHARS)),
    json_min: [...manifests, ...apiRecords(random, 3), lockfile].map((value) => JSON.stringify(value).slice(0, MOST_CHARS)),
    json_api_ids_numbers: [JSON.stringify(apiRecords(random, 60)), JSON.stringify(apiRecords(random, 40), null, 2)],
    english_markdown: markdown,
    english_prose: [written("english-prose"), ...markdown.map(proseOf)],
    html: [written("html")],
    cjk: ["chinese", "traditional-chinese", "japanese", "korean"].map(written),
    log_lines: [logLines(random, 300)],
    base64: [randomBase64(random, 20_000), wrapped(randomBase64(random, 6_000)), Buffer.from(written("english-prose")).toString("base64")],
    hex: [
      randomString(random, HEX, 10_000),
      Array.from({ length: 100 }, () => `${randomString(random, HEX, 64)}  dist/file.js`).join("\n"),
      hexDump(randomString(random, HEX, 6_000)),
    ],
  };
}

const UNFITTED_KINDS = ["python", "go", "yaml", "csv", "sql", "diff", "stack-traces", "russian", "arabic", "emoji"] as const;

/** Returns samples of kinds that no training text has. */
export function unfittedSamples(): Record<(typeof UNFITTED_KINDS)[number], string> {
  return Object.fromEntries(UNFITTED_KINDS.map((kind) => [kind, written(kind)])) as Record<(typeof UNFITTED_KINDS)[number], string>;
}

function written(name: string): string {
  return readText(`scripts/tokens/texts/${name}.txt`);
}

function texts(...patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => spread(findFiles(pattern)).map((path) => readText(path).slice(0, MOST_CHARS)));
}

/** Picks files evenly, from the first to the last. */
function spread(files: readonly string[]): string[] {
  const step = Math.max(1, files.length / MOST_FILES);
  return files.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}

/** The paragraphs of a Markdown text: no code, no headings, no tables, no links. */
function proseOf(markdown: string): string {
  return markdown
    .replace(/```.*?```/gs, "")
    .split("\n\n")
    .filter((paragraph) => /^[A-Z][^|<[`]+\.$/s.test(paragraph.trim()))
    .join("\n\n");
}

function wrapped(base64: string): string {
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

/** Formats as xxd does, without the characters. */
function hexDump(hex: string): string {
  return (hex.match(/.{32}/g) ?? []).map((line, row) => `${(row * 16).toString(16).padStart(8, "0")}: ${line.replace(/.{4}/g, "$& ")}`).join("\n");
}
