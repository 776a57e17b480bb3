import { string, type Field } from "../errors/parse-options.ts";
import { isText, isThinking, isToolResult, isToolUse, type Block } from "../messages/message.ts";
import { asBlocks, shownContent, type CommitContent } from "./commit-content.ts";

/** A longer "word" is data; it is indexed by its beginning. */
const MAX_WORD = 40;

const IDEOGRAPH = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;

const LETTER = String.raw`[[\p{L}\p{M}\p{N}]--${IDEOGRAPH}]`;

/**
 * A run of letters and digits is a word. Scripts without spaces are indexed character by character.
 * The engine stores a backtracking point for each repetition: the limit keeps a run of 20 MB from using up its stack.
 */
const WORDS = new RegExp(`${IDEOGRAPH}|(?<!${LETTER})${LETTER}{1,${MAX_WORD}}`, "gv");

/** Returns the words that a search finds the commit by: lower-case, each once. */
export function searchWords(content: CommitContent): string[] {
  return [...new Set(wordsIn(asBlocks(shownContent(content)).flatMap(textsOf).join("\n")))];
}

/** Requires a word: without one, everything would be found. */
export const searchedText: Field<string> = {
  expected: "text with a word in it: letters or digits",
  accepts: (value): value is string => string.accepts(value) && queryWords(value).length > 0,
};

/** Returns the words that must all be there. One that ends in `*` is a prefix. */
export function queryWords(text: string): string[] {
  const words = text.split(/\s+/u).flatMap((part) => {
    const found = wordsIn(part);
    const last = found.pop();
    return last === undefined ? found : [...found, part.endsWith("*") ? `${last}*` : last];
  });
  return [...new Set(words)];
}

function wordsIn(text: string): string[] {
  return text.normalize("NFKC").toLowerCase().match(WORDS) ?? [];
}

/** Returns all text in a block; files are not searched. */
function textsOf(block: Block): string[] {
  if (isText(block)) return [block.text];
  if (isToolUse(block)) return [block.name, ...stringsIn(block.input)];
  if (isToolResult(block)) return asBlocks(block.content ?? "").flatMap(textsOf);
  if (!isThinking(block)) return [];
  const { thinking } = block as { readonly thinking?: unknown };
  return typeof thinking === "string" ? [thinking] : [];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [`${value}`];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...(Array.isArray(value) ? [] : [key]), ...stringsIn(inner)]);
}
