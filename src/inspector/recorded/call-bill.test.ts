/** What a recorded session is said to have cost is what `palimpsest/pricing` bills for the same requests. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assistant, res, text, think, use, user } from "../../../test/support/build.ts";
import { blocksOf, type Message } from "../../messages/message.ts";
import type { Request } from "../../messages/request.ts";
import { createBiller } from "../../pricing/biller.ts";
import { contentTokens } from "../../tokens/message-tokens.ts";
import { CallBiller } from "./call-bill.ts";

const SYSTEM = "Be careful. ".repeat(400);
const cache_control = { type: "ephemeral" } as const;

/** Its last block that may have a marker gets one. */
function marked(message: Message): Message {
  const blocks = blocksOf(message);
  const last = blocks.findLastIndex(({ type }) => type !== "thinking");
  return { ...message, content: blocks.map((block, number) => (number === last ? Object.assign({}, block, { cache_control }) : block)) };
}

function round(call: number): Message[] {
  const words = assistant(
    think(`s${call}`, "what next? ".repeat(300)),
    text(`Part ${call}.`),
    use(`c${call}`, "read", { call }),
    use(`d${call}`, "list", { call }),
  );
  return [words, user(res(`c${call}`, "line of a file\n".repeat(80 + call)), res(`d${call}`, "entry\n".repeat(30)))];
}

for (const model of ["claude-fable-5-2", "gpt-5.5", "gpt-6-sol"])
  test(`${model}: with a batch in the middle of the conversation, and a pause after which nothing is cached`, () => {
    const ours = new CallBiller();
    const theirs = createBiller(model);
    let messages: Message[] = [user("Go.")];
    let atMs = 1_800_000_000_000;
    for (let call = 0; call < 40; call++) {
      if (call === 20)
        messages = messages.map((message, at) => (at === 6 || at === 8 ? user(res(`c${at / 2 - 1}`, "cut"), res(`d${at / 2 - 1}`, "cut")) : message));
      atMs += call === 30 ? 100_000_000 : 10_000;
      const markedEnds = call < 20 ? [] : [8, 5];
      const request: Request = {
        system: [{ type: "text", text: SYSTEM, cache_control }] as never,
        messages: messages.map((message, at) => (markedEnds.includes(at) ? marked(message) : message)),
        cache_control,
      };
      const bill = theirs.bill({ ...request, outputTokens: 100, atMs });
      const { usage, dollars } = ours.bill(messages, { model, headTokens: contentTokens(SYSTEM), outputTokens: 100, atMs, markedEnds });
      // Each rounds the tokens of its blocks by itself.
      const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 130 + 0.003 * b;
      assert.ok(isClose(usage.cacheRead, bill.cacheRead), `call ${call}: ${usage.cacheRead} read, not ${bill.cacheRead}`);
      assert.ok(Math.abs(dollars / bill.dollars - 1) < 0.03, `call ${call}: $${dollars}, not $${bill.dollars}`);
      messages = [...messages, ...round(call)];
    }
  });
