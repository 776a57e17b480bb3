import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { differencesOf } from "../../bench/quality/differences.ts";
import { dominanceOf, type Verdict } from "../../bench/quality/dominance.ts";
import { drawResamples } from "../../bench/quality/measure/bootstrap.ts";
import { summarize, type Run } from "../../bench/quality/summarize.ts";
import { scoreOf } from "./scores.ts";

const TASKS = Array.from({ length: 12 }, (_, number) => `task ${number}`);
const sampling = { tasks: TASKS, resamples: drawResamples(TASKS.length, 500) };

interface Made {
  readonly name: string;
  readonly kind: string;
  readonly tokens: number;
  /** The same for all tasks, or in turn. */
  readonly bound: readonly number[];
  readonly invalidViews?: number;
}

function runOf({ name, kind, tokens, bound, invalidViews = 0 }: Made): Run {
  const scores = TASKS.map((task, number) => ({ ...scoreOf({ task, isLong: true, bound: bound[number % bound.length] ?? 0, tokens }), invalidViews }));
  return { name, kind, scores };
}

function dominanceOn(made: readonly Made[]): ReturnType<typeof dominanceOf> {
  const runs = [{ name: "full context", kind: "control", tokens: 100, bound: [10] }, ...made].map(runOf);
  const full = runs[0]?.scores ?? [];
  const ours = runs.filter(({ kind }) => kind === "ours");
  const summaries = runs.map((run) => summarize(run, full, [], sampling));
  return dominanceOf(summaries, differencesOf(ours, runs, full, sampling));
}

const ours = (name: string, tokens: number, ...bound: readonly number[]): Made => ({ name, kind: "ours", tokens, bound });
const rival = (tokens: number, bound: number, invalidViews = 0): Made => ({ name: "rival", kind: "peer", tokens, bound: [bound], invalidViews });

describe("is a rival dominated?", () => {
  const rows: Readonly<Record<string, readonly [made: readonly Made[], answer: Verdict["answer"], by: string | undefined]>> = {
    "cheaper and keeps more": [[rival(80, 6), ours("a", 70, 8)], "yes", "a"],
    "as dear and keeps more": [[rival(80, 6), ours("a", 80, 7)], "yes", "a"],
    "keeps more in half of the tasks and less in the others": [[rival(80, 6), ours("a", 70, 10, 3)], "unsure", "a"],
    "keeps as much": [[rival(80, 6), ours("a", 70, 6)], "no", "a"],
    "keeps more and is dearer": [[rival(80, 6), ours("a", 81, 9)], "no", undefined],
    "of two, the one that is sure, though it keeps less": [[rival(80, 5), ours("a", 70, 6), ours("b", 70, 10, 2.1)], "yes", "a"],
    "of two that are sure, the one that keeps more": [[rival(80, 5), ours("a", 70, 6), ours("b", 75, 9)], "yes", "b"],
    "ours with invalid views is no answer": [[rival(80, 5), { ...ours("a", 70, 9), invalidViews: 1 }], "no", undefined],
  };
  for (const [name, [made, answer, by]] of Object.entries(rows)) {
    test(name, () => {
      for (const { verdicts } of dominanceOn(made)) assert.deepEqual(verdicts.map((verdict) => [verdict.answer, verdict.by?.name]), [[answer, by]]); // prettier-ignore
    });
  }
});

test("who sends invalid views, or saves next to nothing, is no rival", () => {
  const made = [{ ...rival(50, 9, 1), name: "invalid" }, { ...rival(96, 9), name: "dear" }, { ...rival(95, 9), name: "just cheap enough" }, ours("a", 40, 1)];
  for (const { verdicts, leftOut } of dominanceOn(made)) {
    assert.deepEqual(verdicts.map(({ rival: name }) => name), ["just cheap enough"]); // prettier-ignore
    assert.deepEqual(leftOut, [{ name: "invalid", why: "invalid views" }, { name: "dear", why: "too dear" }]); // prettier-ignore
  }
});

test("both scopes, both measures, both accountings, those by the recorded times first", () => {
  const found = dominanceOn([]).map(({ accounting, scope, measure }) => `${accounting} ${scope} ${measure}`);
  const four = ["all cost", "all bill", "long cost", "long bill"];
  assert.deepEqual(found, [...four.map((name) => `withGaps ${name}`), ...four.map((name) => `noGaps ${name}`)]);
});
