/**
 * Every policy on real recordings: no view has a fault that its log lacks.
 * They are no part of this repository: see `support/corpus.ts`.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { loadTranscript, type Trajectory } from "../src/formats/transcripts/load-transcript.ts";
import { addedFaults } from "../src/replay/added-faults.ts";
import { policyNamed } from "../src/replay/policies/policies.ts";
import { replayTrajectory } from "../src/replay/replay-trajectory.ts";
import { WireMessages } from "../src/replay/wire-messages.ts";
import { CORPUS_OPEN, HOW_TO_GET_IT, openIndex } from "./support/corpus.ts";

const folder = CORPUS_OPEN;
const index = openIndex();

/** Of each file the longest trajectory, as far as all policies can be played on it in a minute: `palimpsest replay` plays it all. */
const MOST_MESSAGES = 250;

/** Every policy by its own numbers, and those that wait for long contexts also by numbers that have them act early. */
const POLICIES = [
  "none",
  "gentle",
  "balanced",
  "tight",
  "budget:8000",
  "truncate",
  "collapse",
  "sliding-window",
  "sliding-window:9",
  "summarize:9",
  "importance",
  "importance:9",
  "token-budget:8000",
  "keep-last:3",
  "keep-last:3:10",
  "clear_tool_uses_20250919",
  "clear_tool_uses_20250919:8000:2:1000",
];

if (index.length === 0) {
  test("the corpus of transcripts is not there: no policy was played on it", (t) => {
    t.diagnostic(HOW_TO_GET_IT);
  });
}

for (const { file } of index) {
  describe(file, async () => {
    const { format, trajectories } = await loadTranscript(`${folder}/${file}`);
    const longest = trajectories.reduce((found, other) => (other.log.length > found.log.length ? other : found), trajectories[0] as Trajectory);
    const trajectory = { ...longest, log: longest.log.slice(0, MOST_MESSAGES) };
    const wire = new WireMessages(format.wire, trajectory.log);

    for (const [name, model] of POLICIES.flatMap((policy) => modelsFor(format.wire).map((model) => [policy, model] as const))) {
      test(model === undefined ? name : `${name}, ${model}`, () => {
        let calls = 0;
        for (const call of replayTrajectory(trajectory, policyNamed(name), model === undefined ? {} : { model })) {
          assert.deepEqual(addedFaults(call, wire), [], `call ${call.step}`);
          assert.ok(call.view.messages.length > 0, `call ${call.step}`);
          calls++;
        }
        assert.ok(calls > 0, "no call was played");
      });
    }
  });
}

/** That of the file and, where there may be thinking, one that binds it to its prefix. */
function modelsFor(wire: string): readonly (string | undefined)[] {
  return wire === "anthropic" ? [undefined, "claude-opus-5-5"] : [undefined];
}
