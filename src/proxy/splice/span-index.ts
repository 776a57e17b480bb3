import { isRecord } from "../../errors/is-record.ts";
import { equalJson } from "./equal-json.ts";
import type { Span } from "./json-spans.ts";
import type { Place } from "./place.ts";

/** How many values that look alike are compared: a hostile body could have thousands. */
const MOST_COMPARED = 4;
/** A block of a message is three levels deep, its contents a little deeper. */
const MOST_DEPTH = 6;

interface Known {
  readonly value: object;
  readonly place: Place;
  isUsed: boolean;
}

/** Finds objects and lists that were parsed from a text by their contents, and returns where they are in it. */
export class SpanIndex {
  readonly #byLooks = new Map<string, { readonly all: Known[]; next: number }>();

  add(value: object, place: Place): void {
    const looks = looksOf(value);
    const known: Known = { value, place, isUsed: false };
    const alike = this.#byLooks.get(looks);
    if (alike === undefined) this.#byLooks.set(looks, { all: [known], next: 0 });
    else alike.all.push(known);
  }

  /** Adds a value, and the objects and lists inside it. */
  addAll(value: unknown, place: Place, depth = 0): void {
    if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return;
    this.add(value, place);
    for (const [key, inner] of Object.entries(value)) this.addAll(inner, place.inner(key), depth + 1);
  }

  /** Returns where an equal value is: of several, the first that was not returned yet. */
  find(value: object): Span | undefined {
    const alike = this.#byLooks.get(looksOf(value));
    if (alike === undefined) return undefined;
    while (alike.all[alike.next]?.isUsed === true) alike.next++;
    const start = Math.min(alike.next, alike.all.length - 1);
    const found = alike.all.slice(start, start + MOST_COMPARED).find((known) => equalJson(known.value, value));
    if (found !== undefined) found.isUsed = true;
    return found?.place.span;
  }
}

const NAMES = ["role", "type", "id", "tool_use_id", "tool_call_id", "call_id", "name"];

/** Returns a text that is the same for equal values and rarely for others. It costs no more for a long value. */
function looksOf(value: object): string {
  if (Array.isArray(value)) return `[${value.length}${outlineOf(value[0])}${outlineOf(value.at(-1))}`;
  const { content, text } = value as Readonly<Record<string, unknown>>;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return `{${countOf(value)}${namesIn(value)}${outlineOf(text)}${outlineOf(content)}${outlineOf(first)}`;
}

function outlineOf(value: unknown): string {
  if (typeof value === "string") return `"${value.length}`;
  if (Array.isArray(value)) return `[${value.length}`;
  return isRecord(value) ? `{${namesIn(value)}` : typeof value;
}

function namesIn(value: object): string {
  let names = "";
  for (const name of NAMES) {
    const given = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof given === "string") names += `${given}|`;
  }
  return names;
}

function countOf(value: object): number {
  let count = 0;
  for (const key in value) if ((value as Readonly<Record<string, unknown>>)[key] !== undefined) count++;
  return count;
}
