import { trimMessages, type BaseMessage } from "@langchain/core/messages";
import { newerHalf } from "../kept.ts";
import { createSubject, expectWork, type Job, type Subject } from "../subject.ts";
import { langchainMessages } from "./langchain-messages.ts";

/** Its token counter runs over all that is left after each message it takes away. Counting messages is the cheapest counter it can have. */
export const langchainCoreSubjects: readonly Subject[] = [
  trim("@langchain/core trimMessages", ["drop the older half"]),
  trim("@langchain/core trimMessages, with checkpoints", ["replace a range"]),
];

function trim(name: string, jobs: readonly Job[]): Subject {
  return createSubject<BaseMessage[], BaseMessage[]>({
    name,
    jobs,
    convert: langchainMessages,
    run: (messages) => trimMessages(messages, { strategy: "last", maxTokens: newerHalf(messages.length), tokenCounter: (left) => left.length }),
    check(before, after) {
      expectWork(after.length === newerHalf(before.length) && after.at(-1)?.content === before.at(-1)?.content, name, `${after.length} messages are left`);
      return `${after.length} of ${before.length} messages left`;
    },
  });
}
