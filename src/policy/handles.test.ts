import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, use, user } from "../../test/support/build.ts";
import type { Block, Message } from "../messages/message.ts";
import { compact, type PolicyOptions } from "../conversation/index.ts";

const OPTIONS: PolicyOptions = {
  firstSightTokens: 0,
  firstSightFileTokens: 0,
  tailTokens: 0,
  tailTurns: 1,
  minResultTokens: 50,
  minBatchTokens: 0,
  inputTokens: 40,
};
const lines = (name: string): string => Array.from({ length: 60 }, (_, line) => `${name}_${line}: ${line * 7919}`).join("\n");
const picture = (data: string): Block => ({ type: "image", source: { type: "base64", media_type: "image/png", data: data.repeat(4_000) } }) as Block;

/** A result, an input and an image of the user's, at the same places whatever they say. */
function conversation(name: string): Message[] {
  const log: Message[] = [user({ type: "text", text: "Look." }, picture(name.slice(0, 1)))];
  for (const number of [0, 1, 2]) log.push(assistant(use(`c${number}`, "query", { text: lines(name) })), user(res(`c${number}`, lines(name))));
  return log;
}

const handlesOf = (name: string, more: PolicyOptions = {}): (string | undefined)[] =>
  compact(conversation(name), { ...OPTIONS, ...more }).edits.map(({ handle }) => handle);

describe("two uses of compact()", () => {
  for (const [what, more] of [
    ["pieces", {}],
    ["digests", { budget: 700 }],
  ] as const) {
    test(`never name two contents by one handle: ${what}`, () => {
      const [one, other] = [handlesOf("alpha", more), handlesOf("beta", more)];
      assert.ok(one.length > 0 && one.every((handle) => handle !== undefined));
      assert.deepEqual(
        one.filter((handle) => other.includes(handle)),
        [],
      );
      assert.deepEqual(handlesOf("alpha", more), one);
    });
  }
  test("with a thread, a handle depends on the thread too, and two branches of it never share one", () => {
    const named = handlesOf("alpha", { thread: "t" });
    assert.deepEqual(handlesOf("alpha", { thread: "t" }), named);
    assert.ok(!handlesOf("beta", { thread: "t" }).some((handle) => named.includes(handle)));
    assert.ok(!handlesOf("alpha", { thread: "u" }).some((handle) => named.includes(handle)));
  });
});
