import assert from "node:assert/strict";
import { test } from "node:test";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Summarizer } from "../stateless/summarize-and-prune.ts";
import { inBackground } from "./in-background.ts";

interface Held {
  readonly text: string;
  readonly answer: (summary: string) => void;
  readonly fail: (error: Error) => void;
}

/** A summarizer whose answers come when the test says so. */
function held(): { readonly summarizer: Summarizer; readonly asked: Held[] } {
  const asked: Held[] = [];
  return { asked, summarizer: ({ text }) => new Promise((answer, fail) => void asked.push({ text, answer, fail })) };
}

const input = (text: string): Parameters<Summarizer>[0] => ({ text, system: "" });

test("it starts at once, and the summary is there later", async () => {
  const { summarizer, asked } = held();
  const background = inBackground(summarizer);
  background.request("a", input("A"));
  assert.equal(asked.length, 1);
  assert.deepEqual([background.ready("a"), background.stateOf("a")], [undefined, { state: "running" }]);
  asked[0]?.answer("done");
  await background.settled();
  assert.deepEqual([background.ready("a"), background.ready("b"), background.stateOf("b")], ["done", undefined, undefined]);
});

test("no more than its concurrency run at the same time, in the order in which they were asked for", async () => {
  const { summarizer, asked } = held();
  const background = inBackground(summarizer, { concurrency: 2 });
  for (const key of ["a", "b", "c", "d"]) background.request(key, input(key));
  background.request("a", input("again"));
  assert.deepEqual([asked.map(({ text }) => text), background.stateOf("c")], [["a", "b"], { state: "waiting" }]);
  const settled = background.settled();
  for (let index = 0; index < 4; index++) {
    asked[index]?.answer(`summary ${index}`);
    await new Promise(setImmediate);
  }
  await settled;
  assert.deepEqual(
    ["a", "b", "c", "d"].map((key) => background.ready(key)),
    ["summary 0", "summary 1", "summary 2", "summary 3"],
  );
});

test("a failure is recorded, thrown nowhere, and can be tried again", async () => {
  const boom = new Error("boom");
  let fails = true;
  const background = inBackground(() => {
    if (fails) throw boom;
    return Promise.resolve("fine");
  });
  background.request("a", input("A"));
  await background.settled();
  assert.deepEqual([background.ready("a"), background.stateOf("a")], [undefined, { state: "failed", error: boom }]);
  fails = false;
  background.request("a", input("A"));
  await background.settled();
  assert.equal(background.ready("a"), "fine");
});

test("what is forgotten while it waits is not begun, and while it runs it is thrown away", async () => {
  const { summarizer, asked } = held();
  const background = inBackground(summarizer, { concurrency: 1 });
  background.request("a", input("A"));
  background.request("b", input("B"));
  background.forget("a");
  background.forget("b");
  background.request("a", input("newer"));
  asked[0]?.answer("old");
  await new Promise(setImmediate);
  assert.deepEqual([asked.map(({ text }) => text), background.ready("a")], [["A", "newer"], undefined]);
  asked[1]?.answer("new");
  await background.settled();
  assert.deepEqual([background.ready("a"), background.stateOf("b")], ["new", undefined]);
});

test("settled with nothing to do is settled", async () => {
  await inBackground(held().summarizer).settled();
  assert.throws(() => inBackground(held().summarizer, { concurrency: 0 }), PalimpsestError);
});
