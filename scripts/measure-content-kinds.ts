/**
 * What `src/passes/content` makes of the tool results of the corpus: their kinds, the share of tokens that `tidy` saves, and how many of
 * the lines that an agent refers to later a selection keeps, beside the head, and beside head and tail, of the same size.
 */
import { existsSync, globSync } from "node:fs";
import { basename, dirname } from "node:path";
import { loadTranscript } from "../src/formats/index.ts";
import { blocksOf, isText, isToolResult, isToolUse, resultText, type Message, type ToolUseBlock } from "../src/messages/message.ts";
import type { ContentHint, ContentKind } from "../src/content/content-kind.ts";
import { kindOf } from "../src/content/kind-of.ts";
import { select } from "../src/content/select.ts";
import { tidy } from "../src/content/tidy.ts";
import type { Unit } from "../src/content/unit.ts";
import { unitsOf } from "../src/content/units-of.ts";
import { estimateTokens } from "../src/tokens/estimate-tokens.ts";
import { CORPUS_FOLDER } from "../test/support/corpus-tool-results.ts";

interface Result {
  readonly source: string;
  readonly isTest: boolean;
  readonly kind: ContentKind;
  readonly tokens: number;
  readonly tidied: string;
  readonly tidiedTokens: number;
  /** Words of the result that the assistant wrote later. */
  readonly used: ReadonlySet<string>;
  /** Those of them that were nowhere before. */
  readonly usedFirst: ReadonlySet<string>;
}

/** Results that are smaller are never shortened. */
const SMALLEST = 200;
const SHARES: readonly number[] = [0.1, 0.25, 0.5];

type Policy = (units: readonly Unit[], maxTokens: number) => readonly number[];

const POLICIES: Readonly<Record<string, Policy>> = {
  "head only": (units, maxTokens) => headAndTail(units, maxTokens, 0),
  "head and tail": (units, maxTokens) => headAndTail(units, maxTokens, 0.5),
  select: (units, maxTokens) => select(units, (unit) => unit.weight, maxTokens).shown,
};

const results: Result[] = [];
if (!existsSync(CORPUS_FOLDER)) console.log(`No corpus in ${CORPUS_FOLDER}`);
for (const path of globSync(`${CORPUS_FOLDER}/*/*`).sort()) {
  const { trajectories } = await loadTranscript(path);
  for (const { log } of trajectories) results.push(...resultsOf(log, basename(dirname(path)), isInTestHalf(`${basename(dirname(path))}/${basename(path)}`)));
}
printTidied(
  "kind",
  Map.groupBy(results, ({ kind }) => kind),
);
printTidied(
  "source",
  Map.groupBy(results, ({ source }) => source),
);
for (const half of ["tune", "test"]) {
  const chosen = results.filter((result) => result.isTest === (half === "test") && result.tidiedTokens >= SMALLEST && result.used.size > 0);
  printKept(`${half} half`, chosen);
  if (half === "test") for (const [kind, ofKind] of Map.groupBy(chosen, (result) => result.kind)) printKept(`test half, ${kind}`, ofKind);
}

/** By FNV-1a of the file's folder and name. The weights were fitted to the other half. */
function isInTestHalf(name: string): boolean {
  let hash = 2166136261;
  for (const character of name) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0) % 2 === 1;
}

interface Event {
  readonly text: string;
  readonly isAssistant: boolean;
  readonly hint?: ContentHint;
}

function resultsOf(log: readonly Message[], source: string, isTest: boolean): Result[] {
  const events = eventsOf(log);
  const words = events.map(({ text }) => distinctiveWords(text));
  const firstAt = new Map<string, number>();
  const lastUsedAt = new Map<string, number>();
  for (const [index, found] of words.entries())
    for (const word of found) {
      if (!firstAt.has(word)) firstAt.set(word, index);
      if (events[index]?.isAssistant === true) lastUsedAt.set(word, index);
    }
  return events.flatMap(({ text, hint }, index) => {
    if (hint === undefined) return [];
    const kind = kindOf(text, hint);
    const tidied = tidy(text, kind);
    const used = new Set([...(words[index] ?? [])].filter((word) => (lastUsedAt.get(word) ?? -1) > index));
    const usedFirst = new Set([...used].filter((word) => firstAt.get(word) === index));
    return [{ source, isTest, kind, tokens: estimateTokens(text), tidied, tidiedTokens: estimateTokens(tidied), used, usedFirst }];
  });
}

function eventsOf(log: readonly Message[]): Event[] {
  const calls = new Map<string, ToolUseBlock>();
  return log.flatMap((message) =>
    blocksOf(message).flatMap((block): Event[] => {
      if (isText(block)) return [{ text: block.text, isAssistant: message.role === "assistant" }];
      if (isToolUse(block)) {
        calls.set(block.id, block);
        return [{ text: JSON.stringify(block.input), isAssistant: true }];
      }
      if (!isToolResult(block)) return [];
      const call = calls.get(block.tool_use_id);
      const hint = { tool: call?.name ?? "", input: call?.input, isError: block.is_error === true };
      return [{ text: resultText(block), isAssistant: false, hint }];
    }),
  );
}

/** Names of code, paths, ids, and numbers of three digits or more, but not those of lines. */
function distinctiveWords(text: string): Set<string> {
  const body = text.replaceAll(/^ *\d+(?:→|\t|: )/gm, "");
  const names = [...body.matchAll(/\w+/g)].map(([word]) => word).filter(isDistinctive);
  const paths = [...body.matchAll(/[\w.-]+(?:\/[\w.-]+)+/g)].map(([path]) => path.split("/").slice(-2).join("/"));
  return new Set([...names, ...paths]);
}

function isDistinctive(word: string): boolean {
  if (/^\d+$/.test(word)) return word.length >= 3;
  return word.length >= 5 && word.length <= 60 && /[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[A-Za-z]\d|\d[A-Za-z]/.test(word);
}

function printTidied(title: string, groups: ReadonlyMap<string, readonly Result[]>): void {
  console.log(`\n${title.padEnd(20)} results     tokens  saved by tidy`);
  for (const [name, group] of [...groups].sort()) {
    const tokens = sum(group.map((result) => result.tokens));
    const tidied = sum(group.map((result) => result.tidiedTokens));
    console.log(`${name.padEnd(20)} ${`${group.length}`.padStart(7)} ${`${tokens}`.padStart(10)}  ${percent(1 - tidied / tokens).padStart(13)}`);
  }
}

function printKept(title: string, group: readonly Result[]): void {
  console.log(`\n${title} (${group.length} results)`);
  console.log("of the tokens          lines with a used word   with a new one   used words shown   new ones shown");
  const prepared = group.map((result) => {
    const units = unitsOf(result.tidied, result.kind);
    return { result, units, words: units.map((unit) => distinctiveWords(unit.text)), tokens: sum(units.map((unit) => unit.tokens)) };
  });
  for (const share of SHARES)
    for (const [name, policy] of Object.entries(POLICIES)) {
      const kept = [0, 0, 0, 0];
      const all = [0, 0, 0, 0];
      const count = (column: number, isKept: boolean): void => {
        all[column] = (all[column] ?? 0) + 1;
        kept[column] = (kept[column] ?? 0) + Number(isKept);
      };
      for (const { result, units, words, tokens } of prepared) {
        const shown = new Set(policy(units, Math.floor(tokens * share)));
        const visible = new Set([...shown].flatMap((index) => [...(words[index] ?? [])]));
        for (const [index, found] of words.entries()) {
          if ([...found].some((word) => result.used.has(word))) count(0, shown.has(index));
          if ([...found].some((word) => result.usedFirst.has(word))) count(1, shown.has(index));
        }
        for (const word of result.used) count(2, visible.has(word));
        for (const word of result.usedFirst) count(3, visible.has(word));
      }
      const cells = kept.map((part, column) => percent(part / (all[column] ?? 1)).padStart(17));
      console.log(`${percent(share).padEnd(8)} ${name.padEnd(14)} ${cells.join("")}`);
    }
}

function headAndTail(units: readonly Unit[], maxTokens: number, tailShare: number): number[] {
  // The statement of the gap counts, as it does in a selection.
  const budget = maxTokens - 6;
  const head = takenFrom(units, [...units.keys()], budget * (1 - tailShare));
  const tail = takenFrom(units, [...units.keys()].reverse(), budget * tailShare);
  return [...new Set([...head, ...tail])];
}

function takenFrom(units: readonly Unit[], order: readonly number[], budget: number): number[] {
  let left = budget;
  const end = order.findIndex((index) => (left -= units[index]?.tokens ?? 0) < 0);
  return end < 0 ? [...order] : order.slice(0, end);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
