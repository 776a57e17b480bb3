import { firstPlace } from "../../edits/edit-places.ts";
import type { Conversation, ShownView } from "../../conversation/conversation.ts";
import { shownMessage } from "../../conversation/shown-blocks.ts";
import type { Message } from "../../messages/message.ts";
import type { KeptAnswer } from "./kept-answer.ts";

/** A call that continues an answer that the provider keeps: its requests have only messages that the provider does not have yet. */
export class ProviderChain {
  #answerId: string;
  #upTo: number;
  /** Whether an answer has come in this call. */
  hasAnswered = false;

  constructor({ lastId, upTo }: KeptAnswer) {
    this.#answerId = lastId;
    this.#upTo = upTo;
  }

  /** The answer that the next request continues. */
  get answerId(): string {
    return this.#answerId;
  }

  /** Notes an answer, which ends the log at this length. Undefined: it has no id, so no request can continue it. */
  answered(id: string | undefined, upTo: number): void {
    this.#answerId = id ?? this.#answerId;
    this.#upTo = upTo;
    this.hasAnswered = true;
  }

  /** Returns the messages of a view that the provider does not have. */
  newIn({ messages, positions }: ShownView): readonly Message[] {
    return messages.filter((_, number) => (positions[number] ?? 0) >= this.#upTo);
  }

  /** Returns the same messages, with nothing shortened. */
  uncut({ log }: Conversation): readonly Message[] {
    return log.slice(this.#upTo).map(shownMessage);
  }

  /** Returns whether any of them is shortened. */
  isCut({ inForce }: Conversation): boolean {
    return inForce.some((edit) => firstPlace(edit).position >= this.#upTo);
  }
}
