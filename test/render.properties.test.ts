import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { arrange } from "../src/edits/arrange.ts";
import type { Edit } from "../src/edits/edit.ts";
import { extendView } from "../src/edits/extend-view.ts";
import { checkMessages, render, report, type RenderTarget } from "../src/index.ts";
import { indexLog } from "../src/messages/index-log.ts";
import type { Message } from "../src/messages/message.ts";
import { DEFAULT_TARGET } from "../src/messages/target.ts";
import { waitingCalls } from "../src/messages/waiting-calls.ts";
import { withEdits } from "./support/arbitrary-edits.ts";
import { addedFaults, BindingWorld, faults, signThinking } from "./support/provider-judge.ts";
import { anyTranscript, cases, checkProperty, deepFreeze, sameBytes, validTranscript } from "./support/transcripts.ts";

/** A range that reaches the end leaves its summary last: the caller adds the next user message. */
const history = { history: true } as const;

const targets = fc.record(
  { bindsThinking: fc.boolean(), dropBlock: fc.boolean(), prefill: fc.boolean(), thinking: fc.constantFrom("adaptive", "manual", "off") },
  { requiredKeys: [] },
);

/** Ranges that cross, and loops that are open, are refused. */
function viewOrUndefined<T>(arranged: () => T): T | undefined {
  try {
    return arranged();
  } catch {
    return undefined;
  }
}

describe("render, with random logs and edits", () => {
  it("makes a valid view of a valid log", () => {
    checkProperty("valid in, valid out", [withEdits(validTranscript())], ({ log, edits }) => {
      const view = renderOrEmpty(log, edits);
      if (view !== undefined) assert.deepEqual(faults(view, history), []);
    });
  });

  it("goes on from the view of a shorter log with the very view of the whole one, or not at all", () => {
    let extended = 0;
    const given = [withEdits(validTranscript(), { maxEdits: 2, madeAt: "any" }), targets] as const;
    checkProperty("extended", given, ({ log, edits: all }, some) => {
      const target = { ...DEFAULT_TARGET, ...some, seenFrom: 0 };
      const edits = all.filter(({ undoneAt }) => undoneAt === undefined);
      let isExtended = false;
      for (let length = Math.max(0, log.length - 3); length <= log.length; length++) {
        const [before, added] = [edits.filter(({ madeAt }) => madeAt <= length), edits.filter(({ madeAt }) => madeAt > length)];
        const head = log.slice(0, length);
        const known = viewOrUndefined(() => arrange(head, indexLog(head), before, target));
        const view = known && viewOrUndefined(() => extendView({ ...known, length, edits: before }, log, indexLog(log), added, target));
        if (view === undefined) continue;
        isExtended = true;
        const whole = arrange(log, indexLog(log), [...before, ...added], target);
        assert.ok(sameBytes(view.messages, whole.messages));
        assert.deepEqual(view.positions, whole.positions);
        assert.deepEqual(view.messages.slice(0, view.kept), known?.messages.slice(0, view.kept));
      }
      if (isExtended) extended++;
    });
    assert.ok(extended > cases() / 10, `only ${extended} were extended`);
  });

  it("is sendable where that is asked for, and then the same if it was so before", () => {
    checkProperty("sendable", [withEdits(validTranscript()), targets], ({ log, edits }, target) => {
      if (checkMessages(log, target).length > 0) return;
      const view = renderOrEmpty(log, edits, target);
      if (view === undefined) return;
      const sent = renderOrEmpty(log, edits, { ...target, sendable: true });
      // What the provider has yet to answer can be followed by nothing.
      if (sent === undefined) {
        assert.ok(waitingCalls(view, indexLog(view).calls).length > 0);
        return;
      }
      assert.deepEqual(checkMessages(sent, target), []);
      const isSame = sent.length === view.length && sent.every((message, number) => sameBytes(message, view[number]));
      assert.equal(isSame, checkMessages(view, target).length === 0);
      assert.equal(report(log, edits, { ...target, sendable: true }).positions.length, log.length);
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

function renderOrEmpty(log: readonly Message[], edits: readonly Edit[], target: RenderTarget = {}): Message[] | undefined {
  try {
    return render(log, edits, target);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EMPTY_THREAD" || error.code === "LOOP_OPEN")) return undefined;
    throw error;
  }
}
