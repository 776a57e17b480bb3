import { compactThread, type Message, type Replacement } from "../../src/index.ts";
import { newerHalf } from "../kept.ts";
import { createSubject, expectWork, type Subject } from "../subject.ts";
import { checkpointId } from "../threads/checkpoints.ts";
import { expectSmaller } from "./expect-smaller.ts";

const NAME = "compactThread";
const SUMMARY = "The cause was an expired token that was read before the clock was set. The fix is in src/session.ts; the tests pass.";

interface Input {
  readonly messages: readonly Message[];
  readonly replacements: Replacement[];
}

/**
 * All between the first request and the middle of the thread becomes a summary; reminders and thinking go. The thread has a checkpoint in
 * every user message.
 */
export const compactThreadSubject: Subject = createSubject<Input, readonly Message[]>({
  name: NAME,
  jobs: ["replace a range"],
  convert(messages) {
    const users = messages.flatMap(({ role }, position) => (role === "user" ? [position] : []));
    const [first, middle] = [users[0], users[newerHalf(users.length)]];
    if (first === undefined || middle === undefined || first === middle) throw new Error("The thread is too short for a range.");
    return { messages, replacements: [{ from: checkpointId(first), to: checkpointId(middle), summary: SUMMARY }] };
  },
  run: ({ messages, replacements }) => compactThread(messages, replacements),
  check({ messages }, after) {
    const text = JSON.stringify(after);
    expectWork(text.split(SUMMARY).length === 2, NAME, "the summary is not there");
    expectWork(!text.includes('"type":"thinking"'), NAME, "thinking is left");
    return expectSmaller(NAME, messages, after);
  },
});
