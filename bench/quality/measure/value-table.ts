import type { Message } from "../../../src/messages/message.ts";
import { segmentsOf, unescaped, type SegmentKind } from "./segments.ts";
import { contextAt, isBoundAt, type SourceContext } from "./source-context.ts";
import { ValueFinder, type Hits } from "./value-finder.ts";

/** A value to be looked for in views, with what it was read in. */
export interface TrackedValue {
  readonly value: string;
  /** The log that it was read in: its own, or that of another task (for the control of chance). */
  readonly sources: "own" | readonly SourceContext[];
  readonly origin: SegmentKind;
}

const MAX_SOURCES = 48;

/** Finds the values in a text, and whether the words that they were read with are near them. Reads every text once. */
export class ValueTable {
  readonly values: readonly TrackedValue[];
  readonly #finder: ValueFinder;
  readonly #hits = new Map<string, Hits>();
  readonly #rawHits = new Map<string, Hits>();
  readonly #bound = new Map<string, Map<number, boolean>>();
  /** The texts of the log, and who brought them. */
  readonly #originals = new Map<string, SegmentKind>();
  readonly #holders = new Map<number, string[]>();
  readonly #sources = new Map<number, readonly SourceContext[]>();

  constructor(values: readonly TrackedValue[], log: readonly Message[]) {
    this.values = values;
    this.#finder = new ValueFinder(values.map(({ value }) => value));
    for (const { kind, text } of log.flatMap(segmentsOf)) {
      if (this.#originals.get(text) === undefined || kind === "tool") this.#originals.set(text, kind);
      for (const number of this.hitsIn(text).keys()) {
        const holders = this.#holders.get(number);
        if (holders === undefined) this.#holders.set(number, [text]);
        else if (holders.at(-1) !== text) holders.push(text);
      }
    }
  }

  hitsIn(text: string): Hits {
    let hits = this.#hits.get(text);
    if (hits === undefined) this.#hits.set(text, (hits = this.#finder.find(text)));
    return hits;
  }

  /** The same for a text that is not unescaped yet. */
  hitsInRaw(raw: string): Hits {
    let hits = this.#rawHits.get(raw);
    if (hits === undefined) this.#rawHits.set(raw, (hits = this.hitsIn(unescaped(raw))));
    return hits;
  }

  isBoundIn(text: string, number: number): boolean {
    const tracked = this.values[number];
    if (tracked === undefined) return false;
    const original = this.#originals.get(text);
    if (tracked.sources === "own" && original !== undefined && (original === "tool" || tracked.origin !== "tool")) return true;
    let known = this.#bound.get(text);
    if (known === undefined) this.#bound.set(text, (known = new Map()));
    let isBound = known.get(number);
    if (isBound === undefined) {
      const sources = this.sourcesOf(number);
      isBound =
        this.hitsIn(text)
          .get(number)
          ?.some((start) => isBoundAt(text, start, tracked.value.length, sources)) ?? false;
      known.set(number, isBound);
    }
    return isBound;
  }

  /** The first and the last places that a value was read at. */
  sourcesOf(number: number): readonly SourceContext[] {
    const tracked = this.values[number];
    if (tracked === undefined) return [];
    if (tracked.sources !== "own") return tracked.sources;
    let sources = this.#sources.get(number);
    if (sources === undefined) this.#sources.set(number, (sources = this.#readSources(number, tracked)));
    return sources;
  }

  #readSources(number: number, { value, origin }: TrackedValue): readonly SourceContext[] {
    const contexts = new Map<string, SourceContext>();
    for (const text of this.#holders.get(number) ?? []) {
      if (origin === "tool" && this.#originals.get(text) !== "tool") continue;
      const isJson = isJsonText(text);
      for (const start of this.hitsIn(text).get(number) ?? []) {
        const context = contextAt(text, start, value.length, isJson);
        contexts.set(`${context.words.join(" ")}|${context.keys.join(" ")}`, context);
      }
    }
    const all = [...contexts.values()];
    return all.length <= MAX_SOURCES ? all : [...all.slice(0, MAX_SOURCES / 2), ...all.slice(-MAX_SOURCES / 2)];
  }
}

/** Results that were unescaped do not parse any more; how they begin and end must do. */
function isJsonText(text: string): boolean {
  return /^\s*(?:\{\s*"|\[\s*[[{"\d])/.test(text) && /[\]}]\s*$/.test(text);
}
