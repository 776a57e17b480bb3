import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { checkMessages } from "../messages/check-messages.ts";
import { indexLog } from "../messages/index-log.ts";
import type { Message } from "../messages/message.ts";
import type { Target } from "../messages/target.ts";
import { waitingCalls } from "../messages/waiting-calls.ts";
import { EARLIER_OMITTED, NOT_IN_LOG, type View } from "./view-writer.ts";

/** The user's words at the end of a view that would end with the assistant. */
const CONTINUE: Message = { role: "user", content: "Continue with the task." };

/** Ends the assistant's turn. */
const OMITTED: Message = { role: "assistant", content: EARLIER_OMITTED };

/** A conversation that ends with the assistant. */
const ENDS_WITH_ASSISTANT: ReadonlySet<string> = new Set(["A1.7", "A1.8", "A1.9", "A4.6"]);
/** An open loop that lacks its thinking, which an edit took: to the provider it is no fault once the loop is over. */
const LACKS_THINKING = "A4.2";

/** Returns the view with an end that the provider accepts: the same view where it has one already. */
export function sendable(view: View, target: Target): View {
  const { messages, positions } = view;
  if (messages.length === 0) throw new PalimpsestError("EMPTY_THREAD", "Nothing was said yet that could be sent.");
  const rules = checkMessages(messages, target).map(({ rule }) => rule);
  const added = rules.includes(LACKS_THINKING) ? [OMITTED, CONTINUE] : rules.some((rule) => ENDS_WITH_ASSISTANT.has(rule)) ? [CONTINUE] : [];
  if (added.length === 0) return view;
  refuseOpenCalls(messages);
  return { messages: [...messages, ...added], positions: [...positions, ...added.map(() => NOT_IN_LOG)] };
}

/** After a call that waits for its result, only results may come (A2.1, A3.2). */
function refuseOpenCalls(messages: readonly Message[]): void {
  const { calls } = indexLog(messages);
  const open = calls.filter(({ server, result, position }) => !server && result === undefined && position === messages.length - 1).map(({ id }) => id);
  if (open.length > 0)
    throw new PalimpsestError("RESULTS_MISSING", `The last response waits for the results of ${open.join(", ")}: add them before it is sent.`, { calls: open });
  const waiting = waitingCalls(messages, calls).find(({ until }) => until.position >= messages.length)?.call;
  if (waiting !== undefined)
    throw new PalimpsestError("LOOP_OPEN", `The call ${waiting.id} waits for the provider's result, and an edit took the thinking of its loop or its end.`, {
      before: waiting.position,
    });
}
