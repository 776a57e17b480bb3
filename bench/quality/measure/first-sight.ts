import { blocksOf, isToolResult, resultText, type Message, type ToolResultBlock } from "../../../src/messages/message.ts";
import { readRecords, type FoundRecords } from "./read-records.ts";
import type { TokensOfBlock } from "./token-counters.ts";

/** Results below this must be seen whole once, whatever the preset. */
const SMALL_TOKENS = 2_000;

export interface FirstSight {
  /** New small results at this call, and how many of them are shown whole. */
  readonly whole: { readonly found: number; readonly asked: number };
  /** Lists of records among them: can count, sum, maximum and one field of each record be computed from what is shown? */
  readonly lists: { readonly found: number; readonly asked: number };
}

/** Measures how a view shows the results since the previous call. */
export function firstSightOf(view: readonly Message[], log: readonly Message[], from: number, to: number, tokensOf: TokensOfBlock): FirstSight {
  const whole = { found: 0, asked: 0 };
  const lists = { found: 0, asked: 0 };
  const untouched = new Set(view);
  for (let position = from; position < to; position++) {
    const message = log[position];
    if (message === undefined) continue;
    const results = blocksOf(message).filter(isToolResult);
    if (results.length === 0) continue;
    for (const result of results) {
      const text = resultText(result);
      if (text.trim() === "" || tokensOf(result) >= SMALL_TOKENS) continue;
      // Ids repeat: the newest result with it is the one that came in.
      const shown = untouched.has(message) ? text : shownText(view, result.tool_use_id);
      whole.asked++;
      if (shown === text || (shown !== undefined && saysAll(text, shown))) whole.found++;
      const records = readRecords(text);
      if (records === undefined) continue;
      lists.asked++;
      if (shown === text || (shown !== undefined && givesSame(records, readRecords(shown)))) lists.found++;
    }
  }
  return { whole, lists };
}

function shownText(view: readonly Message[], id: string): string | undefined {
  for (let number = view.length - 1; number >= 0; number--) {
    const message = view[number];
    const found =
      message === undefined ? undefined : blocksOf(message).find((block): block is ToolResultBlock => isToolResult(block) && block.tool_use_id === id);
    if (found !== undefined) return resultText(found);
  }
  return undefined;
}

/** Text that a terminal does not show: colours, and text overwritten after a carriage return. */
// eslint-disable-next-line no-control-regex -- these are what it looks for
const NOT_SHOWN = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[^\n]*\r(?!\n)/g;

/** Says whether the shown text has every word of the original, and no mark of a cut. */
function saysAll(text: string, shown: string): boolean {
  if (/\[… \d+ [^\]]*cut\]/.test(shown) && !/\[… \d+ [^\]]*cut\]/.test(text)) return false;
  const words = new Set(wordsOf(shown));
  return wordsOf(text.replaceAll(NOT_SHOWN, "")).every((word) => words.has(word));
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+/gu) ?? [];
}

/** The answers to four questions about a list. */
function givesSame(all: FoundRecords, shown: FoundRecords | undefined): boolean {
  if (shown === undefined || shown.records.length !== all.records.length) return false;
  return all.fields.every((field) => {
    const [expected, found] = [all, shown].map(({ records }) => records.map((record) => record[field] ?? ""));
    if (expected === undefined || found === undefined || expected.some((value, number) => value !== found[number])) return false;
    const [ours, theirs] = [expected, found].map((values) => values.map(Number).filter(Number.isFinite));
    return sum(ours ?? []) === sum(theirs ?? []) && Math.max(...(ours ?? [])) === Math.max(...(theirs ?? []));
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
