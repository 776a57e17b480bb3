import { isThinking, type Message } from "../messages/message.ts";
import { withoutTrailingThinking, type ChangedMessages } from "./changed-messages.ts";
import type { Coverage } from "./coverage.ts";
import type { Summary } from "./summaries.ts";

/** A1.2: the first message is the user's. */
const EARLIER_OMITTED = "[Earlier conversation omitted]";

/** The position of what is not in the log: a summary, or the note above. */
const NOT_IN_LOG = -1;

/** What is shown, and from which positions of the log. */
export interface View {
  readonly messages: Message[];
  readonly positions: readonly number[];
}

/** Writes the view from left to right, and keeps what lies between two messages acceptable where something was taken out. */
export class ViewWriter {
  readonly #log: readonly Message[];
  readonly #messages: Message[] = [];
  readonly #positions: number[] = [];
  /** Positions of system messages that wait for the message after them. */
  readonly #waiting: number[] = [];
  #hasSpoken = false;

  constructor(log: readonly Message[]) {
    this.#log = log;
  }

  write(coverage: Coverage, changed: ChangedMessages, summaries: ReadonlyMap<number, readonly Summary[]>): View {
    let precedingShown: boolean | undefined;
    for (let position = 0; position < this.#log.length; position++) {
      const message = this.#log[position];
      if (message === undefined) continue;
      const here = summaries.size === 0 ? undefined : summaries.get(position);
      const isHidden = coverage.rangeAround(position) !== undefined;
      if (message.role === "system") {
        for (const summary of here ?? []) this.#add(summary.message, NOT_IN_LOG);
        // It goes with the message before it; the first message of the log has none.
        if (precedingShown ?? !isHidden) this.#waiting.push(position);
      } else if (here === undefined && !changed.has(position)) {
        precedingShown = !isHidden;
        if (precedingShown) this.#add(message, position);
      } else {
        precedingShown = this.#addParts(message, position, here ?? [], isHidden, changed);
      }
    }
    for (const summary of summaries.get(this.#log.length) ?? []) this.#add(summary.message, NOT_IN_LOG);
    this.#releaseWaiting(0);
    this.#trimThinking(this.#log.length);
    return { messages: this.#messages, positions: this.#positions };
  }

  /** A message with changed blocks, or with summaries before or between them. */
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
    if (this.#waiting.length > 0) this.#releaseWaiting(message.role === "user" ? this.#firstInPlace(position) : 0);
    if (message.role === "user") this.#trimThinking(position);
    else if (!this.#hasSpoken && !this.#beginsLog(position)) this.#push({ role: "user", content: EARLIER_OMITTED }, NOT_IN_LOG);
    this.#hasSpoken = true;
    this.#push(message, position);
  }

  #push(message: Message, position: number): void {
    this.#messages.push(message);
    this.#positions.push(position);
  }

  /** Did the log itself begin here? Then it is no fault of the view. */
  #beginsLog(position: number): boolean {
    return position !== NOT_IN_LOG && position === this.#log.findIndex((message) => message.role !== "system");
  }

  /**
   * A1.10: an assistant message comes after system messages. Where it was taken out, they wait behind the user messages that
   * have moved up to them; those that stood right before this one in the log are left alone.
   */
  #firstInPlace(position: number): number {
    let first = this.#waiting.length;
    for (let before = position - 1; first > 0 && this.#waiting[first - 1] === before; before--) first--;
    return first;
  }

  #releaseWaiting(from: number): void {
    const released = this.#waiting.splice(from);
    if (released.length > 0) this.#trimThinking(released[0] ?? NOT_IN_LOG);
    for (const position of released) {
      const message = this.#log[position];
      if (message !== undefined) this.#push(message, position);
    }
  }

  /** A4.5: where the rest of an assistant turn was taken out, its thinking must not be what is left at the end. */
  #trimThinking(next: number): void {
    for (;;) {
      const message = this.#messages.at(-1);
      const position = this.#positions.at(-1) ?? NOT_IN_LOG;
      if (message?.role !== "assistant" || typeof message.content === "string" || position === NOT_IN_LOG || position + 1 === next) return;
      const end = message.content.at(-1);
      if (end === undefined || !isThinking(end)) return;
      const content = withoutTrailingThinking(message.content);
      this.#pop();
      if (content.length > 0) this.#push({ ...message, content }, position);
      else this.#recallSystemMessages();
    }
  }

  /** The assistant message that released them is gone: they wait for the next one. */
  #recallSystemMessages(): void {
    while (this.#messages.at(-1)?.role === "system") this.#waiting.unshift(this.#pop());
  }

  #pop(): number {
    this.#messages.pop();
    return this.#positions.pop() ?? NOT_IN_LOG;
  }
}
