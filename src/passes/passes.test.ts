import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, calls, res, results, text, think, use, user } from "../../test/support/build.ts";
import type { Proposal } from "../edits/edit.ts";
import { indexLog } from "../messages/index-log.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import { DEFAULT_TARGET } from "../messages/target.ts";
import { capResults } from "./cap-results/cap-results.ts";
import { collapseRounds } from "./collapse-rounds/collapse-rounds.ts";
import { pruneTurns } from "./prune-turns/prune-turns.ts";
import { replaceBetweenCheckpoints, type Replacement } from "./replace-between-checkpoints/replace-between-checkpoints.ts";
import { stripVolatile } from "./strip-volatile/strip-volatile.ts";
import { truncateOldResults } from "./truncate-old-results/truncate-old-results.ts";

const answers = (id: string): Message => user(res(id, "x".repeat(100)), text(`<checkpoint:${id.repeat(6)}>`));
const at = (position: number, number = 0): { position: number; block: number } => ({ position, block: number });

const log: readonly Message[] = [
  user(text("q"), text("<system-reminder>r</system-reminder>")),
  calls("a"),
  answers("a"),
  assistant(think("s", ""), text("so")),
  user("go on<system-reminder>r</system-reminder>"),
  calls("b"),
  answers("b"),
];
const context = { index: indexLog(log), target: DEFAULT_TARGET };
const madeAt = log.length;

/** Every pass, what it proposes here, and an edit after which it has nothing to propose for the same place. */
const cut = `xxxx\n[truncated]`;
const collapsed: Proposal = {
  kind: "collapse-round",
  call: 1,
  lastResult: 2,
  note: "[Tool: read | Result summarized — called 4 turns ago]",
  pass: "collapse-rounds",
  reason: "more than 1 messages old",
  madeAt,
};
const capped = (position: number, callId: string): Proposal => ({
  kind: "replace-result",
  at: at(position),
  callId,
  form: "truncated",
  content: cut,
  pass: "cap-results",
  reason: "longer than 1 tokens",
  madeAt,
});

describe("what the passes propose", () => {
  test("cap-results: every long result, unless an edit shows it already", () => {
    assert.deepEqual(capResults(log, [], { maxTokens: 1, ...context }), [capped(2, "a"), capped(6, "b")]);
    assert.deepEqual(capResults(log, [capped(2, "a")], { maxTokens: 1, ...context }), [capped(6, "b")]);
    assert.deepEqual(capResults(log, [{ ...capped(2, "a"), undoneAt: 7 }], { maxTokens: 1, ...context }), [capped(2, "a"), capped(6, "b")]);
  });

  test("truncate-old-results: every old long result, unless an edit shows it already", () => {
    const proposals = truncateOldResults(log, [], { retainChars: 4, ...context });
    const content = "xxxx\n\n[truncated for context management]";
    const reason = "older than the newest round and longer than 4 characters";
    assert.deepEqual(proposals, [{ kind: "replace-result", at: at(2), callId: "a", form: "truncated", content, pass: "truncate-old-results", reason, madeAt }]);
    assert.deepEqual(truncateOldResults(log, [capped(2, "a")], { retainChars: 4, ...context }), []);
  });

  test("truncate-old-results: no result of the newest round, in whichever message it came", () => {
    const long = (id: string): Message => user(res(id, "x".repeat(100)));
    const truncated = (...thread: readonly Message[]): unknown[] =>
      truncateOldResults(thread, [], { retainChars: 4, index: indexLog(thread), target: DEFAULT_TARGET }).map((edit) => "callId" in edit && edit.callId);
    const two = [user("q"), calls("a", "b"), long("a"), long("b")];
    assert.deepEqual(truncated(...two), []);
    assert.deepEqual(truncated(...two, calls("c")), [], "another call waits");
    assert.deepEqual(truncated(...two, assistant("Done."), long("z")), ["a", "b"], "the newest answers no call");
    assert.deepEqual(truncated(user("q"), calls("a"), user("Wait."), calls("b"), long("b"), long("a")), ["b"], "an older call is answered last");
  });

  test("collapse-rounds: every old round, unless it is collapsed already", () => {
    const options = { afterTurns: 1, multiToolTurns: false, gistChars: 0, ...context };
    assert.deepEqual(collapseRounds(log, [], options), [collapsed]);
    assert.deepEqual(collapseRounds(log, [collapsed], options), []);
  });

  test("collapse-rounds: at any distance, each note tells its own", () => {
    const long = Array.from({ length: 1100 }, (_, round) => [calls(`c${round}`), answers(`c${round}`)]).flat();
    const rounds = collapseRounds(long, [], { index: indexLog(long), target: DEFAULT_TARGET, afterTurns: 1, multiToolTurns: false, gistChars: 0 });
    const told = rounds.map((edit) => (edit.kind === "collapse-round" ? [edit.lastResult, Number(/called (\d+) turns/.exec(edit.note)?.[1])] : []));
    assert.ok(told.length > 1024);
    for (const [lastResult = 0, distance] of told) assert.equal(distance, long.length - 1 - lastResult);
  });

  test("collapse-rounds: no round in which an id repeats, of few calls or of many", () => {
    const parallel = (ids: readonly string[]): readonly Message[] => [
      user("q"),
      { role: "assistant", content: ids.map((id) => use(id)) },
      { role: "user", content: ids.map((id) => res(id, "x")) },
      assistant("done"),
    ];
    const proposed = (ids: readonly string[]): number => {
      const index = indexLog(parallel(ids));
      return collapseRounds(parallel(ids), [], { index, target: DEFAULT_TARGET, afterTurns: 0, multiToolTurns: true, gistChars: 0 }).length;
    };
    const many = Array.from({ length: 12 }, (_, number) => `id${number}`);
    assert.deepEqual([["a", "b", "c"], ["a", "b", "a"], many, [...many, "id3"]].map(proposed), [1, 0, 1, 0]);
  });

  test("collapse-rounds: rounds of several calls whose ids come again in the rounds around them", () => {
    const ids = ["a", "b"];
    const many = Array.from({ length: 12 }, (_, number) => `id${number}`);
    const rounds = [...ids.map((id) => [id]), ids, ["a"], many, many].flatMap((of) => [calls(...of), results(...of)]);
    const long = [user("q"), ...rounds, assistant("done")];
    const proposals = collapseRounds(long, [], { index: indexLog(long), target: DEFAULT_TARGET, afterTurns: 0, multiToolTurns: true, gistChars: 0 });
    assert.deepEqual(
      proposals.map((edit) => edit.kind === "collapse-round" && edit.call),
      [1, 3, 5, 7, 9, 11],
    );
  });

  test("collapse-rounds: no call that was made by code, even if that is not in the log", () => {
    const byCode = assistant(use("a", "read", {}, { caller: { type: "code_execution_20250825", tool_id: "s" } }));
    const long = [user("q"), byCode, results("a"), calls("b"), results("b"), assistant("done")];
    const proposals = collapseRounds(long, [], { index: indexLog(long), target: DEFAULT_TARGET, afterTurns: 0, multiToolTurns: true, gistChars: 0 });
    assert.deepEqual(
      proposals.map((edit) => edit.kind === "collapse-round" && edit.call),
      [3],
    );
  });

  test("prune-turns: one range for every run that is left out, and says why", () => {
    const range = (from: number, to: number, summary: string, reason: string): Proposal => ({
      kind: "replace-range",
      from: at(from),
      to: at(to),
      role: "user",
      summary,
      pass: "prune-turns",
      reason,
      madeAt,
    });
    const window = "before the window of the newest messages";
    assert.deepEqual(pruneTurns(log, [], { strategy: "sliding-window", maxTurns: 2, ...context }), [range(0, 4, "", window)]);
    assert.deepEqual(pruneTurns(log, [], { strategy: "summarize", maxTurns: 2, ...context }), [range(0, 4, "[Previous context summarized: 4 turns]", window)]);
    const least = "among the least important messages";
    assert.deepEqual(pruneTurns(log, [], { strategy: "importance", maxTurns: 5, ...context }), [range(0, 1, "", least), range(3, 4, "", least)]);
  });

  test("prune-turns: in manual mode the newest response stays, wherever the user has gone on", () => {
    const thread = [user("q"), assistant("a"), user("r"), assistant("b"), user("s")];
    const left = (thinking: "manual" | "adaptive"): unknown[] =>
      pruneTurns(thread, [], { strategy: "sliding-window", maxTurns: 1, index: indexLog(thread), target: { ...DEFAULT_TARGET, thinking } }).map(
        (edit) => edit.kind === "replace-range" && [edit.from.position, edit.to.position],
      );
    assert.deepEqual([left("adaptive"), left("manual")], [[[0, 4]], [[0, 3]]]);
  });

  test("prune-turns: a thread without words of the user keeps its last message", () => {
    const marks = ["a", "b"].map((letter) => user(text(`<checkpoint:${letter.repeat(6)}>`)));
    const thread = [...marks.slice(0, 1), assistant("a"), ...marks.slice(1)];
    const [only, ...more] = pruneTurns(thread, [], { strategy: "sliding-window", maxTurns: 1, index: indexLog(thread), target: DEFAULT_TARGET });
    assert.deepEqual(only?.kind === "replace-range" && [only.from, only.to, more], [at(0), at(2), []]);
  });

  test("replace-between-checkpoints: what was asked for, and by which borders", () => {
    const proposals = replaceBetweenCheckpoints(log, [], { replacements: [{ from: "aaaaaa", to: "bbbbbb", summary: "S." }], ...context });
    const reason = "asked for: from checkpoint aaaaaa to checkpoint bbbbbb";
    assert.deepEqual(proposals, [
      { kind: "replace-range", from: at(3), to: at(7), role: "assistant", summary: "S.", pass: "replace-between-checkpoints", reason, madeAt },
    ]);
  });

  test("strip-volatile: reminders and thinking, but nothing inside a range or before `from`", () => {
    const origin = { pass: "strip-volatile", reason: "reminders and thinking were for their moment", madeAt };
    const words: Proposal = { ...origin, kind: "replace-block", at: at(4), text: "go on" };
    assert.deepEqual(stripVolatile(log, [], { from: at(0), ...context }), [words, { ...origin, kind: "strip-blocks", at: [at(0, 1), at(3, 0)] }]);
    assert.deepEqual(stripVolatile(log, [], { from: at(0, 2), ...context }), [words, { ...origin, kind: "strip-blocks", at: [at(3, 0)] }]);
    const range: Proposal = { kind: "replace-range", from: at(3), to: at(4), role: "user", summary: "", pass: "test", reason: "because", madeAt };
    assert.deepEqual(stripVolatile(log, [range], { from: at(0), ...context }), [words, { ...origin, kind: "strip-blocks", at: [at(0, 1)] }]);
  });

  test("strip-volatile: nothing that is stripped or replaced already, and all the rest beside it", () => {
    const [words, strip] = stripVolatile(log, [], { from: at(0), ...context }) as [Proposal, Proposal];
    const stripped: Proposal = { kind: "strip-blocks", at: [at(3, 0)], pass: "test", reason: "because", madeAt };
    assert.deepEqual(stripVolatile(log, [stripped], { from: at(0), ...context }), [words, { ...strip, at: [at(0, 1)] }]);
    assert.deepEqual(stripVolatile(log, [words], { from: at(0), ...context }), [strip]);
    assert.deepEqual(stripVolatile(log, [words, strip], { from: at(0), ...context }), []);
    assert.deepEqual(stripVolatile(log, [capped(2, "a"), collapsed], { from: at(0), ...context }), [words, strip]);
  });

  test("replace-between-checkpoints: what is refused says why, and what can be used", () => {
    const error = (replacements: readonly Replacement[], more: Partial<Parameters<typeof replaceBetweenCheckpoints>[2]> = {}): string => {
      try {
        replaceBetweenCheckpoints(log, [], { replacements, ...context, ...more });
      } catch (thrown) {
        if (PalimpsestError.isInstance(thrown)) return `${thrown.code}: ${thrown.message}`;
      }
      return "none";
    };
    const twice = [...log, ...log.slice(1, 3)];
    const refused = [
      error([{ from: "aaaaaa", to: "aaaaaa", summary: "" }]),
      error([{ from: "bbbbbb", summary: "" }]),
      error([{ from: "bbbbbb", to: "aaaaaa", summary: "" }]),
      error([{ from: "cccccc", summary: "" }]),
      error([{ to: "cccccc", summary: "" }], { checkpoints: [] }),
      error([{ from: "aaaaaa", summary: "" }], { hidden: new Set(["aaaaaa"]), checkpoints: [] }),
      error([
        { to: "bbbbbb", summary: "" },
        { from: "aaaaaa", summary: "" },
      ]),
      error([{ from: "aaaaaa", summary: undefined as never }]),
    ];
    assert.deepEqual(refused, [
      "RANGE_EMPTY: There is nothing from checkpoint aaaaaa to checkpoint aaaaaa.",
      "RANGE_EMPTY: There is nothing from checkpoint bbbbbb to the end.",
      "RANGE_REVERSED: Checkpoint bbbbbb lies after checkpoint aaaaaa: swap them.",
      'CHECKPOINT_UNKNOWN: There is no checkpoint "cccccc". Use one of: aaaaaa, bbbbbb.',
      'CHECKPOINT_UNKNOWN: There is no checkpoint "cccccc". The thread has no checkpoint that can be used.',
      "CHECKPOINT_HIDDEN: Checkpoint aaaaaa lies inside an earlier summary. The thread has no checkpoint that can be used.",
      "OVERLAPPING_RANGES: The stretches from the start to checkpoint bbbbbb and from checkpoint aaaaaa to the end overlap.",
      "INVALID_INPUT: replacements.0.summary: expected a string, found undefined",
    ]);
    assert.throws(
      () => replaceBetweenCheckpoints(twice, [], { replacements: [{ from: "aaaaaa", summary: "" }], index: indexLog(twice), target: DEFAULT_TARGET }),
      {
        code: "CHECKPOINT_AMBIGUOUS",
        message: "Checkpoint aaaaaa occurs 2 times. Use one of: bbbbbb.",
      },
    );
  });
});
