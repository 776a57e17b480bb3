import { anchorOf, eachWord, includesBounded, ValueFinder } from "./value-finder.ts";

/** All that was said in one trajectory. */
export interface CorpusDocument {
  readonly task: string;
  readonly texts: readonly string[];
}

/** In more of the other tasks' documents than this share, a value says nothing of this task. */
const COMMON_SHARE = 0.02;

export interface DocumentFrequency {
  isCommon(value: string, task: string): boolean;
}

/** Values that are known beforehand are all looked for in one pass; others are looked for when they are asked for. */
export function createDocumentFrequency(documents: readonly CorpusDocument[], expected: readonly string[] = []): DocumentFrequency {
  const words = documents.map(({ texts }) => wordsIn(texts));
  const byWord = new Map<string, number[]>();
  for (const [number, own] of words.entries()) {
    for (const word of own) {
      const holders = byWord.get(word);
      if (holders === undefined) byWord.set(word, [number]);
      else holders.push(number);
    }
  }
  const holders = holdersOf(documents, expected);
  const candidatesFor = (value: string): readonly number[] => {
    const found = holders.get(value);
    if (found !== undefined) return found;
    const anchor = anchorOf(value)?.word;
    const candidates = anchor === undefined ? [] : (byWord.get(anchor) ?? []);
    if (anchor === value) return candidates;
    const parts = [...wordsIn([value])];
    return candidates.filter(
      (number) => parts.every((word) => words[number]?.has(word)) && documents[number]?.texts.some((text) => includesBounded(text, value)),
    );
  };
  const ofTask = new Map<string, number>();
  for (const { task } of documents) ofTask.set(task, (ofTask.get(task) ?? 0) + 1);
  const known = new Map<string, boolean>();

  const isCommon = (value: string, task: string): boolean => {
    const limit = COMMON_SHARE * (documents.length - (ofTask.get(task) ?? 0));
    return candidatesFor(value).filter((number) => documents[number]?.task !== task).length > limit;
  };

  return {
    isCommon(value, task) {
      const key = `${task}\n${value}`;
      let common = known.get(key);
      if (common === undefined) known.set(key, (common = isCommon(value, task)));
      return common;
    },
  };
}

/** The documents that have each of the values; of single words the index of words says it. */
function holdersOf(documents: readonly CorpusDocument[], expected: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const phrases = expected.filter((value) => anchorOf(value)?.word !== value);
  const finder = new ValueFinder(phrases);
  const holders = phrases.map((): number[] => []);
  for (const [number, { texts }] of documents.entries()) {
    for (const text of texts) {
      for (const phrase of finder.find(text).keys()) if (holders[phrase]?.at(-1) !== number) holders[phrase]?.push(number);
    }
  }
  return new Map(phrases.map((phrase, number) => [phrase, holders[number] ?? []]));
}

function wordsIn(texts: readonly string[]): Set<string> {
  const words = new Set<string>();
  for (const text of texts) eachWord(text, (word) => words.add(word));
  return words;
}
