import { hash64 } from "../../edits/edit-id.ts";
import type { Message } from "../../messages/message.ts";
import { clientKey } from "./client-key.ts";

/** The chain of no messages. */
export const NO_CHAIN = "";

/** Returns the hash of a chain of messages extended by the message with this key. */
export function chained(chain: string, key: string): string {
  return hash64(chain, key);
}

/** The messages of a request, with their keys, which are computed on demand. */
export class ClientMessages {
  readonly messages: readonly Message[];
  readonly #keys: (string | undefined)[] = [];

  constructor(messages: readonly Message[]) {
    this.messages = messages;
  }

  /** New messages of a conversation whose first `length` messages the client does not send again. */
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

  /** Returns a hash per message, of it and all before it. Reads every message, so it is used only to look up a conversation in a store. */
  chains(): string[] {
    let chain = NO_CHAIN;
    return this.messages.map((_, number) => (chain = chained(chain, this.keyAt(number) ?? "")));
  }
}
