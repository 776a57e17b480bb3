import { hash64 } from "../../edits/edit-id.ts";
import type { Message } from "../../messages/message.ts";
import { clientKey } from "./client-key.ts";

/** The chain of no messages. */
export const NO_CHAIN = "";

/** Returns what stands for a chain of messages and one more, whose key this is. */
export function chained(chain: string, key: string): string {
  return hash64(chain, key);
}

/** The messages of a request. What makes each the same as one of before is worked out when it is asked for. */
export class ClientMessages {
  readonly messages: readonly Message[];
  readonly #keys: (string | undefined)[] = [];

  constructor(messages: readonly Message[]) {
    this.messages = messages;
  }

  /** What is new of a conversation whose first messages, this many, the client does not send again. */
  static after(length: number, messages: readonly Message[]): ClientMessages {
    const whole = new Array<Message>(length);
    return new ClientMessages([...whole, ...messages]);
  }

  get length(): number {
    return this.messages.length;
  }

  keyAt(number: number): string | undefined {
    const message = this.messages[number];
    return message === undefined ? undefined : (this.#keys[number] ??= clientKey(message));
  }

  /** Per message, what stands for it and all before it. Every message is read for it: only where a conversation is looked up in a store. */
  chains(): string[] {
    let chain = NO_CHAIN;
    return this.messages.map((_, number) => (chain = chained(chain, this.keyAt(number) ?? "")));
  }
}
