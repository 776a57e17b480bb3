import type { Message } from "../../messages/message.ts";
import { noteOf, partHandle, partRange, RECALL } from "../../passes/handle.ts";
import { originalParts } from "../../passes/original-parts.ts";
import { textOfMessages } from "../../stateless/original-text.ts";
import type { Digestible } from "../digestible.ts";

/** More runs of parts than this are written as one range. */
const MOST_RUNS = 2;

/** Marks in which parts of a digest's original something is: `[3]`, `[3…7]`. */
export class PartMarks {
  readonly #handle: string;
  readonly #count: number;
  /** The part, from 1, in which each position of the stretch begins; `#last`: in which it ends. */
  readonly #first: number[] = [];
  readonly #last: number[] = [];
  readonly #from: number;

  constructor(handle: string, log: readonly Message[], { from, to }: Digestible) {
    const { text, starts } = textOfMessages(log, from, to);
    const parts = originalParts(text);
    this.#handle = handle;
    this.#from = from;
    this.#count = parts.length;
    let first = 0;
    let last = 0;
    for (const [offset, start] of starts.entries()) {
      const end = starts[offset + 1] ?? text.length;
      while (first + 1 < parts.length && (parts[first]?.to ?? 0) <= start) first++;
      last = Math.max(last, first);
      while (last + 1 < parts.length && (parts[last + 1]?.from ?? 0) < end) last++;
      this.#first.push(first + 1);
      this.#last.push(last + 1);
    }
  }

  /** Returns the mark of these stretches of messages together; "" if the original has only one part. */
  of(stretches: readonly Digestible[]): string {
    if (this.#count < 2 || stretches.length === 0) return "";
    const runs: [number, number][] = [];
    const spans = stretches.map(({ from, to }): [number, number] => [this.#first[from - this.#from] ?? 1, this.#last[to - 1 - this.#from] ?? this.#count]);
    for (const [first, last] of spans.sort(([a], [b]) => a - b)) {
      const run = runs.at(-1);
      if (run !== undefined && first <= run[1] + 1) run[1] = Math.max(run[1], last);
      else runs.push([first, last]);
    }
    const told = runs.length > MOST_RUNS ? [[runs[0]?.[0] ?? 1, runs.at(-1)?.[1] ?? 1] as const] : runs;
    return ` [${told.map(([first, last]) => (first === last ? `${first}` : `${first}…${last}`)).join(", ")}]`;
  }

  /** Returns how the model gets the original back: the exact call, and the note in its usual form. */
  howToRecall(): { readonly words: string; readonly note: string } {
    const call = (handle: string): string => `${RECALL}({"handle": "${handle}"})`;
    if (this.#count < 2) return { words: ` ${call(this.#handle)} brings back the original.`, note: noteOf([this.#handle]) };
    const all = partRange(this.#handle, 1, this.#count);
    return {
      words: ` ${call(partHandle(this.#handle, 1))} brings back the part marked [1], ${call(partRange(this.#handle, 1, 2))} parts [1…2].`,
      note: noteOf([all]),
    };
  }
}
