import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Edit } from "../src/edits/edit.ts";
import { render, report } from "../src/index.ts";
import type { Message } from "../src/messages/message.ts";
import { withEdits } from "./support/arbitrary-edits.ts";
import { addedFaults, BindingWorld, faults, signThinking } from "./support/provider-judge.ts";
import { anyTranscript, checkProperty, deepFreeze, sameBytes, validTranscript } from "./support/transcripts.ts";

/** A range that reaches the end leaves its summary last: the caller adds the next user message. */
const history = { history: true } as const;

describe("render, with random logs and edits", () => {
  it("makes a valid view of a valid log", () => {
    checkProperty("valid in, valid out", [withEdits(validTranscript())], ({ log, edits }) => {
      const view = renderOrEmpty(log, edits);
      if (view !== undefined) assert.deepEqual(faults(view, history), []);
    });
  });

  it("adds no fault to a log that has some", () => {
    checkProperty("no new fault", [withEdits(anyTranscript())], ({ log, edits }) => {
      const view = renderOrEmpty(log, edits);
      if (view !== undefined) assert.deepEqual(addedFaults(log, view, history), []);
    });
  });

  it("changes neither log nor edits, and gives the same bytes each time", () => {
    checkProperty("pure", [withEdits(anyTranscript())], ({ log, edits }) => {
      deepFreeze(log);
      deepFreeze(edits);
      assert.ok(sameBytes(renderOrEmpty(log, edits), renderOrEmpty(log, edits)));
    });
  });

  it("is undone exactly", () => {
    checkProperty("undo", [withEdits(anyTranscript())], ({ log, edits }) => {
      const madeNow = edits.map((edit) => ({ ...edit, madeAt: log.length }));
      const undone = madeNow.map((edit) => ({ ...edit, undoneAt: log.length }));
      const view = render(log, undone);
      assert.equal(view.length, log.length);
      view.forEach((message, position) => assert.equal(message, log[position]));
    });
  });

  it("passes untouched messages through as the same objects, and reports every position", () => {
    checkProperty("identity", [withEdits(anyTranscript())], ({ log: transcript, edits }) => {
      const log = transcript.map((message) => ({ ...message })); // Some transcripts hold one object twice.
      const view = renderOrEmpty(log, edits);
      if (view === undefined) return;
      const { positions, firstChanged } = report(log, edits);
      assert.deepEqual(
        positions.map((entry) => entry.position),
        log.map((_, position) => position),
      );
      const shown = new Set(view);
      for (const { position, state } of positions) assert.equal(shown.has(log[position] as Message), state === "shown", `position ${position} is ${state}`);
      const first = positions.findIndex((entry) => entry.state !== "shown");
      assert.equal(firstChanged, first === -1 ? null : first);
    });
  });

  it("shows thinking only under the prefix that it was produced under, while the log grows", () => {
    checkProperty("binding", [withEdits(validTranscript())], ({ log: unsigned, edits }) => {
      const log = signThinking(unsigned);
      const views = [...log.keys(), log.length].map((length) => renderOrEmpty(log.slice(0, length), edits));
      if (views.includes(undefined)) return;
      const viewAt = (length: number): readonly Message[] => views[length] ?? [];
      const { world, grown } = BindingWorld.grow(log, viewAt);
      assert.deepEqual(grown, []);
      assert.deepEqual(world.faults(viewAt(log.length)), []);
    });
  });
});

function renderOrEmpty(log: readonly Message[], edits: readonly Edit[]): Message[] | undefined {
  try {
    return render(log, edits);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EMPTY_THREAD" || error.code === "LOOP_OPEN")) return undefined;
    throw error;
  }
}
