import { messageTokens } from "../tokens/message-tokens.ts";
import type { Message } from "../messages/message.ts";
import { withDefaults, type Target } from "../messages/target.ts";
import { parsePolicies, type PolicyChoice } from "../policy/shortening-options.ts";
import { Conversation } from "./conversation.ts";
import { PolicyRunner } from "./policy-runner.ts";

/**
 * Returns the messages as a policy shows them in a first call, with nothing cached. Shortened pieces name no handle: this is for a copy
 * whose reader cannot ask for originals.
 */
export function shortenOnce(messages: readonly Message[], policy: PolicyChoice, model: string, target: Partial<Target>): readonly Message[] {
  // So far, the model has seen the messages unshortened.
  const state = { id: "", log: [], edits: [], pins: [], seenFrom: messages.length, steps: [] };
  const conversation = new Conversation(withDefaults(target), state);
  const policies = new PolicyRunner(conversation, parsePolicies(policy, "policy").policies({ thread: "", named: false }), false);
  for (const message of messages) conversation.append(message);
  policies.arrived(0);
  policies.answered(conversation.view().messages.reduce((sum, message) => sum + messageTokens(message), 0));
  policies.beforeCall({ upTo: messages.length, model, headHash: "", isCold: true });
  return conversation.arrange().messages;
}
