import { compactOldToolResults, type Message } from "../../src/index.ts";
import { createSubject, expectWork, type Subject } from "../subject.ts";
import { expectSmaller } from "./expect-smaller.ts";

const NAME = "compactOldToolResults";

interface Output {
  readonly messages: readonly Message[];
  readonly compacted: number;
}

export const compactOldSubject: Subject = createSubject<readonly Message[], Output>({
  name: NAME,
  jobs: ["shorten results"],
  convert: (messages) => messages,
  run: (messages) => compactOldToolResults(messages, { inputTokens: 1_000_000, onCompact: printNothing }),
  check(before, { messages, compacted }) {
    expectWork(compacted > 0, NAME, "no result was cut");
    return `${compacted} results cut, ${expectSmaller(NAME, before, messages)}`;
  },
});

function printNothing(): void {
  // The default prints a line per call.
}
