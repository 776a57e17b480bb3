import assert from "node:assert/strict";
import { test } from "node:test";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { memoized } from "./memoized.ts";

type Input = Parameters<Summarizer>[0];

const INPUT: Input = { text: "t", system: "s", instructions: "i", targetTokens: 5, model: "m" };

function counting(answer = "summary"): { readonly summarizer: Summarizer; readonly asked: Input[] } {
  const asked: Input[] = [];
  return { asked, summarizer: (input) => (asked.push(input), Promise.resolve(answer)) };
}

test("what was asked once is not asked again", async () => {
  const { summarizer, asked } = counting();
  const memo = new Map<string, string>();
  assert.equal(await memoized(summarizer, memo, "a")(INPUT), "summary");
  assert.equal(await memoized(summarizer, memo, "a")({ ...INPUT, signal: new AbortController().signal }), "summary");
  assert.equal(asked.length, 1);
  assert.deepEqual([...memo.values()], ["summary"]);
  assert.match([...memo.keys()].join(), /^[0-9a-f]{64}$/);
});

test("everything that an answer depends on makes another key", async () => {
  const { summarizer, asked } = counting();
  const memo = new Map<string, string>();
  const others: readonly Input[] = [
    INPUT,
    { ...INPUT, text: "T" },
    { ...INPUT, text: "\ud83d" },
    { ...INPUT, text: "\ud83e" },
    { ...INPUT, system: "S" },
    { ...INPUT, instructions: "I" },
    { ...INPUT, targetTokens: 6 },
    { ...INPUT, model: "M" },
    { text: "t", system: "s" },
    { text: "t", system: "s", instructions: "" },
    { text: "ts", system: "" },
    { text: "", system: "ts" },
  ];
  for (const input of others) await memoized(summarizer, memo, "a")(input);
  await memoized(summarizer, memo, "b")(INPUT);
  assert.equal(asked.length, others.length + 1);
});

test("a failure and an empty answer are not kept", async () => {
  const memo = new Map<string, string>();
  assert.equal(await memoized(counting(" ").summarizer, memo, "a")(INPUT), " ");
  await assert.rejects(memoized(() => Promise.reject(new Error("boom")), memo, "a")(INPUT), /boom/);
  assert.equal(memo.size, 0);
});

test("a memo may answer later", async () => {
  const known = memoized(counting().summarizer, { get: () => Promise.resolve("known"), set: () => Promise.reject(new Error("not called")) }, "a");
  assert.equal(await known(INPUT), "known");
});
