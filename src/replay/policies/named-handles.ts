import type { Edit } from "../../edits/edit.ts";
import { blocksOf, isText, isToolResult, isToolUse, type Block, type Message } from "../../messages/message.ts";
import { parsePartHandle, partHandle } from "../../passes/handle.ts";
import { originalParts } from "../../passes/original-parts.ts";
import { originalText } from "../../stateless/original-text.ts";
import type { Recoverable } from "../replay-policy.ts";

/** A range with more parts is not one of ours. */
const MOST_IN_RANGE = 1_000;

/** The originals behind the handles of a thread, and the handles that a view names. */
export class NamedHandles {
  readonly #originals = new Map<string, Recoverable>();
  readonly #edits = new Set<string>();
  /** Cached by text, because views repeat the same texts. */
  readonly #inText = new Map<string, readonly string[]>();
  readonly #inInput = new WeakMap<object, readonly string[]>();

  learn(log: readonly Message[], edits: readonly Edit[]): void {
    for (const edit of edits) {
      if (edit.handle === undefined || this.#edits.has(edit.id)) continue;
      this.#edits.add(edit.id);
      // A later edit may name the original of an earlier one.
      if (!this.#originals.has(edit.handle)) this.#learn(edit.handle, originalText(log, edit));
    }
  }

  #learn(handle: string, text: string): void {
    this.#originals.set(handle, { handle, text });
    for (const [index, { from, to }] of originalParts(text).entries()) {
      const part = partHandle(handle, index + 1);
      this.#originals.set(part, { handle: part, text: text.slice(from, to) });
    }
  }

  /** Returns the handles in the order in which the view names them. */
  namedIn(view: readonly Message[], log: readonly Message[]): readonly Recoverable[] {
    if (this.#originals.size === 0) return [];
    const ofLog = new Set(log);
    const named = new Set<string>();
    for (const message of view) {
      if (ofLog.has(message)) continue;
      for (const block of blocksOf(message)) for (const handle of this.#inBlock(block)) named.add(handle);
    }
    return [...named].flatMap((handle) => this.#originals.get(handle) ?? []);
  }

  #inBlock(block: Block): readonly string[] {
    if (isText(block)) return this.#handlesIn(block.text);
    if (isToolUse(block)) return this.#handlesInInput(block.input);
    if (!isToolResult(block)) return [];
    return typeof block.content === "string" ? this.#handlesIn(block.content) : (block.content ?? []).flatMap((part) => this.#inBlock(part));
  }

  #handlesInInput(input: unknown): readonly string[] {
    if (typeof input !== "object" || input === null) return [];
    let found = this.#inInput.get(input);
    if (found === undefined) this.#inInput.set(input, (found = this.#search(JSON.stringify(input))));
    return found;
  }

  #handlesIn(text: string): readonly string[] {
    let found = this.#inText.get(text);
    if (found === undefined) this.#inText.set(text, (found = this.#search(text)));
    return found;
  }

  /** Cached for good: a text that names a handle is created together with it, so no handle is added later. */
  #search(text: string): readonly string[] {
    return [...new Set((text.match(/[\w-]+(?:…-\d+)?/g) ?? []).flatMap(namesIn))].filter((word) => this.#originals.has(word));
  }
}

/** Expands a range of parts to single names. */
function namesIn(word: string): string[] {
  const range = word.includes("…") ? parsePartHandle(word) : undefined;
  if (range === undefined) return [word];
  const { handle, part, lastPart } = range;
  return Array.from({ length: Math.max(0, Math.min(lastPart - part + 1, MOST_IN_RANGE)) }, (_, offset) => partHandle(handle, part + offset));
}
