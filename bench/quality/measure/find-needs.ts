import { blocksOf, isText, isToolUse } from "../../../src/messages/message.ts";
import type { DocumentFrequency } from "./document-frequency.ts";
import { valuesInArguments, valuesInText } from "./extract-values.ts";
import type { Recording } from "./recording.ts";
import { segmentsOf, unescaped, type SegmentKind } from "./segments.ts";
import { ValueFinder } from "./value-finder.ts";

/** A value that the recorded agent used at a step and had seen before. */
export interface Need {
  readonly value: string;
  /** Where it was first seen. */
  readonly origin: SegmentKind;
  /** Values used in calls are the headline; values in text are secondary. */
  readonly usedIn: "call" | "text";
  /** Only tool results have it, none of them among the newest. */
  readonly atRisk: boolean;
  /** Only tool results have it, one of the newest among them: cutting on arrival may lose it. */
  readonly fresh: boolean;
  /** How many decisions ago a tool result last showed it; 1: the one before this decision. */
  readonly decisionsBack: number;
}

export interface StepNeeds {
  /** The position of the assistant's message; the messages before it are the log of this call. */
  readonly position: number;
  readonly needs: readonly Need[];
}

/** A value is at risk once it was read at least this many decisions ago. */
const AT_RISK_DECISIONS = 2;

interface Sightings {
  readonly origin: SegmentKind;
  /** The messages that have it, in order. */
  readonly messages: number[];
  readonly results: number[];
  firstSpoken: number;
}

export function findNeeds(recording: Recording, frequency: DocumentFrequency): readonly StepNeeds[] {
  const { log, task, system } = recording;
  const used = log.map((message, position) => (message.role === "assistant" && position > 0 ? valuesUsedBy(recording, position) : undefined));
  const values = [...new Set(used.flatMap((step) => (step === undefined ? [] : [...step.keys()])))];
  const sightings = sightingsOf(recording, values);
  const numberOf = new Map(values.map((value, number) => [value, number]));
  const decisionsBefore = countDecisions(recording);

  return used.flatMap((step, position) => {
    if (step === undefined) return [];
    const needs: Need[] = [];
    for (const [value, usedIn] of step) {
      const seen = sightings[numberOf.get(value) ?? -1];
      if (seen === undefined || (seen.messages[0] ?? Infinity) >= position) continue;
      const earlier = countBelow(seen.messages, position);
      if (earlier > (position + (system === "" ? 0 : 1)) / 2 || frequency.isCommon(value, task)) continue;
      const lastResult = seen.results[countBelow(seen.results, position) - 1];
      const isOnlyInResults = seen.origin === "tool" && seen.firstSpoken >= position && lastResult !== undefined;
      const decisionsBack = lastResult === undefined ? Infinity : (decisionsBefore[position] ?? 0) - (decisionsBefore[lastResult] ?? 0) + 1;
      const atRisk = isOnlyInResults && decisionsBack > AT_RISK_DECISIONS;
      needs.push({ value, origin: seen.origin, usedIn, atRisk, fresh: isOnlyInResults && !atRisk, decisionsBack });
    }
    return [{ position, needs }];
  });
}

/** Returns all values that the agent used, to look up how common they are. */
export function valuesUsedIn(recording: Recording): ReadonlySet<string> {
  const values = new Set<string>();
  for (const [position, { role }] of recording.log.entries()) {
    if (role === "assistant" && position > 0) for (const value of valuesUsedBy(recording, position).keys()) values.add(value);
  }
  return values;
}

function valuesUsedBy({ log }: Recording, position: number): Map<string, "call" | "text"> {
  const used = new Map<string, "call" | "text">();
  const message = log[position];
  const blocks = message === undefined ? [] : blocksOf(message);
  for (const block of blocks.filter(isToolUse)) for (const value of valuesInArguments(block.input)) used.set(value, "call");
  for (const block of blocks.filter(isText)) for (const value of valuesInText(unescaped(block.text))) if (!used.has(value)) used.set(value, "text");
  return used;
}

function sightingsOf({ log, system }: Recording, values: readonly string[]): readonly (Sightings | undefined)[] {
  const finder = new ValueFinder(values);
  const found = new Array<Sightings | undefined>(values.length);
  const note = (number: number, kind: SegmentKind, position: number): void => {
    const seen = (found[number] ??= { origin: kind, messages: [], results: [], firstSpoken: Infinity });
    if (seen.messages.at(-1) !== position) seen.messages.push(position);
    if (kind === "tool" && seen.results.at(-1) !== position) seen.results.push(position);
    if (kind !== "tool" && position < seen.firstSpoken) seen.firstSpoken = position;
  };
  for (const number of finder.find(unescaped(system)).keys()) note(number, "prompt", -1);
  for (const [position, message] of log.entries()) {
    for (const { kind, text } of segmentsOf(message)) for (const number of finder.find(text).keys()) note(number, kind, position);
  }
  return found;
}

/** Counts the assistant's messages before each position. */
function countDecisions({ log }: Recording): readonly number[] {
  let count = 0;
  return log.map(({ role }) => (role === "assistant" ? count++ : count));
}

/** Counts the numbers of an ascending list below the limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? Infinity) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
