import { Conversation } from "../../conversation/conversation.ts";
import { PolicyRunner } from "../../conversation/policy-runner.ts";
import { parsePolicyText } from "../../conversation/policy-text.ts";
import { parsePolicies } from "../../policy/shortening-options.ts";
import type { ReplayPolicy } from "../replay-policy.ts";
import { messagesSize } from "../context-size.ts";
import { NamedHandles } from "./named-handles.ts";
import { targetOf } from "./target-of.ts";

const THREAD = "replay";

/** Parses a policy written as JSON: the options of a preset, or a list of policies, run as in a thread. */
export function writtenPolicy(text: string): ReplayPolicy {
  const { policies } = parsePolicies(parsePolicyText(text, "policy"), "policy");
  return {
    name: text,
    start() {
      let running: { readonly conversation: Conversation; readonly runner: PolicyRunner } | undefined;
      const handles = new NamedHandles();
      let sentTokens = 0;
      return {
        next(log, step) {
          const target = targetOf(step);
          running ??= begin();
          const { conversation, runner } = running;
          conversation.target = target;
          if (conversation.length > 0) runner.answered(sentTokens);
          for (const message of log.slice(conversation.length)) {
            const position = conversation.append(message);
            if (message.role === "user") runner.arrived(position);
          }
          runner.beforeCall({ upTo: log.length, ...step });
          const { messages } = conversation.view();
          sentTokens = messagesSize(messages, 1);
          handles.learn(log, conversation.edits);
          return { messages, recoverable: handles.namedIn(messages, log) };

          function begin(): { readonly conversation: Conversation; readonly runner: PolicyRunner } {
            const begun = new Conversation(target, { id: THREAD, log: [], edits: [], pins: [], seenFrom: 0, steps: [] });
            return { conversation: begun, runner: new PolicyRunner(begun, policies({ thread: THREAD, named: true }), true) };
          }
        },
      };
    },
  };
}
