import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { checkMessages } from "../messages/check-messages.ts";
import { indexLog } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import type { Target } from "../messages/target.ts";
import { waitingCalls } from "../messages/waiting-calls.ts";
import { EARLIER_OMITTED, NOT_IN_LOG, type View } from "./view-writer.ts";

/** The user message that is added to a view that would end with the assistant. */
const CONTINUE: Message = { role: "user", content: "Continue with the task." };

/** Ends the assistant's turn. */
const OMITTED: Message = { role: "assistant", content: EARLIER_OMITTED };

/** The rules that a conversation breaks if it ends with the assistant. */
const ENDS_WITH_ASSISTANT: ReadonlySet<string> = new Set(["A1.7", "A1.8", "A1.9", "A4.6"]);
/** The rule that an open loop breaks without its thinking, which an edit removed: the provider accepts that once the loop is over. */
const LACKS_THINKING = "A4.2";

/** Returns the view with an end that the provider accepts: the same view if it already has one. */
export function sendable(view: View, target: Target): View {
  const { messages, positions } = view;
  if (messages.length === 0) throw new PalimpsestError("EMPTY_THREAD", "The thread has no messages yet, so there is nothing to send.");
  const rules = checkMessages(messages, target).map(({ rule }) => rule);
  const added = rules.includes(LACKS_THINKING) ? [OMITTED, CONTINUE] : rules.some((rule) => ENDS_WITH_ASSISTANT.has(rule)) ? [CONTINUE] : [];
  if (added.length === 0) return view;
  refuseOpenCalls(messages);
  return { messages: [...messages, ...added], positions: [...positions, ...added.map(() => NOT_IN_LOG)] };
}

/** Throws if a call waits for its result: only results may come after it (A2.1, A3.2). */
function refuseOpenCalls(messages: readonly Message[]): void {
  const { calls } = indexLog(messages);
  const open = calls.filter(({ server, result, position }) => !server && result === undefined && position === messages.length - 1).map(({ id }) => id);
  if (open.length > 0)
    throw new PalimpsestError("RESULTS_MISSING", `The last response waits for the results of ${open.join(", ")}: add them before sending the view.`, {
      calls: open,
    });
  const waiting = waitingCalls(messages, calls).find(({ until }) => until.position >= messages.length)?.call;
  if (waiting !== undefined)
    throw new PalimpsestError("LOOP_OPEN", `The call ${waiting.id} waits for the provider's result, and an edit removed the thinking or the end of its loop.`, {
      before: waiting.position,
    });
}
