import { leavesOf } from "./segments.ts";

const URLS = /https?:\/\/[^\s"'`<>(){}[\]|\\^]+/g;
const EMAILS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
const UUIDS = /\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b/g;
const PATHS = /(?:(?<![\w./-])(?:~|\.{1,2})?\/)?[\w.@+-]+(?:\/[\w.@+-]+)+|(?<![\w./<-])\/[\w.@+-]{2,}/g;
const EXTENSIONS =
  "tsx?|jsx?|mjs|cjs|json|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|md|rst|txt|csv|tsv|html?|css|scss|xml|svg|png|jpe?g|gif|pdf|xlsx?|docx?|pptx?|zip|gz|tar|log|sql|db|py|ipynb|go|mod|sum|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|sh|bash|zsh|ps1|pony|lua|tf|proto|graphql|vue|svelte|eval|diff|patch";
const FILES = new RegExp(String.raw`[\w@+-][\w.@+-]*\.(?:${EXTENSIONS})(?![\w])`, "g");
const WORDS = /\w+/g;
const NUMBERS = /(?<![\w.])\d{3,}(?:\.\d+)?(?!\w)/g;

const isHex = (word: string): boolean => word.length >= 7 && word.length <= 40 && /^[0-9a-fA-F]+$/.test(word) && /\d/.test(word) && /[a-fA-F]/.test(word);
const isMixedId = (word: string): boolean => word.length >= 5 && word.length <= 40 && /\d/.test(word) && /[A-Za-z]/.test(word);
const isIdentifier = (word: string): boolean =>
  word.length >= 6 && word.length <= 80 && /[A-Za-z]/.test(word) && (/[A-Za-z0-9]_+[A-Za-z0-9]/.test(word) || /[a-z][A-Z]/.test(word));

/** Arguments that must repeat what was read, byte by byte. */
const VERBATIM_KEYS = /^(?:old(?:_?(?:str|string|text|content|code|lines?))?|search(?:_?(?:str|string|text|block))?|find(?:_?text)?|original(?:_?text)?)$/i;
const MAX_LINE_CHARS = 400;

/** What the text names, in the words of the definition: links, addresses, ids, paths, files, identifiers, numbers. */
export function valuesInText(text: string): Set<string> {
  const values = new Set<string>();
  const add = (found: string): void => {
    const value = found.replace(/[.,;:!?]+$/, "");
    if (value.length >= 3) values.add(value);
  };
  for (const [url] of text.matchAll(URLS)) add(url);
  const rest = text.replaceAll(URLS, " ");
  for (const pattern of [EMAILS, UUIDS, PATHS, FILES, NUMBERS]) for (const [found] of rest.matchAll(pattern)) add(found);
  for (const [word] of text.matchAll(WORDS)) if (isHex(word) || isMixedId(word) || isIdentifier(word)) values.add(word);
  return values;
}

/** The values of a call's arguments: what their texts name, whole scalars, and the lines that an edit repeats. */
export function valuesInArguments(input: unknown): Set<string> {
  const values = new Set<string>();
  for (const { key, value } of leavesOf(input)) {
    if (typeof value === "number") {
      if (/\d{3}/.test(String(value))) values.add(String(value));
      continue;
    }
    for (const found of valuesInText(value)) values.add(found);
    const whole = value.trim();
    if (whole.length >= 4 && whole.length <= 120 && !whole.includes("\n")) values.add(whole);
    for (const line of verbatimLines(key, value)) values.add(line);
  }
  return values;
}

function verbatimLines(key: string, text: string): string[] {
  const lines = VERBATIM_KEYS.test(key) ? text.split("\n") : [...patchedLines(text), ...searchBlocks(text)];
  return lines.map((line) => line.trim()).filter((line) => line.length >= 12 && line.length <= MAX_LINE_CHARS);
}

/** Of a patch: the lines that must be in the file already. */
function patchedLines(text: string): string[] {
  if (!/^(?:\*\*\* Update File:|@@)/m.test(text)) return [];
  const lines = text.split("\n");
  const first = lines.findIndex((line) => line.startsWith("@@"));
  return first === -1 ? [] : lines.slice(first).flatMap((line) => (/^[- ](?!--)/.test(line) ? [line.slice(1)] : []));
}

function searchBlocks(text: string): string[] {
  return [...text.matchAll(/^<{5,} ?SEARCH\n([\s\S]*?)^={5,}$/gm)].flatMap(([, block = ""]) => block.split("\n"));
}
