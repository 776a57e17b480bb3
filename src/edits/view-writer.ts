import type { LogIndex } from "../messages/index-log.ts";
import { isThinking, type Message } from "../messages/message.ts";
import { withoutTrailingThinking, type ChangedMessages } from "./changed-messages.ts";
import type { Coverage } from "./coverage.ts";
import type { Summary } from "./summaries.ts";

/** Replaces a removed message whose role is required: a user message at the start (A1.2), an assistant message after a system message (A1.10). */
export const EARLIER_OMITTED = "[Earlier conversation omitted]";

/** The position of a message that is not in the log: a summary, or one of these notes. */
export const NOT_IN_LOG = -1;

/** The messages shown, and their positions in the log. */
export interface View {
  readonly messages: Message[];
  readonly positions: readonly number[];
}

/**
 * Writes the view from left to right, and keeps it acceptable where something was removed between two messages. Most views are about
 * as long as their log, so it allocates for that at the start, unless ranges remove messages: then few may be left.
 */
export class ViewWriter {
  readonly #log: readonly Message[];
  readonly #systemAt: readonly number[];
  readonly #messages: Message[];
  readonly #positions: number[];
  #count = 0;
  /** The position of the last one. */
  #last = NOT_IN_LOG;
  #hasSpoken = false;

  constructor(log: readonly Message[], { systemAt }: LogIndex, hasRanges: boolean) {
    this.#log = log;
    this.#systemAt = systemAt;
    this.#messages = new Array<Message>(hasRanges ? 0 : log.length);
    this.#positions = new Array<number>(hasRanges ? 0 : log.length);
  }

  write(coverage: Coverage, changed: ChangedMessages, summaries: ReadonlyMap<number, readonly Summary[]>): View {
    const log = this.#log;
    const { hasRanges } = coverage;
    const summariesAt = [...summaries.keys()].sort((a, b) => a - b);
    let summarized = 0;
    let nextSummary = summariesAt[0] ?? log.length;
    let precedingShown: boolean | undefined;
    let systemMessages = 0;
    let nextSystem = this.#systemAt[0] ?? log.length;
    for (let position = 0; position < log.length; position++) {
      const hiddenUntil = hasRanges ? coverage.hiddenUntil(position) : position;
      const isHidden = hiddenUntil > position;
      if (isHidden && nextSystem > position && nextSummary > position) {
        // A range may cover thousands of messages: skip to its end, or to the next message that needs work.
        precedingShown = false;
        position = Math.min(hiddenUntil, nextSystem, nextSummary) - 1;
        continue;
      }
      const message = log[position] as Message;
      const here = position === nextSummary ? summaries.get(position) : undefined;
      if (here !== undefined) nextSummary = summariesAt[++summarized] ?? log.length;
      if (position === nextSystem) {
        nextSystem = this.#systemAt[++systemMessages] ?? log.length;
        for (const summary of here ?? []) this.#add(summary.message, NOT_IN_LOG);
        // It goes with the message before it; the first message of the log has none.
        if (precedingShown ?? !isHidden) this.#add(message, position);
      } else if (here !== undefined) {
        precedingShown = this.#addParts(message, position, here, isHidden, changed);
      } else {
        precedingShown = !isHidden && this.#addPart(message, position, 0, Infinity, changed);
      }
    }
    for (const summary of summaries.get(log.length) ?? []) this.#add(summary.message, NOT_IN_LOG);
    this.#trimThinking(log.length);
    this.#messages.length = this.#count;
    this.#positions.length = this.#count;
    return { messages: this.#messages, positions: this.#positions };
  }

  /** Adds a message with summaries before or between its blocks. */
  #addParts(message: Message, position: number, summaries: readonly Summary[], isHidden: boolean, changed: ChangedMessages): boolean {
    let from = 0;
    let shown = false;
    for (const summary of summaries) {
      shown = (!isHidden && this.#addPart(message, position, from, summary.block, changed)) || shown;
      from = summary.block;
      this.#add(summary.message, NOT_IN_LOG);
    }
    return (!isHidden && this.#addPart(message, position, from, Infinity, changed)) || shown;
  }

  #addPart(message: Message, position: number, from: number, to: number, changed: ChangedMessages): boolean {
    if (from === to) return false;
    const part = from === 0 && to === Infinity && !changed.has(position) ? message : changed.part(message, position, from, to);
    if (part !== undefined) this.#add(part, position);
    return part !== undefined;
  }

  #add(message: Message, position: number): void {
    if (this.#followsNeighbour(position)) this.#push(message, position);
    else this.#addAfterGap(message, position);
  }

  /** Returns whether the message comes right after its neighbour in the log: then nothing was removed in between. */
  #followsNeighbour(position: number): boolean {
    return this.#hasSpoken && this.#last === position - 1;
  }

  /** Adds a message after a gap, with a note in between if the provider requires one. */
  #addAfterGap(message: Message, position: number): void {
    const { role } = message;
    if (role !== "assistant") this.#trimThinking(position);
    if (role === "user" && this.#hasSpoken && this.#endsInSystem()) this.#push({ role: "assistant", content: EARLIER_OMITTED }, NOT_IN_LOG);
    if (role === "assistant" && !this.#hasSpoken && !this.#beginsLog(position)) this.#push({ role: "user", content: EARLIER_OMITTED }, NOT_IN_LOG);
    if (role !== "system") this.#hasSpoken = true;
    this.#push(message, position);
  }

  #push(message: Message, position: number): void {
    this.#messages[this.#count] = message;
    this.#positions[this.#count] = position;
    this.#count++;
    this.#last = position;
  }

  #endsInSystem(): boolean {
    return this.#messages[this.#count - 1]?.role === "system";
  }

  /** Returns whether the log itself begins here: then the fault is the log's, not the view's. */
  #beginsLog(position: number): boolean {
    return position !== NOT_IN_LOG && position === this.#log.findIndex((message) => message.role !== "system");
  }

  /** A4.5: if the rest of an assistant turn was removed, the turn must not end with thinking. */
  #trimThinking(next: number): void {
    for (;;) {
      const message = this.#messages[this.#count - 1];
      const position = this.#last;
      if (position + 1 === next || message?.role !== "assistant" || typeof message.content === "string") return;
      const end = message.content.at(-1);
      if (end === undefined || !isThinking(end)) return;
      const content = withoutTrailingThinking(message.content);
      this.#count--;
      this.#last = this.#positions[this.#count - 1] ?? NOT_IN_LOG;
      if (content.length > 0) this.#push({ ...message, content }, position);
    }
  }
}
