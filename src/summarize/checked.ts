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
  empty: "It returned no text, or only white space.",
  "too-long": "Its text is longer than its input, in characters or tokens.",
  "invented-handle": "Its text names a recall handle that is not in its input.",
  "id-missing": "Its text lacks something that it was told to keep and that is in its input.",
} as const;

export type FallbackReason = keyof typeof FALLBACK_REASONS;

export interface Fallback {
  readonly reason: FallbackReason;
  /** The thrown error, the handle, or the missing text; undefined if the reason is enough. */
  readonly detail: unknown;
}

export interface CheckOptions {
  /** Used if the summary fails the check. Default: `extractive()`. */
  readonly fallback?: Summarizer;
  /** Texts that a summary must contain if its input does, such as ids and paths. Text in quotes or backticks in the instructions is always included. */
  readonly keep?: readonly string[];
  /** Called with the reason why the fallback is used. It must not throw. */
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

/** Handles in a call of a recall tool, or in prose. After the first, only names with a part number are certain to be handles. */
const SAID =
  /\bhandles?["'`]?\s*[:=]\s*["'`[]{0,2}([a-z0-9]{1,8}(?:-\d{1,6}(?:(?:…|\.{2,3})-?\d{1,6})?)?(?![a-z0-9])(?:["'`]?[\s,]+["'`]?[a-z0-9]{1,8}-\d{1,6}(?:(?:…|\.{2,3})-?\d{1,6})?(?![a-z0-9]))*)/gi;
/** Handles in the notes of `noteOf`. */
const NOTED = /\[recall handles?: ([a-z0-9 .…-]+)\]/gi;
/** One name in such a list: an original, a part of it, or a range of parts. */
const NAME = /[a-z0-9]+(?:-\d+(?:(?:…|\.{2,3})-?\d+)?)?/g;

/**
 * Returns a summarizer whose answers are checked. An answer that fails the check is replaced by the fallback's, below one line that says
 * so (or without that line, if the input is too short for it). An abort by the caller is rethrown.
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
  // A summarizer without a name stays without one: it cannot be told from others.
  return withName(guarded(ask, "input"), summarizer.name === "" ? "" : `checked ${JSON.stringify([summarizer.name, fallback.name, keep])}`);
}

const NOTE_HEAD = "[The summarizer's own answer was not used: ";

/** Returns the line above a summary by the fallback. */
function fallbackNote(reason: FallbackReason): string {
  return `${NOTE_HEAD}${reason}. This is the fallback's.]`;
}

/** Says whether the summary is the fallback's. The summarizer may have an answer when asked again. */
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

/** The handles that a text names; a range stands for each of its parts. */
class KnownHandles {
  readonly #whole = new Set<string>();
  readonly #parts = new Map<string, PartName[]>();

  constructor(names: readonly string[]) {
    for (const name of names) {
      const part = parsePartHandle(name);
      // Without a part number, a handle names the whole original.
      this.#whole.add(part?.handle ?? name);
      if (part !== undefined) this.#parts.set(part.handle, [...(this.#parts.get(part.handle) ?? []), part]);
    }
  }

  /** Says whether the text names all of it. Adjacent ranges are merged. */
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
