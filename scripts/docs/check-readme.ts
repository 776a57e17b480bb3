/** Limits the length of the README, its lines and its sentences. Code, tables and lists of links are not prose. */
import { linesWithoutCode } from "./markdown.ts";

export interface ProseLimits {
  readonly maxLines: number;
  readonly maxCharactersPerLine: number;
  readonly maxWordsPerSentence: number;
}

export function proseFaults(text: string, page: string, limits: ProseLimits): string[] {
  const lines = text.replace(/\n$/, "").split("\n");
  const prose = linesWithoutCode(text);
  const tooLong = lines.length > limits.maxLines ? [`${page}: ${lines.length} lines; at most ${limits.maxLines}`] : [];
  const longLines = prose.flatMap((line, number) => {
    const { length } = readable(line);
    return !isTable(line) && !isComment(line) && length > limits.maxCharactersPerLine
      ? [`${page}:${number + 1}: ${length} characters; at most ${limits.maxCharactersPerLine}`]
      : [];
  });
  const longSentences = sentencesOf(prose).flatMap(({ words, line, start }) =>
    words > limits.maxWordsPerSentence ? [`${page}:${line}: a sentence of ${words} words ("${start} …"); at most ${limits.maxWordsPerSentence}`] : [],
  );
  return [...tooLong, ...longLines, ...longSentences];
}

interface Sentence {
  readonly words: number;
  /** The first line of its paragraph. */
  readonly line: number;
  readonly start: string;
}

function sentencesOf(lines: readonly string[]): Sentence[] {
  return paragraphsOf(lines).flatMap(({ text, line }) =>
    text.split(/(?<=[.!?:;][)"'*_]*)\s+(?=["'(*_[]*[\p{Lu}\d]|`)/u).map((sentence) => {
      const words = sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
      return { words: words.length, line, start: words.slice(0, 5).join(" ") };
    }),
  );
}

function paragraphsOf(lines: readonly string[]): { readonly text: string; readonly line: number }[] {
  const paragraphs: { text: string; line: number }[] = [];
  let isOpen = false;
  for (const [number, line] of lines.entries()) {
    const isProse = line.trim() !== "" && !isTable(line) && !/^\s*(#|<)/.test(line);
    if (!isProse) isOpen = false;
    else {
      const last = paragraphs.at(-1);
      const text = readable(line.replace(/^\s*(?:[-*+]|\d+\.|>)\s+/, ""));
      if (isOpen && last !== undefined && !/^\s*(?:[-*+]|\d+\.)\s/.test(line)) last.text += ` ${text}`;
      else paragraphs.push({ text, line: number + 1 });
      isOpen = true;
    }
  }
  return paragraphs;
}

function isTable(line: string): boolean {
  return /^\s*\|/.test(line);
}

function isComment(line: string): boolean {
  return /^<!--.*-->$/.test(line);
}

/** Returns the visible text: links without their addresses. */
function readable(line: string): string {
  return line.replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1");
}
