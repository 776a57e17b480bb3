import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { makeEdit, render, type Change, type Edit, type Message } from "../../src/index.ts";
import { assistant, results, text, think, use, user } from "../support/build.ts";
import { arbitraryEdits, checkProperty, sameBytes, validTranscript } from "../support/transcripts.ts";

const edit = (change: Change, madeAt: number): Edit => makeEdit({ pass: "test", reason: "because", tokensBefore: 0, tokensAfter: 0, madeAt, ...change });

const log: readonly Message[] = [
  user("q"),
  assistant(think("1"), use("a")),
  results("a"),
  assistant(think("3"), text("done")),
  user("r"),
  assistant(think("5"), use("b")),
  results("b"),
  assistant(think("7"), text("done")),
  user("s"),
  assistant(think("9"), text("done")),
  user("t"),
];

/** What was shown before is shown again, byte for byte, and the new messages come after it. */
function assertGrows(messages: readonly Message[], edits: readonly Edit[], from: number): void {
  for (let length = from; length < messages.length; length++) {
    const before = render(messages.slice(0, length), edits);
    const after = render(messages.slice(0, length + 1), edits);
    assert.ok(sameBytes(after.slice(0, before.length), before), `at length ${length + 1}`);
  }
}

describe("once shown, always shown like that, while the log grows", () => {
  const CHANGES: Readonly<Record<string, Change>> = {
    "a replaced result": { kind: "replace-result", at: { position: 2, block: 0 }, callId: "a", form: "stub", content: "short" },
    "a replaced input": { kind: "replace-input", at: { position: 1, block: 1 }, input: {} },
    "a collapsed round": { kind: "collapse-round", call: 1, lastResult: 2, note: "[Tool: read | Result summarized — called 2 turns ago]" },
    "a summary": { kind: "replace-range", from: { position: 1, block: 0 }, to: { position: 4, block: 0 }, role: "assistant", summary: "S." },
    "a deleted range": { kind: "replace-range", from: { position: 0, block: 0 }, to: { position: 4, block: 0 }, role: "assistant", summary: "" },
    "stripped thinking": { kind: "strip-blocks", at: [{ position: 3, block: 0 }] },
    "a replaced block": { kind: "replace-block", at: { position: 4, block: 0 }, text: "short" },
    "a last message that was stripped and kept": { kind: "strip-blocks", at: [{ position: 4, block: 0 }] },
  };
  for (const [what, change] of Object.entries(CHANGES)) {
    for (const madeAt of [5, 7, 9]) test(`${what}, made at ${madeAt}`, () => assertGrows(log, [edit(change, madeAt)], madeAt));
  }

  test("all of them together", () => {
    const changes = [CHANGES["a replaced result"], CHANGES["a replaced input"], CHANGES["a replaced block"], CHANGES["stripped thinking"]].filter(
      (change) => change !== undefined,
    );
    assertGrows(
      log,
      changes.map((change, number) => edit(change, 5 + number * 2)),
      11,
    );
  });

  test("random histories with random edits", () => {
    // Where the user speaks and no round is open: amid a round, a summary moves after the results that are still to come.
    const grown = fc
      .tuple(validTranscript({ end: "user" }), validTranscript({ end: "user" }))
      .chain(([first, more]) =>
        arbitraryEdits(first).map((edits) => ({ edits, first: [...first, user("and then?")], more: more.filter((message) => message.role !== "system") })),
      );
    checkProperty("byte stability", [grown], ({ first, more, edits }) => {
      const before = renderOrNone(first, edits);
      const after = renderOrNone([...first, assistant("ok"), ...more], edits);
      if (before === undefined || after === undefined) return;
      assert.ok(sameBytes(after.slice(0, before.length), before));
    });
  });
});

function renderOrNone(messages: readonly Message[], edits: readonly Edit[]): Message[] | undefined {
  try {
    return render(messages, edits);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "EMPTY_THREAD" || error.code === "LOOP_OPEN")) return undefined;
    throw error;
  }
}
