import type { Edit, Proposal } from "../edits/edit.ts";
import { firstPlace } from "../edits/edit-places.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { LogIndex } from "../messages/index-log.ts";
import { blockAt, isText, textBlock, type Block, type Message, type ToolUseBlock } from "../messages/message.ts";
import { placeKey, type Place } from "../messages/place.ts";
import { handleNote, handleOf, parsePartHandle, partHandle, RECALL } from "../passes/handle.ts";
import { originalText } from "../stateless/original-text.ts";
import { callAnsweredAt } from "./call-answered-at.ts";
import { parseRecallInput, START_HANDLE } from "./tools/recall-tool.ts";

/** What a handle names: the originals of these edits, one after the other, or parts of the original of one, counted from 1. */
export interface Named {
  readonly edits: readonly Edit[];
  readonly parts?: { readonly first: number; readonly last: number };
}

/** The handles of what was shortened. They follow from the thread's id and the place, so a place always has the same handle, and only in this thread. */
export class Handles {
  readonly #thread: string;
  readonly #edits = new Map<string, Edit[]>();
  readonly #places = new Map<string, string>();
  /** An edit that drops many places has a handle for each, in the form of parts: the numbers of the parts, by the text before the dash. */
  readonly #numbers = new Map<string, Set<number>>();

  constructor(thread: string, edits: readonly Edit[]) {
    this.#thread = thread;
    this.add(edits);
  }

  add(edits: readonly Edit[]): void {
    for (const edit of edits) {
      // A result recalled from many places and then cut has no original of its own.
      if (edit.handle === undefined || (edit.kind === "replace-result" && this.#namesOfPlaces(edit.handle) !== undefined)) continue;
      const part = parsePartHandle(edit.handle);
      if (part !== undefined) this.#numbers.set(part.handle, (this.#numbers.get(part.handle) ?? new Set()).add(part.part));
      const known = this.#edits.get(edit.handle);
      if (!this.#places.has(edit.handle)) this.#places.set(edit.handle, placeKey(firstPlace(edit)));
      if (known === undefined) this.#edits.set(edit.handle, [edit]);
      else known.push(edit);
    }
  }

  /** All handles, oldest first. */
  get names(): string[] {
    return [...this.#edits.keys()];
  }

  /**
   * Returns the newest edit at the place that the handle names: if a stretch was summarized again, the larger one. A result that was
   * recalled and then cut has the same handle, at another place.
   */
  named(handle: string): Named {
    const named = this.#namedBy(handle);
    if (named !== undefined) return named;
    const handles = [...this.#edits.keys()];
    const choices = handles.length === 0 ? "Nothing was shortened in this thread so far." : `Some of those that exist: ${handles.slice(-10).join(", ")}.`;
    throw new PalimpsestError("HANDLE_UNKNOWN", `There is no handle ${JSON.stringify(handle)}. ${choices}`, { handle, handles });
  }

  #namedBy(name: string): Named | undefined {
    const places = this.#namesOfPlaces(name);
    if (places !== undefined) return { edits: places.flatMap((each) => this.#editOf(each) ?? []) };
    const part = parsePartHandle(name);
    const original = part !== undefined && this.#edits.has(part.handle) ? part : undefined;
    const edit = this.#editOf(original?.handle ?? name);
    if (edit === undefined) return undefined;
    return { edits: [edit], ...(original === undefined ? {} : { parts: { first: original.part, last: original.lastPart } }) };
  }

  #editOf(handle: string): Edit | undefined {
    const place = this.#places.get(handle);
    return this.#edits.get(handle)?.findLast((candidate) => placeKey(firstPlace(candidate)) === place);
  }

  /** Returns the handles of all places that a range of handles, or a handle without a number, names. Undefined: it names something else. */
  #namesOfPlaces(name: string): string[] | undefined {
    const part = parsePartHandle(name);
    const handle = part?.handle ?? name;
    const numbers = this.#numbers.get(handle);
    const isOne = part !== undefined && part.part === part.lastPart;
    if (numbers === undefined || isOne || this.#edits.has(handle)) return undefined;
    const { part: first, lastPart: last } = part ?? { part: 1, lastPart: Infinity };
    const inside = [...numbers].filter((number) => number >= first && number <= last).sort((a, b) => a - b);
    return inside.length === 0 ? undefined : inside.map((number) => partHandle(handle, number));
  }

  /**
   * Returns the proposal with a handle and, if it shows text, with the note that names the handle. The handle of a range follows from
   * its start, so call this when that is settled.
   */
  name(proposal: Proposal, log: readonly Message[], index: LogIndex): Proposal {
    switch (proposal.kind) {
      case "replace-result": {
        const recalled = this.#recalledAt(proposal.at, log, index);
        const original = originalText(log, proposal);
        const handle = recalled ?? this.#handleAt(proposal.at, original);
        return { ...proposal, handle, content: withNote(proposal.content, recalled === undefined ? handleNote(handle, original) : handleNote(recalled)) };
      }
      case "collapse-round": {
        const original = originalText(log, proposal);
        const handle = this.#handleAt(firstPlace(proposal), original);
        return { ...proposal, handle, note: `${proposal.note}\n${handleNote(handle, original)}` };
      }
      case "replace-range":
        // A text that names parts of its original already has a handle.
        if (proposal.handle !== undefined) return proposal;
        return { ...proposal, handle: proposal.from.position === 0 && proposal.from.block === 0 ? START_HANDLE : this.#handleAt(proposal.from) };
      case "replace-input":
        // Its text already contains the note.
        return proposal.handle === undefined ? { ...proposal, handle: this.#handleAt(proposal.at) } : proposal;
      case "replace-block": {
        const handle = this.#handleAt(proposal.at, JSON.stringify(blockAt(log, proposal.at)));
        return { ...proposal, handle, text: `${proposal.text} ${handleNote(handle)}` };
      }
      case "strip-blocks":
        return proposal;
    }
  }

  /** Returns a proposal that its pass has named itself. A recalled result that is shortened again names the original. */
  renamed(proposal: Proposal, log: readonly Message[], index: LogIndex): Proposal {
    if (proposal.kind !== "replace-result" || proposal.handle === undefined) return proposal;
    const recalled = this.#recalledAt(proposal.at, log, index);
    if (recalled === undefined) return proposal;
    const note = handleNote(proposal.handle, originalText(log, proposal));
    return { ...proposal, handle: recalled, content: withOtherNote(proposal.content, note, handleNote(recalled)) };
  }

  /** Returns the handle of the original if the result at this place was recalled. */
  #recalledAt(at: Place, log: readonly Message[], index: LogIndex): string | undefined {
    const call = callAnsweredAt(at, index);
    const use = call?.name === RECALL ? blockAt(log, call) : undefined;
    const recalled = use?.type === "tool_use" ? handleIn((use as ToolUseBlock).input) : undefined;
    return recalled !== undefined && this.#namedBy(recalled) !== undefined ? recalled : undefined;
  }

  /** `original`: the content at this place, which may differ between branches of a thread. */
  #handleAt(at: Place, original = ""): string {
    const place = placeKey(at);
    for (let salt = 0; ; salt++) {
      const handle = handleOf(this.#thread, at, salt, original === "" ? "" : `|${original}`);
      const owner = this.#places.get(handle);
      if (owner !== undefined && owner !== place) continue;
      this.#places.set(handle, place);
      return handle;
    }
  }
}

function handleIn(input: unknown): string | undefined {
  try {
    return parseRecallInput(input).handle;
  } catch {
    return undefined;
  }
}

function withOtherNote(content: string | readonly Block[], note: string, other: string): string | readonly Block[] {
  // A function, because "$" in a replacement string is special.
  if (typeof content === "string") return content.replaceAll(note, () => other);
  return content.map((block) => (isText(block) ? { ...block, text: block.text.replaceAll(note, () => other) } : block));
}

function withNote(content: string | readonly Block[], note: string): string | readonly Block[] {
  if (typeof content === "string") return `${content}\n${note}`;
  const last = content.findLastIndex(isText);
  if (last === -1) return [...content, textBlock(note)];
  return content.map((block, number) => (number === last && isText(block) ? { ...block, text: `${block.text}\n${note}` } : block));
}
