import { pruneMessages, type Message, type PrunerStrategy } from "../../src/index.ts";
import { newerHalf } from "../kept.ts";
import { createSubject, expectWork, type Subject } from "../subject.ts";
import { expectSmaller } from "./expect-smaller.ts";

const STRATEGIES: readonly PrunerStrategy[] = ["sliding-window", "summarize", "importance"];

export const pruneSubjects: readonly Subject[] = STRATEGIES.map((strategy) => {
  const name = `pruneMessages, ${strategy}`;
  return createSubject<readonly Message[], readonly Message[]>({
    name,
    jobs: ["drop the older half"],
    convert: (messages) => messages,
    run: (messages) => pruneMessages(messages, { strategy, maxTurns: newerHalf(messages.length) }),
    check(before, after) {
      expectWork(after.length < before.length, name, "no message was left out");
      return expectSmaller(name, before, after);
    },
  });
});
