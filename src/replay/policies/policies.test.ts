import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, think, use, user } from "../../../test/support/build.ts";
import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import { blocksOf, isThinking, isToolResult, resultText, type Message } from "../../messages/message.ts";
import type { PolicyView, ReplayStep } from "../replay-policy.ts";
import { POLICY_FORMS, policyNamed } from "./policies.ts";

const BINDS: ReplayStep = { model: "claude-opus-5-5", headHash: "h" };
const FREE: ReplayStep = { model: "gpt-5", headHash: "h" };

/** A question and this many rounds, each with thinking and a result of this many lines. */
function logOf(rounds: number, lines = 60): Message[] {
  const round = (number: number): Message[] => [
    assistant(think(`s${number}`, `I need file ${number}.`), use(`c${number}`, "read", { path: `${number}.ts` })),
    user(res(`c${number}`, `line of ${number}\n`.repeat(lines))),
  ];
  return [user("Read the files."), ...Array.from({ length: rounds }, (_, number) => round(number)).flat()];
}

/** What is sent with each call of a log that grows by a round each time. */
function play(name: string, log: readonly Message[], step: ReplayStep = FREE): PolicyView[] {
  const run = policyNamed(name).start();
  const lengths = Array.from({ length: (log.length + 1) / 2 }, (_, number) => 2 * number + 1);
  return lengths.map((length) => run.next(log.slice(0, length), step));
}

function resultsIn(view: PolicyView | undefined): string[] {
  return (view?.messages ?? []).flatMap((message) => blocksOf(message).filter(isToolResult).map(resultText)); // prettier-ignore
}

function thinkingIn(view: PolicyView | undefined): number {
  return (view?.messages ?? []).flatMap((message) => blocksOf(message).filter(isThinking)).length;
}

describe("names", () => {
  test("are these", () =>
    assert.deepEqual(POLICY_FORMS, [
      "none",
      "gentle",
      "balanced",
      "tight",
      "budget:tokens",
      "truncate[:tokens]",
      "collapse[:turns]",
      "sliding-window[:turns]",
      "summarize[:turns]",
      "importance[:turns]",
      "token-budget[:tokens]",
      "keep-last:results[:batch]",
      "clear_tool_uses_20250919[:trigger[:keep[:at-least]]]",
    ]));

  for (const name of ["none", "tight", "budget:20000", "truncate", "truncate:2000", "keep-last:3", "keep-last:3:10", "clear_tool_uses_20250919:30000:3:10000"])
    test(`${name} is one`, () => assert.equal(policyNamed(name).name, name));

  for (const name of [
    "",
    "nope",
    "none:1",
    "budget",
    "budget:0",
    "budget:1.5",
    "truncate:",
    "truncate:-1",
    "truncate:1:2",
    "keep-last",
    "keep-last:3:0",
    "keep-last:a",
    "Balanced",
    "constructor",
  ])
    // prettier-ignore
    test(`${JSON.stringify(name)} is none, and the error lists all`, () =>
      assert.throws(
        () => policyNamed(name),
        (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_OPTION" && POLICY_FORMS.every((form) => error.message.includes(form)),
      ));
});

for (const name of [
  "none",
  "gentle",
  "balanced",
  "tight",
  "budget:2000",
  "truncate:20",
  "collapse:4",
  "sliding-window:5",
  "summarize:5",
  "importance:5",
  "token-budget:500",
  "keep-last:1",
  "keep-last:1:3",
  "clear_tool_uses_20250919:500:1",
])
  // prettier-ignore
  test(`${name}: two runs give the same, the log stays as it is, and handles are only those that are shown`, () => {
    const log = logOf(12);
    const before = structuredClone(log);
    const views = play(name, log, BINDS);
    assert.deepEqual(play(name, log, BINDS), views);
    assert.deepEqual(log, before);
    for (const { messages, recoverable } of views) for (const { handle } of recoverable) assert.ok(JSON.stringify(messages).includes(handle));
  });

test("none sends the log", () => {
  const log = logOf(3);
  assert.deepEqual(play("none", log).at(-1)?.messages, log);
});

test("truncate cuts at ingest, once and for all, and costs no thinking", () => {
  const views = play("truncate:5", logOf(3), BINDS);
  assert.deepEqual(resultsIn(views.at(-1))[0], "line of 0\nline of 0\n\n[truncated]");
  for (const [number, view] of views.entries()) assert.deepEqual(view.messages, views.at(-1)?.messages.slice(0, 2 * number + 1));
  assert.equal(thinkingIn(views.at(-1)), 3);
});

test("token-budget judges by the request before, and spares the results that the response answered and those that come next", () => {
  const views = play("token-budget:500", logOf(5, 100));
  const cut = views.map((view) => resultsIn(view).filter((text) => text.endsWith("[truncated for context management]")).length);
  assert.deepEqual(cut, [0, 0, 0, 1, 2, 3]);
});

test("keep-last leaves a line for older results, in batches if asked", () => {
  const stubbed = (views: readonly PolicyView[]): number[] => views.map((view) => resultsIn(view).filter((text) => text.startsWith("[Old")).length);
  const views = play("keep-last:2", logOf(5));
  assert.deepEqual(stubbed(views), [0, 0, 0, 1, 2, 3]);
  assert.equal(resultsIn(views.at(-1))[0], "[Old tool result: 61 lines omitted]");
  assert.deepEqual(stubbed(play("keep-last:1:2", logOf(6))), [0, 0, 0, 2, 2, 4, 4]);
  assert.deepEqual(stubbed(play("keep-last:1", logOf(5, 1))), [0, 0, 0, 0, 0, 0], "a line is not longer than what it stands for");
});

test("clear_tool_uses waits for its trigger, and clears nothing if it would be too little", () => {
  const cleared = (name: string): number[] => play(name, logOf(6)).map((view) => resultsIn(view).filter((text) => text === "[Old tool result content cleared]").length); // prettier-ignore
  assert.deepEqual(cleared("clear_tool_uses_20250919"), [0, 0, 0, 0, 0, 0, 0]);
  const early = cleared("clear_tool_uses_20250919:1000:2");
  assert.ok(early.at(-1) === 4 && early[2] === 0, early.join());
  assert.deepEqual(cleared("clear_tool_uses_20250919:1000:2:100000"), [0, 0, 0, 0, 0, 0, 0]);
});

describe("thinking is shown under the prefix that it was made under", () => {
  for (const name of ["keep-last:1", "clear_tool_uses_20250919:500:1", "token-budget:300"])
    test(`${name}: where it is bound, less of it is left`, () => {
      const log = logOf(8);
      const [bound, free] = [play(name, log, BINDS).at(-1), play(name, log, FREE).at(-1)];
      assert.ok(thinkingIn(bound) < thinkingIn(free), `${thinkingIn(bound)} and ${thinkingIn(free)}`);
    });
});

describe("written as JSON", () => {
  test("a list runs one policy after the other", () => {
    const log = logOf(30);
    const views = play('[{"compress":{"maxToolResultTokens":40}},{"collapse":{"collapseAfterTurns":4}},{"budget":{"inputTokenBudget":400}}]', log);
    const last = JSON.stringify(views.at(-1)?.messages);
    assert.match(last, /\[truncated\]/);
    assert.match(last, /\[Tool: read \|/);
    assert.ok((views.at(-1)?.recoverable.length ?? 0) > 0, "its handles give the originals back");
  });

  test("a preset with its options is that preset", () => {
    const [written, named] = ['{"budget":1000}', "budget:1000"].map((name) => JSON.stringify(play(name, logOf(40)).at(-1)?.messages).length);
    assert.ok(written !== undefined && named !== undefined && Math.abs(written - named) < named / 10, `${written} ${named}`);
  });

  test("what cannot be read is refused", () => assert.throws(() => policyNamed('[{"collapse":'), { code: "INVALID_OPTION" }));
});
