import { blocksOf, isText, isThinking, isToolUse, type Block, type Message } from "../../messages/message.ts";
import { beginningOf } from "../../messages/beginning-of.ts";
import { labelledWords } from "../../messages/words-in.ts";
import { MARKS, quoteLines, quoteName } from "../../text/quote.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";

/** The assistant's words in a turn are kept whole up to this many tokens. */
const SAID_TOKENS = 150;
/** Longer ones keep their first and last sentences, up to this many tokens each. */
const END_TOKENS = SAID_TOKENS / 2;
/** How far from the start and the end to look for sentences. */
const LOOK_CHARS = 1_200;
/** A sentence longer than this is cut. */
const SENTENCE_CHARS = 300;

/** Returns what the assistant said in a message, each line after `=`, without calls and thinking. */
export function saidLines(message: Message): string[] {
  const words = blocksOf(message).flatMap(spokenWords).join("\n").trim();
  if (words === "") return [];
  const tokens = estimateTokens(words);
  if (tokens <= SAID_TOKENS) return marked(words);
  const first = headSentences(words.slice(0, LOOK_CHARS));
  const last = tailSentences(words.slice(-LOOK_CHARS));
  const left = tokens - estimateTokens(first) - estimateTokens(last);
  return left <= 0 || first.length + last.length >= words.length ? marked(words) : [...marked(first), `[… ${left} tokens left out]`, ...marked(last)];
}

/** Returns the questions of a message that its lines do not show. */
export function hiddenQuestions(message: Message, lines: readonly string[]): string[] {
  const shown = lines.join("\n");
  const asked = blocksOf(message).flatMap((block) => (isText(block) ? sentencesOf(block.text) : [])).map((sentence) => sentence.trim()); // prettier-ignore
  return asked.filter((sentence) => sentence.endsWith("?") && sentence.length <= SENTENCE_CHARS && !shown.includes(sentence)).flatMap(marked);
}

/** Returns the text of any block but thinking and calls, including refusals, audio and generated images. */
function spokenWords(block: Block): string[] {
  if (isText(block)) return [block.text];
  return isToolUse(block) || isThinking(block) ? [] : [labelledWords(block, quoteName(block.type))];
}

function marked(words: string): string[] {
  return quoteLines(MARKS.assistant, words)
    .split("\n")
    .map((line) => line.trimEnd())
    .filter((line) => line.length > 1);
}

function headSentences(text: string): string {
  const sentences = sentencesOf(text);
  let end = 0;
  let tokens = 0;
  for (const sentence of sentences) {
    tokens += estimateTokens(sentence);
    if (tokens > END_TOKENS) break;
    end += sentence.length;
  }
  return end === 0 ? `${beginningOf(text, SENTENCE_CHARS)}…` : text.slice(0, end).trimEnd();
}

function tailSentences(text: string): string {
  // The first may be the end of an earlier sentence.
  const sentences = sentencesOf(text).slice(1);
  let start = text.length;
  let tokens = 0;
  for (const sentence of sentences.reverse()) {
    tokens += estimateTokens(sentence);
    if (tokens > END_TOKENS) break;
    start -= sentence.length;
  }
  return start === text.length ? `…${tailOf(text, SENTENCE_CHARS)}` : text.slice(start).trimStart();
}

/** Splits a text into sentences, with the whitespace between them. */
function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?:]\s|\n)(?=\S)/);
}

function tailOf(text: string, characters: number): string {
  const tail = text.slice(-characters);
  const first = tail.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? tail.slice(1) : tail;
}
