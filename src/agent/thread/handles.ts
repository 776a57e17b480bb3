import type { Edit, Proposal } from "../../edits/edit.ts";
import { firstPlace } from "../../edits/edit-places.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import type { LogIndex } from "../../messages/index-log.ts";
import { blockAt, isText, textBlock, type Block, type Message, type ToolUseBlock } from "../../messages/message.ts";
import { placeKey, comparePlaces, type Place } from "../../messages/place.ts";
import { handleNote, handleOf, parsePartHandle } from "../../passes/handle.ts";
import { originalText } from "../../stateless/original-text.ts";
import { parseRecallInput, recallTool, START_HANDLE } from "../tools/recall-tool.ts";

/** What a handle names: what the edit shows in another form, or parts of it, counted from 1. */
export interface Named {
  readonly edit: Edit;
  readonly parts?: { readonly first: number; readonly last: number };
}

/** Names for what was shortened. They are made from the thread's id and the place, so the same place has the same name, and only here. */
export class Handles {
  readonly #thread: string;
  readonly #edits = new Map<string, Edit[]>();
  readonly #places = new Map<string, string>();

  constructor(thread: string, edits: readonly Edit[]) {
    this.#thread = thread;
    this.add(edits);
  }

  add(edits: readonly Edit[]): void {
    for (const edit of edits) {
      if (edit.handle === undefined) continue;
      const known = this.#edits.get(edit.handle);
      if (!this.#places.has(edit.handle)) this.#places.set(edit.handle, placeKey(firstPlace(edit)));
      if (known === undefined) this.#edits.set(edit.handle, [edit]);
      else known.push(edit);
    }
  }

  /**
   * The newest edit at the place that the handle names: where a stretch was summarized again, that is the larger one. What was
   * recalled and then cut has the same handle, at another place.
   */
  named(handle: string): Named {
    const named = this.#editOf(handle);
    if (named !== undefined) return named;
    const handles = [...this.#edits.keys()];
    const choices = handles.length === 0 ? "Nothing was shortened in this thread so far." : `Some of those that exist: ${handles.slice(-10).join(", ")}.`;
    throw new PalimpsestError("HANDLE_UNKNOWN", `There is no handle ${JSON.stringify(handle)}. ${choices}`, { handle, handles });
  }

  #editOf(name: string): Named | undefined {
    const parsed = parsePartHandle(name);
    // What was dropped in many places has a handle for each, in the form of parts: no edit has the handle before the dash then.
    const named = parsed !== undefined && this.#edits.has(parsed.handle) ? parsed : undefined;
    const handle = named?.handle ?? name;
    const place = this.#places.get(handle);
    const edit = this.#edits.get(handle)?.findLast((candidate) => placeKey(firstPlace(candidate)) === place);
    return edit === undefined ? undefined : { edit, ...(named === undefined ? {} : { parts: { first: named.part, last: named.lastPart } }) };
  }

  /**
   * The proposal, with a handle and, where text is shown in its place, with the note that names it. A range is named where it
   * begins, so once it is settled where that is.
   */
  name(proposal: Proposal, log: readonly Message[], index: LogIndex): Proposal {
    switch (proposal.kind) {
      case "replace-result": {
        const recalled = this.#recalledAt(proposal.at, log, index);
        const handle = recalled ?? this.#handleAt(proposal.at);
        const note = recalled === undefined ? handleNote(handle, originalText(log, proposal)) : handleNote(recalled);
        return { ...proposal, handle, content: withNote(proposal.content, note) };
      }
      case "collapse-round": {
        const handle = this.#handleAt(firstPlace(proposal));
        return { ...proposal, handle, note: `${proposal.note}\n${handleNote(handle, originalText(log, proposal))}` };
      }
      case "replace-range":
        // What names parts of its original in its own text has its handle already.
        if (proposal.handle !== undefined) return proposal;
        return { ...proposal, handle: proposal.from.position === 0 && proposal.from.block === 0 ? START_HANDLE : this.#handleAt(proposal.from) };
      case "replace-input":
        return { ...proposal, handle: this.#handleAt(proposal.at) };
      case "replace-block":
      case "strip-blocks":
        return proposal;
    }
  }

  /** The results of `recall`. */
  recalledIn(log: readonly Message[], { calls }: LogIndex): Place[] {
    return calls.flatMap((call) => (call.result !== undefined && useAt(log, call)?.name === recallTool.name ? [call.result] : []));
  }

  /** What was recalled and is shortened again names the original. */
  #recalledAt(at: Place, log: readonly Message[], { calls }: LogIndex): string | undefined {
    const call = calls.find(({ result }) => result !== undefined && comparePlaces(result, at) === 0);
    const use = call === undefined ? undefined : useAt(log, call);
    const recalled = use?.name === recallTool.name ? handleIn(use.input) : undefined;
    return recalled !== undefined && this.#editOf(recalled) !== undefined ? recalled : undefined;
  }

  #handleAt(at: Place): string {
    const place = placeKey(at);
    for (let salt = 0; ; salt++) {
      const handle = handleOf(this.#thread, at, salt);
      const owner = this.#places.get(handle);
      if (owner !== undefined && owner !== place) continue;
      this.#places.set(handle, place);
      return handle;
    }
  }
}

function useAt(log: readonly Message[], at: Place): ToolUseBlock | undefined {
  const block = blockAt(log, at);
  return block?.type === "tool_use" ? (block as ToolUseBlock) : undefined;
}

function handleIn(input: unknown): string | undefined {
  try {
    return parseRecallInput(input).handle;
  } catch {
    return undefined;
  }
}

function withNote(content: string | readonly Block[], note: string): string | readonly Block[] {
  if (typeof content === "string") return `${content}\n${note}`;
  const last = content.findLastIndex(isText);
  if (last === -1) return [...content, textBlock(note)];
  return content.map((block, number) => (number === last && isText(block) ? { ...block, text: `${block.text}\n${note}` } : block));
}
