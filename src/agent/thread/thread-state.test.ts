import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { text, use } from "../../../test/support/build.ts";
import { idOf, outline } from "../../../test/support/threads/outline.ts";
import { compacts, image, result, says, thought } from "../../../test/support/threads/speak.ts";
import { createThread, type Thread, type ThreadOptions } from "../index.ts";

const options: ThreadOptions = {
  compress: { maxToolResultTokens: 20 },
  collapse: { collapseAfterTurns: 6 },
  budget: { inputTokenBudget: 100, toolResultRetentionChars: 30 },
  reminder: "Be brief.",
};

function resumed(thread: Thread): Thread {
  return createThread({ ...options, state: JSON.parse(JSON.stringify(thread)) });
}

const LONG = "a line of the log\n".repeat(40);

/** A run with everything in it, step by step. */
const STEPS: readonly ((thread: Thread) => unknown)[] = [
  (thread) => thread.user([text("q"), image]),
  (thread) => says(thread, thought("t1"), use("1"), use("2")),
  (thread) => thread.toolResults([result("2", LONG)]),
  (thread) => thread.toolResults([result("1", [text(LONG), image])]),
  (thread) => says(thread, thought("t2"), "So.", use("3")),
  (thread) => thread.toolResults([result("3", "failed", { is_error: true })]),
  (thread) => thread.pin(0, "the task"),
  (thread) => says(thread, use("r", "recall", { handle: thread.edits()[0]?.handle ?? "" })),
  (thread) => compacts(thread, [{ from: idOf(thread, "B"), to: idOf(thread, "C"), summary: "S." }], use("4")),
  (thread) => thread.toolResults([result("4", LONG)]),
  (thread) => thread.observe({ input_tokens: 50, cache_read_input_tokens: 60 }),
  (thread) => says(thread, thought("t3"), "done"),
  (thread) => thread.user("next"),
  (thread) => thread.undo(thread.edits().find(({ kind }) => kind === "replace-range")?.id ?? ""),
  (thread) => compacts(thread, [{ from: idOf(thread, "A"), to: idOf(thread, "B"), summary: "T." }]),
  (thread) => thread.unpin("pin-0"),
];

/** The request, or the error that says why there is none yet. */
function requestOf(thread: Thread): string {
  try {
    return JSON.stringify(thread.request());
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe("a resumed thread", () => {
  test("is the same at every point of a run", () => {
    const thread = createThread(options);
    for (const step of STEPS) {
      step(thread);
      const other = resumed(thread);
      assert.equal(JSON.stringify(other), JSON.stringify(thread));
      assert.equal(requestOf(other), requestOf(thread));
      assert.equal(other.id, thread.id);
      assert.deepEqual(other.checkpoints(), thread.checkpoints());
    }
    assert.ok(thread.edits().length >= 5);
  });

  test("goes on as the first one would, whenever it is resumed", () => {
    const whole = createThread(options);
    for (const step of STEPS) step(whole);
    const expected = outline(whole).map((line) => line.replace(/[a-z0-9]{8}\]/g, "handle]"));
    let thread = createThread(options);
    for (const step of STEPS) {
      step(thread);
      thread = resumed(thread);
    }
    assert.deepEqual(
      outline(thread).map((line) => line.replace(/[a-z0-9]{8}\]/g, "handle]")),
      expected,
    );
  });

  test("in the middle of a half-answered round waits for the rest", () => {
    const thread = createThread(options);
    for (const step of STEPS.slice(0, 3)) step(thread);
    const other = resumed(thread);
    assert.throws(() => other.request(), { code: "RESULTS_MISSING", data: { calls: ["1"] } });
    other.toolResults([result("1", "late")]);
    assert.match(outline(other).at(-1) ?? "", /^user: \{1: late\} \{2: a line of/);
  });

  test("recalls and undoes what the first one did", () => {
    const thread = createThread(options);
    for (const step of STEPS.slice(0, 4)) step(thread);
    const other = resumed(thread);
    const [cut] = other.edits();
    assert.deepEqual(other.recall({ handle: cut?.handle ?? "" }).content, [text(LONG), image]);
    other.undo(cut?.id ?? "");
    assert.deepEqual((other.request().messages.at(-1)?.content as readonly unknown[])[0], result("1", [text(LONG), image]));
  });
});

describe("an invalid state", () => {
  const good = (): Record<string, unknown> => {
    const thread = createThread();
    thread.user("q");
    says(thread, use("1"));
    return JSON.parse(JSON.stringify(thread)) as Record<string, unknown>;
  };
  const edit = { id: "e", kind: "strip-blocks", at: [{ position: 9, block: 0 }], pass: "p", reason: "r", madeAt: 1, tokensBefore: 0, tokensAfter: 0 };
  const cases: Readonly<Record<string, { readonly state: unknown; readonly code: string; readonly path?: string }>> = {
    "not an object": { state: "x", code: "INVALID_INPUT", path: "state" },
    null: { state: null, code: "INVALID_INPUT", path: "state" },
    "of another version": { state: { ...good(), version: 2 }, code: "STATE_VERSION" },
    "of no version": { state: {}, code: "STATE_VERSION" },
    "without an id": { state: { ...good(), id: "" }, code: "INVALID_INPUT", path: "state.id" },
    "without a log": { state: { ...good(), log: "x" }, code: "INVALID_INPUT", path: "messages" },
    "with a message that is none": { state: { ...good(), log: [{ role: "user" }] }, code: "INVALID_INPUT", path: "messages.0.content" },
    "with edits that are none": { state: { ...good(), edits: [null] }, code: "INVALID_INPUT", path: "state.edits.0" },
    "with edits of another log": { state: { ...good(), edits: [edit] }, code: "INVALID_INPUT", path: "edits.0.at.0.position" },
    "without pins": { state: { ...good(), pins: undefined }, code: "INVALID_INPUT", path: "state.pins" },
    "with a pin that is none": { state: { ...good(), pins: [{ id: "p" }] }, code: "INVALID_INPUT", path: "state.pins.0" },
    "with a pin beyond the log": { state: { ...good(), pins: [{ id: "p", position: 9, reason: "" }] }, code: "INVALID_INPUT", path: "state.pins.0.position" },
    "with a length that is none": { state: { ...good(), seenFrom: -1 }, code: "INVALID_INPUT", path: "state.seenFrom" },
    "with held results that are none": { state: { ...good(), held: [{ type: "text", text: "x" }] }, code: "INVALID_INPUT", path: "state.held.0.type" },
    "with held results for no call": { state: { ...good(), held: [result("9")] }, code: "CALL_UNKNOWN" },
  };
  for (const [name, { state, code, path }] of Object.entries(cases)) {
    test(name, () => {
      assert.throws(
        () => createThread({ state }),
        (error: { code: string; data: { path?: string } }) => {
          assert.equal(error.code, code);
          if (path !== undefined) assert.equal(error.data.path, path);
          return true;
        },
      );
    });
  }

  test("is an error that names its version, and the one that can be read", () => {
    assert.throws(() => createThread({ state: { ...good(), version: 2 } }), { code: "STATE_VERSION", data: { found: 2, expected: 1 } });
  });
});
