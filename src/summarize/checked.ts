import { guarded } from "../errors/guarded.ts";
import { callback, parseOptions, type Field } from "../errors/parse-options.ts";
import { invalid } from "../errors/palimpsest-error.ts";
import { parsePartHandle, type PartName } from "../passes/handle.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { extractive } from "./extractive.ts";
import { withName } from "./with-name.ts";
import { quotedIn } from "./wishes.ts";
import { parseSummaryInput } from "./parse-summary-input.ts";

/** Why a summary was not used. */
export const FALLBACK_REASONS = {
  failed: "The summarizer threw.",
  empty: "It gave no text, or only white space.",
  "too-long": "Its text is longer than what it summarizes, in characters or tokens.",
  "invented-handle": "Its text names a recall handle that is not in what it summarizes.",
  "id-missing": "Something that it was told to keep, and that is in what it summarizes, is not in its text.",
} as const;

export type FallbackReason = keyof typeof FALLBACK_REASONS;

export interface Fallback {
  readonly reason: FallbackReason;
  /** What was thrown, the handle, or what is missing; undefined where the reason says it all. */
  readonly detail: unknown;
}

export interface CheckOptions {
  /** Takes over where the summary is not used. Default: `extractive()`. */
  readonly fallback?: Summarizer;
  /** Texts that a summary must have if its input has them: ids, paths. What the instructions name in quotes or backticks is always among them. */
  readonly keep?: readonly string[];
  /** Hears why the fallback took over. It must not throw. */
  readonly onFallback?: (fallback: Fallback) => void;
}

type Input = Parameters<Summarizer>[0];

const summarizerField: Field<Summarizer> = callback("a summarizer");
const strings: Field<readonly string[]> = {
  expected: "an array of strings",
  accepts: (value): value is readonly string[] => Array.isArray(value) && value.every((item) => typeof item === "string"),
};
const FIELDS = {
  fallback: summarizerField,
  keep: strings,
  onFallback: callback<(fallback: Fallback) => void>("a function of a fallback"),
} as const;

/** In a call of a recall tool, or said in words: after the first, only what has the number of a part is surely one. */
const SAID =
  /\bhandles?["'`]?\s*[:=]\s*["'`[]{0,2}([a-z0-9]{1,8}(?:-\d{1,6}(?:(?:…|\.{2,3})-?\d{1,6})?)?(?![a-z0-9])(?:["'`]?[\s,]+["'`]?[a-z0-9]{1,8}-\d{1,6}(?:(?:…|\.{2,3})-?\d{1,6})?(?![a-z0-9]))*)/gi;
/** In what `noteOf` writes. */
const NOTED = /\[recall handles?: ([a-z0-9 .…-]+)\]/gi;
/** One name in such a list: of an original, of a part of it, or of several. */
const NAME = /[a-z0-9]+(?:-\d+(?:(?:…|\.{2,3})-?\d+)?)?/g;

/**
 * A summarizer whose answers are checked. One that fails the check is replaced by that of the fallback, below one line that says so
 * (where the input is so short that there is no room for the line, without it). What the caller aborts is thrown as it is.
 */
export function checked(summarizer: Summarizer, options: CheckOptions = {}): Summarizer {
  if (!summarizerField.accepts(summarizer)) throw invalid("INVALID_OPTION", "summarizer", summarizerField.expected, summarizer);
  const { fallback = extractive(), keep = [], onFallback } = parseOptions(options, "options", FIELDS);
  const ask: Summarizer = async (input) => {
    parseSummaryInput(input);
    const { summary, fault } = await answerOf(summarizer, input, keep);
    if (fault === undefined) return summary;
    onFallback?.(fault);
    return withNote(await fallback(lessNote(input, fault.reason)), input, fault.reason);
  };
  // Without a name of its own it has none here either: nothing tells it from others.
  return withName(guarded(ask, "input"), summarizer.name === "" ? "" : `checked ${JSON.stringify([summarizer.name, fallback.name, keep])}`);
}

const NOTE_HEAD = "[The summarizer's own answer was not used: ";

/** The line above a summary that is the fallback's. */
function fallbackNote(reason: FallbackReason): string {
  return `${NOTE_HEAD}${reason}. This is the fallback's.]`;
}

/** Does it say that the summarizer had no answer? It may have one when it is asked again. */
export function isFallback(summary: string): boolean {
  return summary.startsWith(NOTE_HEAD);
}

interface Answer {
  readonly summary: string;
  readonly fault: Fallback | undefined;
}

async function answerOf(summarizer: Summarizer, input: Input, keep: readonly string[]): Promise<Answer> {
  try {
    const summary: unknown = await summarizer(input);
    return typeof summary === "string" ? { summary, fault: faultOf(summary, input, keep) } : { summary: "", fault: EMPTY };
  } catch (error) {
    if (input.signal?.aborted === true) throw error;
    return { summary: "", fault: { reason: "failed", detail: error } };
  }
}

const EMPTY: Fallback = { reason: "empty", detail: undefined };

function faultOf(summary: string, { text, instructions }: Input, keep: readonly string[]): Fallback | undefined {
  if (summary.trim() === "") return EMPTY;
  if (summary.length > text.length || estimateTokens(summary) > estimateTokens(text)) return { reason: "too-long", detail: undefined };
  const known = new KnownHandles(handlesIn(text));
  const invented = handlesIn(summary).find((handle) => !known.has(handle));
  if (invented !== undefined) return { reason: "invented-handle", detail: invented };
  const missing = [...keep, ...quotedIn(instructions ?? "")].find((wanted) => text.includes(wanted) && !summary.includes(wanted));
  return missing === undefined ? undefined : { reason: "id-missing", detail: missing };
}

function handlesIn(text: string): readonly string[] {
  const lists = [SAID, NOTED].flatMap((pattern) => [...text.matchAll(pattern)].map(([, list = ""]) => list.toLowerCase()));
  return lists.flatMap((list) => list.match(NAME) ?? []);
}

/** What a text names: a range stands for each of its parts. */
class KnownHandles {
  readonly #whole = new Set<string>();
  readonly #parts = new Map<string, PartName[]>();

  constructor(names: readonly string[]) {
    for (const name of names) {
      const part = parsePartHandle(name);
      // Without the number of its part, a handle names all of the original.
      this.#whole.add(part?.handle ?? name);
      if (part !== undefined) this.#parts.set(part.handle, [...(this.#parts.get(part.handle) ?? []), part]);
    }
  }

  /** Is all of it named? Ranges that touch are one. */
  has(name: string): boolean {
    const asked = parsePartHandle(name);
    if (asked === undefined) return this.#whole.has(name);
    let next = asked.part;
    for (const { part, lastPart } of (this.#parts.get(asked.handle) ?? []).toSorted((a, b) => a.part - b.part)) {
      if (part <= next) next = Math.max(next, lastPart + 1);
    }
    return asked.part <= asked.lastPart && next > asked.lastPart;
  }
}

function lessNote(input: Input, reason: FallbackReason): Input {
  if (input.targetTokens === undefined) return input;
  return { ...input, targetTokens: Math.max(1, input.targetTokens - estimateTokens(`${fallbackNote(reason)}\n`)) };
}

function withNote(summary: string, { text }: Input, reason: FallbackReason): string {
  const noted = `${fallbackNote(reason)}\n${summary}`;
  return noted.length <= text.length && estimateTokens(noted) <= estimateTokens(text) ? noted : summary;
}
