import type { Message } from "../src/index.ts";
import { createSubject, expectWork, type Subject } from "./subject.ts";

/** The cost of merely reading or copying the same thread. */
export const jsonParse: Subject = createSubject<string, unknown>({
  name: "JSON.parse",
  jobs: [],
  convert: (messages) => JSON.stringify(messages),
  run: (text) => JSON.parse(text) as unknown,
  check(before, after) {
    expectWork(JSON.stringify(after) === before, "JSON.parse", "another thread came out");
    return "the whole thread";
  },
});

export const cloned: Subject = createSubject<readonly Message[], readonly Message[]>({
  name: "structuredClone",
  jobs: [],
  convert: (messages) => messages,
  run: (messages) => structuredClone(messages),
  check(before, after) {
    expectWork(after !== before && after.length === before.length, "structuredClone", "another thread came out");
    return "the whole thread";
  },
});
