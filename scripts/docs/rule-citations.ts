/** Finds where provider rules are cited, and which checks report them. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Citation {
  readonly rule: string;
  /** "src/edits/blank.ts:4" */
  readonly at: string;
}

const CITED_IN = ["{src,test,docs,bench,examples,scripts}/**/*.{ts,md,mjs}", "*.md"];
/** Not searched: files that list every rule, and character tables that look like rules. */
const NOT_READ = [
  /(^|\/)node_modules\//,
  /^src\/messages\/rules\/table\//,
  /^docs\/provider-rules\.md$/,
  /^scripts\/docs\//,
  /^test\/docs-checks\.test\.ts$/,
  /^src\/tokens\/fitted-characters\.ts$/,
];

/** "A2.1", "C10"; not part of a word, an escape, a hash or a path. */
const RULE = /(?<![\w\\+./#-])[A-E]\d{1,2}(?:\.\d{1,2})?(?![\w-])/g;
/** "A3.1–A3.3", "A2.15 to A2.18": includes all rules between. */
const RANGE = /(?<![\w\\+./#-])([A-E]\d{1,2}\.|[A-E])(\d{1,2})(?:–| to )\1(\d{1,2})(?!\w)/g;
/** Terms of terminals and shells that look like rules. */
const NO_RULES = /\bC1 controls\b|\bls -A1\b/g;

/** Returns every citation below `root`. */
export function citations(root: string): Citation[] {
  return globSync(CITED_IN, { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !NOT_READ.some((pattern) => pattern.test(file)))
    .sort()
    .flatMap((file) => citationsIn(readFileSync(join(root, file), "utf8"), file));
}

export function citationsIn(text: string, file: string): Citation[] {
  return text.split("\n").flatMap((line, number) => {
    const at = `${file}:${number + 1}`;
    const read = line.replace(NO_RULES, "");
    const named = [...read.matchAll(RULE)].map(([rule]) => rule);
    const between = [...read.matchAll(RANGE)].flatMap(([, group = "", from, to]) => numbersBetween(Number(from), Number(to)).map((part) => `${group}${part}`));
    return [...new Set([...named, ...between])].map((rule) => ({ rule, at }));
  });
}

function numbersBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** The sources that report findings, with names for readers. */
const CHECKS: readonly (readonly [name: string, files: string])[] = [
  ["`checkMessages`", "src/messages/rules/*.ts"],
  ["`openaiChat.check`", "src/formats/openai-chat/check-chat.ts"],
  ["`openaiResponses.check`", "src/formats/openai-responses/check-responses.ts"],
  ["`aiSdk.check`", "src/formats/ai-sdk/check-ai-sdk.ts"],
  ["the provider double", "src/testing/{anthropic,openai,server}/**/*.ts"],
];

const COMMENT = /^\s*(\/\*\*|\*|\/\/)/;
const QUOTED = /"([A-E]\d{1,2}(?:\.\d{1,2})?)"/g;

/** Returns the names of the checks that report each rule: those whose sources contain its number as a string. */
export function reportedBy(root: string): ReadonlyMap<string, readonly string[]> {
  const checks = new Map<string, string[]>();
  for (const [name, files] of CHECKS) {
    const sources = globSync(files, { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
    if (sources.length === 0) throw new Error(`${files}: no such file. scripts/docs/rule-citations.ts says where ${name} is`);
    const lines = sources.flatMap((file) => readFileSync(join(root, file), "utf8").split("\n"));
    const rules = lines.filter((line) => !COMMENT.test(line)).flatMap((line) => [...line.matchAll(QUOTED)]);
    for (const [, rule = ""] of rules) {
      const known = checks.get(rule) ?? [];
      if (!known.includes(name)) checks.set(rule, [...known, name]);
    }
  }
  return checks;
}
