import { trimMessages, type BaseMessage } from "@langchain/core/messages";
import { newerHalf } from "../kept.ts";
import { createSubject, expectWork, type Subject } from "../subject.ts";
import { langchainMessages } from "./langchain-messages.ts";

const NAME = "@langchain/core trimMessages";

/** Its token counter runs over all that is left after each message it takes away. Counting messages is the cheapest counter it can have. */
export const langchainCoreSubjects: readonly Subject[] = [
  createSubject<BaseMessage[], BaseMessage[]>({
    name: NAME,
    jobs: ["drop the older half", "replace a range"],
    convert: langchainMessages,
    run: (messages) => trimMessages(messages, { strategy: "last", maxTokens: newerHalf(messages.length), tokenCounter: (left) => left.length }),
    check(before, after) {
      expectWork(after.length === newerHalf(before.length) && after.at(-1)?.content === before.at(-1)?.content, NAME, `${after.length} messages are left`);
      return `${after.length} of ${before.length} messages left`;
    },
  }),
];
