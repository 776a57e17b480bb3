import { invalid } from "../../errors/palimpsest-error.ts";
import { count } from "../../errors/parse-options.ts";
import type { ScriptedCall, SeenMessage, SeenRequest, Turn } from "../protocol.ts";
import { createRandom, readerQuestion } from "./reader-page.ts";

export interface ReaderOptions {
  /** Default 12. */
  readonly pages?: number;
  /** Default "read_page": takes `page`, returns `readerPage(page)`. */
  readonly readTool?: string;
  /** Default "open_vault": takes `page` and `key`. What it returns does not matter. */
  readonly openTool?: string;
  /** Default "recall": takes `handle` and `grep`, returns lines of the original. */
  readonly recallTool?: string;
  /** Matches the handle, as its first group, in a shortened result, or in the note above a call's line in a digest. */
  readonly handlePattern?: RegExp;
  /** Adds thinking before every call. Default false. */
  readonly thinks?: boolean;
}

type Parsed = Required<ReaderOptions>;

/** What was done, even if the view no longer shows it. */
interface Notes {
  readonly read: Set<number>;
  /** The keys that were tried, by page. */
  readonly opened: Map<number, string>;
  /** How often each call was made, by its JSON. */
  readonly asked: Map<string, number>;
}

/** A call that was made this often and never shown counts as done: the view hides it. */
const MOST_TRIES = 5;

/**
 * A model that reads pages, each with a key, and then opens a vault for every page, in another order. It takes a key only from the
 * request or from a recall; otherwise the key is "unknown". So its last answer is the same with and without compaction only if the
 * keys stayed visible or could be recalled. A reader serves one conversation, because it notes which calls were done.
 */
export function reader(options: ReaderOptions = {}): (request: SeenRequest) => Turn {
  const parsed: Parsed = {
    pages: 12,
    readTool: "read_page",
    openTool: "open_vault",
    recallTool: "recall",
    handlePattern: /\[recall handles?: ([a-z0-9]+)/,
    thinks: false,
    ...options,
  };
  if (!count.accepts(parsed.pages)) throw invalid("INVALID_OPTION", "options.pages", count.expected, parsed.pages);
  const notes: Notes = { read: new Set(), opened: new Map(), asked: new Map() };
  const pages = Array.from({ length: parsed.pages }, (_, index) => index + 1);
  const order = shuffled(pages);
  return (request) => {
    note(notes, request, parsed);
    const unread = pages.find((page) => !notes.read.has(page));
    if (unread !== undefined) return speak(parsed, notes, { name: parsed.readTool, input: { page: unread } });
    const closed = order.find((page) => !notes.opened.has(page));
    if (closed !== undefined) return speak(parsed, notes, open(parsed, notes, request, closed));
    return { text: `FINAL: ${pages.map((page) => notes.opened.get(page) ?? "unknown").join(", ")}` };
  };
}

/** Notes the calls that have a result in this request. A call without one may never have reached the agent. */
function note(notes: Notes, request: SeenRequest, { readTool, openTool }: Parsed): void {
  const answered = new Set(request.messages.flatMap(({ results }) => results.map(({ callId }) => callId)));
  for (const { id, name, input } of request.messages.flatMap(({ calls }) => calls)) {
    if (answered.has(id)) done(notes, { name, input }, { readTool, openTool });
  }
  for (const [json, times] of notes.asked) if (times >= MOST_TRIES) done(notes, JSON.parse(json) as SeenMessage["calls"][number], { readTool, openTool });
}

function done(
  notes: Notes,
  { name, input }: Pick<SeenMessage["calls"][number], "name" | "input">,
  { readTool, openTool }: Pick<Parsed, "readTool" | "openTool">,
): void {
  const page = pageOf(input);
  if (name === readTool) notes.read.add(page);
  if (name === openTool) notes.opened.set(page, typeof input === "object" && input !== null && "key" in input ? String(input.key) : "undefined");
}

function open({ openTool, recallTool, handlePattern, readTool }: Parsed, notes: Notes, request: SeenRequest, page: number): ScriptedCall {
  const key = shownKey(request, page);
  if (key !== undefined) return { name: openTool, input: { page, key } };
  const plain = new RegExp(handlePattern.source, handlePattern.flags.replace(/[gy]/g, ""));
  const handles = request.tools.includes(recallTool) ? [...shownHandles(request, page, readTool, plain), ...toldHandles(request, page, readTool, plain)] : [];
  const recalls = handles.map((handle): ScriptedCall => ({ name: recallTool, input: { handle, grep: readerQuestion(page) } }));
  const next = recalls.find((recall) => !wasAnswered(request, recall) && (notes.asked.get(JSON.stringify(recall)) ?? 0) < MOST_TRIES);
  return next ?? { name: openTool, input: { page, key: "unknown" } };
}

function shownKey({ messages }: SeenRequest, page: number): string | undefined {
  const pattern = new RegExp(`${readerQuestion(page)}: ([0-9a-f]{8})`);
  const texts = messages.flatMap(({ text, results }) => [text, ...results.map((result) => result.text)]);
  return texts.map((text) => pattern.exec(text)?.[1]).find((key) => key !== undefined);
}

/** Returns the handles in the newest result for the page. */
function shownHandles({ messages }: SeenRequest, page: number, readTool: string, pattern: RegExp): string[] {
  const ids = messages.flatMap(({ calls }) => calls.filter(({ name, input }) => name === readTool && pageOf(input) === page).map(({ id }) => id));
  const results = messages.flatMap((message) => message.results).filter(({ callId }) => ids.includes(callId));
  return results.flatMap(({ text }) => pattern.exec(text)?.[1] ?? []).slice(-1);
}

/** In a digest, the handle is above the line of the call, or above the line that only counts it. */
function toldHandles({ messages }: SeenRequest, page: number, readTool: string, pattern: RegExp): string[] {
  const told: string[] = [];
  const counted: string[] = [];
  for (const { text } of messages) {
    let handle: string | undefined;
    for (const line of text.split("\n")) {
      const noted = pattern.exec(line);
      if (noted?.index === 0) handle = noted[1];
      if (handle === undefined) continue;
      if (line.startsWith(`- ${readTool} `) && [...line.matchAll(/ page=(\d+)/g)].some(([, number]) => Number(number) === page)) told.push(handle);
      if (line.startsWith("Before, not told here: ") && line.includes(` ${readTool} `)) counted.push(handle);
    }
  }
  return [...told.reverse(), ...counted.reverse()];
}

function wasAnswered({ messages }: SeenRequest, { name, input }: ScriptedCall): boolean {
  const same = messages.flatMap(({ calls }) => calls).filter((call) => call.name === name && sameInput(call.input, input));
  return same.some(({ id }) => messages.some(({ results }) => results.some(({ callId }) => callId === id)));
}

function sameInput(found: unknown, input: ScriptedCall["input"]): boolean {
  return typeof found === "object" && found !== null && Object.entries(input).every(([name, value]) => (found as Record<string, unknown>)[name] === value);
}

function pageOf(input: unknown): number {
  return typeof input === "object" && input !== null && "page" in input ? Number(input.page) : NaN;
}

function speak({ thinks }: Parsed, notes: Notes, call: ScriptedCall): Turn {
  const json = JSON.stringify(call);
  notes.asked.set(json, (notes.asked.get(json) ?? 0) + 1);
  return { ...(thinks ? { thinking: `Next: ${call.name} ${JSON.stringify(call.input)}.` } : {}), calls: [call] };
}

/** Shuffles in a fixed order. */
function shuffled(pages: readonly number[]): readonly number[] {
  const random = createRandom(pages.length);
  return pages
    .map((page) => [random(), page] as const)
    .sort(([a], [b]) => a - b)
    .map(([, page]) => page);
}
