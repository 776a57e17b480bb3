import { collapseToolChains, type Message } from "../../src/index.ts";
import { RECENT_MESSAGES } from "../kept.ts";
import { createSubject, expectWork, type Subject } from "../subject.ts";
import { expectSmaller } from "./expect-smaller.ts";

const NAME = "collapseToolChains";

/** With the turns of several calls, because the peers take those out too. */
export const collapseSubject: Subject = createSubject<readonly Message[], readonly Message[]>({
  name: NAME,
  jobs: ["take out old calls"],
  convert: (messages) => messages,
  run: (messages) => collapseToolChains(messages, { collapseAfterTurns: RECENT_MESSAGES, collapseMultiToolTurns: true }),
  check(before, after) {
    const notes = JSON.stringify(after).split("[Tool: ").length - JSON.stringify(before).split("[Tool: ").length;
    expectWork(notes > 0 && after.length < before.length, NAME, `${notes} calls were collapsed`);
    return `${notes} calls collapsed, ${expectSmaller(NAME, before, after)}`;
  },
});
