import type { Message } from "../../messages/message.ts";
import type { Target } from "../../messages/target.ts";
import { compactTool } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import { Conversation } from "../../conversation/conversation.ts";
import type { ParsedFrontEndOptions } from "./front-end-options.ts";
import { Session, type ClientMessages } from "./session.ts";

/** The conversations that a client has, told apart by their messages alone: a request goes on with the one that it begins like. */
export class Sessions {
  readonly #options: ParsedFrontEndOptions;
  /** The one that was used last is the last. */
  readonly #sessions = new Set<Session>();

  constructor(options: ParsedFrontEndOptions) {
    this.#options = options;
  }

  /**
   * The conversation that these messages belong to. One that has gone another way since, or is in the middle of a call, stays as it
   * is: the messages go on in a copy of it, from where they part.
   */
  open(client: ClientMessages, target: Target, offers: (toolName: string) => boolean): Session {
    const { session, shared } = this.#longestShared(client);
    const opened = session === undefined || shared === 0 ? this.#begin(client.messages, target, offers) : this.#goOn(session, shared);
    this.#sessions.delete(opened);
    this.#sessions.add(opened);
    for (const oldest of this.#sessions) {
      if (this.#sessions.size <= this.#options.maxThreads) break;
      if (!oldest.isBusy) this.#sessions.delete(oldest);
    }
    return opened;
  }

  forget(session: Session): void {
    this.#sessions.delete(session);
  }

  #longestShared(client: ClientMessages): { session: Session | undefined; shared: number } {
    let best: Session | undefined;
    let shared = 0;
    for (const session of this.#sessions) {
      const length = session.sharedWith(client);
      // Of equal ones the one that ends there: it needs no copy.
      if (length > shared || (length === shared && length > 0 && session.length === length)) {
        best = session;
        shared = length;
      }
    }
    return { session: best, shared };
  }

  #goOn(session: Session, shared: number): Session {
    return shared === session.length && !session.isBusy ? session : session.forkAt(shared);
  }

  /** Tools come with the first request of a conversation or never: later they would break the cache and all thinking (A4.8). */
  #begin(messages: readonly Message[], target: Target, offers: (toolName: string) => boolean): Session {
    const isNew = messages.every(({ role }) => role !== "assistant");
    const tools = {
      compact: isNew && this.#options.compact && offers(compactTool.name),
      recall: isNew && this.#options.recall && offers(recallTool.name),
    };
    const conversation = new Conversation(target, { id: crypto.randomUUID(), log: [], edits: [], pins: [], seenFrom: isNew ? 0 : messages.length, steps: [] });
    return new Session(this.#options, conversation, tools);
  }
}
