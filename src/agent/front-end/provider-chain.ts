import { firstPlace } from "../../edits/edit-places.ts";
import type { Conversation, ShownView } from "../../conversation/conversation.ts";
import { shownMessage } from "../../conversation/shown-blocks.ts";
import type { Message } from "../../messages/message.ts";
import type { KeptAnswer } from "./kept-answer.ts";

/** A call that goes on from what the provider keeps: each of its requests has only what the provider does not have yet. */
export class ProviderChain {
  #answerId: string;
  #upTo: number;

  constructor({ lastId, upTo }: KeptAnswer) {
    this.#answerId = lastId;
    this.#upTo = upTo;
  }

  /** The answer that the next request goes on from. */
  get answerId(): string {
    return this.#answerId;
  }

  /** An answer has come, which ends the log at this length. Undefined: it has no id, and nobody could go on from it. */
  answered(id: string | undefined, upTo: number): void {
    this.#answerId = id ?? this.#answerId;
    this.#upTo = upTo;
  }

  /** What of a view the provider does not have. */
  newIn({ messages, positions }: ShownView): readonly Message[] {
    return messages.filter((_, number) => (positions[number] ?? 0) >= this.#upTo);
  }

  /** The same, with nothing shortened. */
  uncut({ log }: Conversation): readonly Message[] {
    return log.slice(this.#upTo).map(shownMessage);
  }

  /** Is something of it shortened? */
  isCut({ inForce }: Conversation): boolean {
    return inForce.some((edit) => firstPlace(edit).position >= this.#upTo);
  }
}
