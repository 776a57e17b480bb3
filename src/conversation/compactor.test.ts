import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, round, use, user } from "../../test/support/build.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Message } from "../messages/message.ts";
import { contentTokens } from "../tokens/message-tokens.ts";
import { compact, createCompactor, plan, PRESETS, type CompactorOptions, type ToolSettings } from "./index.ts";

const lines = (count: number, name: string): string =>
  Array.from({ length: count }, (_, line) => `${name}_${line}: value ${line * 7919} of something`).join("\n");

/** A conversation of N rounds, each with a result of some 50 lines. */
function conversation(rounds: number, tool = "query"): Message[] {
  const log: Message[] = [user("Find out why the build of module_alpha fails.")];
  for (let round = 0; round < rounds; round++) {
    log.push(assistant(use(`c${round}`, tool, { table: `t_${round}`, note: "n".repeat(20) })));
    log.push(user(res(`c${round}`, lines(50, `row_${round}`))));
  }
  return log;
}

const code = (error: unknown): string => (PalimpsestError.isInstance(error) ? `${error.code} ${String(error.data["path"])}` : String(error));
const contentAt = (messages: readonly Message[], position: number): string => JSON.stringify(messages[position]?.content);

describe("at ingest", () => {
  test("a long result shows its most telling lines, says what was cut, and names its handle", () => {
    const log = conversation(1);
    const { messages, edits } = createCompactor({ firstSightTokens: 200, firstSightFileTokens: 200 }).next(log);
    assert.equal(edits.length, 1);
    assert.match(contentAt(messages, 2), /row_0_\d+: value \d+.*\[… \d+ lines cut\].*\[recall handle: [a-z0-9]+\]/);
    assert.equal(edits[0]?.handle, /\[recall handle: ([a-z0-9]+)\]/.exec(contentAt(messages, 2))?.[1]);
  });
  test("an edit has the tokens of what it shows", () => {
    const [edit] = createCompactor({ firstSightTokens: 200, firstSightFileTokens: 200 }).next(conversation(1)).edits;
    assert.ok(edit?.kind === "replace-result");
    assert.equal(edit.tokensAfter, contentTokens(edit.content));
  });
  test("errors and diffs stay as they are", () => {
    const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,200 +1,200 @@\n${lines(200, "+row")}`;
    const log: Message[] = [
      user("q"),
      assistant(use("a", "run"), use("b", "git_diff")),
      user(res("a", lines(200, "error"), { is_error: true }), res("b", diff)),
    ];
    assert.deepEqual(createCompactor({ firstSightTokens: 100, firstSightFileTokens: 100 }).next(log).messages, log);
  });
  for (const preset of ["gentle", "balanced", "tight"] as const) {
    test(`a diff that no sample meets stays as it is, when it comes and when it is old: ${preset}`, () => {
      const hunk = (number: number): string => `@@ -${number},3 +${number},3 @@\n context\n-old_value_${number}\n+new_value_${number}\n`;
      const diff = Array.from({ length: 1_000 }, (_, number) => hunk(number + 1)).join("");
      const coloured = diff.replaceAll(/^.*$/gm, (line) => (line === "" ? "" : `\u001b[32m${line}\u001b[m`));
      const message = "    why it was done, told at length\n".repeat(400);
      const [first, ...others] = [
        round("a", coloured, "Bash", { command: "git diff --color=always" }),
        round("b", `commit 1\n\n${message}\n${hunk(1)}${message}`, "Bash", { command: "git show" }),
        round("c", `${message}2c2\n< old_value\n---\n> new_value\n${message}`, "Bash", { command: "make check" }),
      ];
      const log: Message[] = [user("Go."), ...first, ...others.flat(), ...conversation(4).slice(1)];
      const options: CompactorOptions = {
        preset,
        digestTokens: 0,
        tailTokens: 0,
        tailTurns: 0,
        minBatchTokens: 0,
        stubTokens: 0,
        firstSightTokens: 300,
        firstSightFileTokens: 300,
      };
      const compactor = createCompactor(options);
      for (const [length, step] of [[3, {}], [7, {}], [log.length, { headHash: "cold" }]] as const)
        assert.deepEqual(compactor.next(log.slice(0, length), step).messages.slice(1, 7), log.slice(1, Math.min(7, length))); // prettier-ignore
      assert.ok(compactor.next([...log, assistant("So."), user("On.")], { headHash: "other" }).edits.length > 0);
    });
  }
  test("a tool can be protected, or have a limit of its own", () => {
    const log = conversation(1);
    const shown = (options: CompactorOptions): number =>
      contentAt(createCompactor({ firstSightTokens: 200, firstSightFileTokens: 200, ...options }).next(log).messages, 2).length;
    assert.equal(shown({ tools: { query: { protect: true } } }), contentAt(log, 2).length);
    assert.ok(shown({ tools: { query: { limit: 50 } } }) < shown({}));
  });
  test("a tool can have its first or its last lines kept, or those that are asked for", () => {
    const log = conversation(1);
    const shown = (settings: ToolSettings): string => contentAt(createCompactor({ tools: { query: { limit: 100, ...settings } } }).next(log).messages, 2);
    assert.match(shown({ keep: "head" }), /"row_0_0: .*\[… \d+ lines cut\]\\n\[recall handle: \w+\]"/);
    assert.match(shown({ keep: "tail" }), /"\[… \d+ lines cut\]\\n.*row_0_49: [^\\]*\\n\[recall handle: \w+\]"/);
    assert.match(shown({ instructions: "last 2 lines" }), /row_0_48: .*row_0_49: /);
    assert.doesNotMatch(shown({ instructions: "last 2 lines" }), /row_0_1:/);
  });
});

describe("batches", () => {
  const options: CompactorOptions = {
    preset: "balanced",
    model: "claude-opus-5",
    firstSightTokens: 0,
    firstSightFileTokens: 0,
    tailTokens: 500,
    tailTurns: 1,
    minBatchTokens: 100,
  };
  const editsAfter = (steps: readonly object[], more: CompactorOptions = {}): number[] => {
    const compactor = createCompactor({ ...options, ...more });
    return steps.map((step, number) => compactor.next(conversation(number + 2), step).edits.length);
  };
  const warm = Array.from({ length: 6 }, (_, number) => ({ atMs: number * 1_000 }));

  test("wait until they pay", () => {
    assert.deepEqual(editsAfter(warm), [0, 0, 0, 0, 0, 0]);
    const many = Array.from({ length: 80 }, (_, number) => ({ atMs: number * 1_000 }));
    const counts = editsAfter(many, { horizonPercent: 100, tailTokens: 4_000, minBatchTokens: 3_000 });
    assert.ok((counts.at(-1) ?? 0) > 10);
    assert.ok(new Set(counts).size < 40, "in batches, not at every call");
  });
  test("come at once where the cache is cold, the model is another, or the head has changed", () => {
    const last = (step: object): number => editsAfter([...warm.slice(0, 5), step]).at(-1) ?? 0;
    assert.equal(last({ atMs: 5_000 }), 0);
    assert.ok(last({ atMs: 4_000 + 6 * 60_000 }) > 0);
    assert.ok(last({ atMs: 5_000, headHash: "other" }) > 0);
    assert.ok(last({ atMs: 5_000, model: "claude-sonnet-5" }) > 0);
  });
  test("a clock that steps back stops nothing: that pause is unknown, and the next one is measured on the new clock", () => {
    const back = { atMs: -3_600_000 };
    assert.equal(editsAfter([...warm.slice(0, 4), back]).at(-1), 0);
    assert.equal(editsAfter([...warm.slice(0, 4), back, { atMs: back.atMs + 1_000 }]).at(-1), 0);
    assert.ok((editsAfter([...warm.slice(0, 4), back, { atMs: back.atMs + 6 * 60_000 }]).at(-1) ?? 0) > 0);
  });
  test("without batches, none is made on a warm cache", () => {
    const many = Array.from({ length: 80 }, (_, number) => ({ atMs: number * 1_000 }));
    assert.equal(editsAfter(many, { batches: false, horizonPercent: 1_000 }).at(-1), 0);
  });
  test("long inputs of old calls keep their short fields", () => {
    const log: Message[] = [
      user("Write it."),
      assistant(use("w", "write", { path: "src/a.ts", content: lines(100, "code") })),
      user(res("w", "ok")),
      ...conversation(3).slice(1),
    ];
    const { messages, edits } = compact(log, { ...options, tailTurns: 2 });
    assert.ok(edits.some(({ kind }) => kind === "replace-input"));
    assert.match(contentAt(messages, 1), /"path":"src\/a\.ts","content":"code_0: .*more characters, 100 lines in all\] \[recall handle: [a-z0-9]+\]"/);
  });
});

describe("a limit", () => {
  test("is kept, and what is newest and the user's stays", () => {
    const log = conversation(30);
    const { messages, report } = compact(log, { budget: 3_000, firstSightTokens: 0, firstSightFileTokens: 0 });
    assert.ok(report.tokensAfter <= 3_000 && report.tokensBefore > 10_000, JSON.stringify([report.tokensBefore, report.tokensAfter]));
    assert.deepEqual([messages[0], messages.at(-1)], [log[0], log.at(-1)]);
  });
  test("that cannot be kept is said once", () => {
    const compactor = createCompactor({ budget: 50, firstSightTokens: 0, firstSightFileTokens: 0, model: "claude-opus-5" });
    const said = [2, 3, 4].map((rounds) => {
      compactor.next(conversation(rounds));
      return compactor.explain()?.because;
    });
    assert.deepEqual(
      said.map((because) => because === "the floor is above the limit"),
      [true, false, false],
    );
  });
});

test("explain says in words and numbers what the last call did", () => {
  const compactor = createCompactor({ model: "claude-opus-5" });
  assert.equal(compactor.explain(), undefined);
  compactor.next(conversation(1));
  const { call, because, words } = compactor.explain() ?? assert.fail();
  assert.deepEqual([call, because], [2, "nothing to do"]);
  assert.match(words, /^Call 2, \d+ tokens: nothing is worth a batch/);
});

test("the presets, in literals", () => {
  assert.deepEqual(Object.keys(PRESETS), ["gentle", "balanced", "tight"]);
  const same = { usedTurns: 1, highTokens: 0, lowTokens: 0, horizonPercent: 10 };
  assert.deepEqual(PRESETS, {
    gentle: {
      ...same,
      ...{ firstSightTokens: 8_000, firstSightFileTokens: 24_000, batches: true, tailTokens: 80_000, tailTurns: 60, minResultTokens: 300, keptPercent: 40 },
      ...{
        stubTokens: 1_000_000,
        inputTokens: 300,
        minBatchTokens: 2_000,
        digestTokens: 150_000,
        digestTailTokens: 30_000,
        digestTailTurns: 20,
        digestWithinCalls: 12,
      },
    },
    balanced: {
      ...same,
      ...{ firstSightTokens: 4_000, firstSightFileTokens: 12_000, batches: true, tailTokens: 12_000, tailTurns: 10, minResultTokens: 300, keptPercent: 40 },
      ...{
        stubTokens: 120_000,
        inputTokens: 200,
        minBatchTokens: 1_000,
        digestTokens: 100_000,
        digestTailTokens: 15_000,
        digestTailTurns: 20,
        digestWithinCalls: 10,
      },
    },
    tight: {
      ...same,
      ...{ firstSightTokens: 2_000, firstSightFileTokens: 6_000, batches: true, tailTokens: 40_000, tailTurns: 30, minResultTokens: 200, keptPercent: 30 },
      ...{
        stubTokens: 200_000,
        inputTokens: 100,
        minBatchTokens: 500,
        digestTokens: 70_000,
        digestTailTokens: 4_000,
        digestTailTurns: 14,
        digestWithinCalls: 16,
      },
    },
  });
});

describe("bad input", () => {
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    ["an unknown preset", () => createCompactor({ preset: "wild" as never }), "INVALID_OPTION options.preset"],
    ["an unknown option", () => createCompactor({ tokens: 1 } as object), "INVALID_OPTION options.tokens"],
    ["a limit of nothing", () => createCompactor({ budget: 0 }), "INVALID_OPTION options.budget"],
    ["a low mark above the high one", () => createCompactor({ highTokens: 10, lowTokens: 20 }), "INVALID_OPTION options.lowTokens"],
    ["digests that leave all", () => createCompactor({ digestTokens: 10, digestTailTokens: 20 }), "INVALID_OPTION options.digestTailTokens"],
    ["a percentage of nothing", () => createCompactor({ keptPercent: 0 }), "INVALID_OPTION options.keptPercent"],
    ["a setting of a tool", () => createCompactor({ tools: { a: { limit: -1 } } }), "INVALID_OPTION options.tools.a.limit"],
    ["what is kept of a tool", () => createCompactor({ tools: { a: { keep: "middle" as never } } }), "INVALID_OPTION options.tools.a.keep"],
    ["no messages", () => compact("none" as never), "INVALID_INPUT messages"],
    ["an input without a bottom", () => plan(deepCall()), "INVALID_INPUT messages.1"],
    ["a message without a role", () => plan([{ content: "a" }] as never), "INVALID_INPUT messages.0.role"],
    ["another version's state", () => createCompactor({ state: { version: 9 } }), "STATE_VERSION undefined"],
    ["a state that is none", () => createCompactor({ state: 1 }), "INVALID_INPUT state"],
  ];
  for (const [name, run, expected] of cases) test(name, () => assert.throws(run, (error) => code(error) === expected));
});

/** A call with an input that is nested beyond what the stack can follow. */
function deepCall(): Message[] {
  let input: object = {};
  for (let level = 0; level < 20_000; level++) input = { input };
  return [user("Go."), assistant(use("c", "Do", input))];
}
