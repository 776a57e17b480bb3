import type { Message } from "../../messages/message.ts";
import { modelInfo } from "../../pricing/model-info.ts";
import { messageTokens } from "../../tokens/message-tokens.ts";
import type { ReplayStep } from "../replay-policy.ts";

/** Estimates each message once, in the model's tokens. Without the head of the request, which is not known here. */
export class MessageSizes {
  readonly #tokens = new WeakMap<Message, number>();

  of(messages: readonly Message[], { model }: ReplayStep): number {
    const { tokenFactor } = modelInfo(model, { onWarning: () => undefined });
    return Math.round(messages.reduce((sum, message) => sum + this.#tokensOf(message), 0) * tokenFactor);
  }

  #tokensOf(message: Message): number {
    let tokens = this.#tokens.get(message);
    if (tokens === undefined) this.#tokens.set(message, (tokens = messageTokens(message)));
    return tokens;
  }
}
