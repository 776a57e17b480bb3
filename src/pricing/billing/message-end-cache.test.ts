import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, res, text, use, user } from "../../../test/support/build.ts";
import type { Block, Message } from "../../messages/message.ts";
import { costOf, type BilledRequest, type RequestBill } from "../index.ts";

const breakpoint = (name: string, ttl?: string): Block => text(name, { prompt_cache_breakpoint: { mode: "explicit", ...(ttl === undefined ? {} : { ttl }) } });

/** Every block has 1000 tokens, but for the first, which has 1024. */
const bills = (requests: readonly BilledRequest[], id = "gpt-6.1-sol"): readonly RequestBill[] =>
  costOf(requests, id, { tokensOf: (_block, { part, position, block }) => (part !== "tools" && position + block === 0 ? 1024 : 1000) }).requests;
const lastRead = (...requests: BilledRequest[]): number | undefined => bills(requests).at(-1)?.cacheRead;

describe("implicit breakpoints of GPT-5.6 and later", () => {
  test("the last of several results ends a message, not each of them", () => {
    const turn = [user(text("q")), assistant(use("a"), use("b")), user(res("a"), res("b"))];
    const cut = [user(text("q")), assistant(use("a"), use("b")), user(res("a")), user(text("r"))];
    assert.deepEqual([lastRead({ messages: turn }, { messages: [...turn, user(text("r"))] }), lastRead({ messages: turn }, { messages: cut })], [5024, 0]);
  });
  test("results in several messages are one group", () => {
    const turn = [user(text("q")), assistant(use("a"), use("b")), user(res("a")), user(res("b"))];
    assert.equal(lastRead({ messages: turn.slice(0, 3) }, { messages: turn }), 0);
  });
  test("text after results is a message of its own", () => {
    const turn = [user(text("q")), assistant(use("a"))];
    assert.equal(lastRead({ messages: [...turn, user(res("a"))] }, { messages: [...turn, user(res("a"), text("more"))] }), 3024);
  });
  test("a longer message is another message", () => assert.equal(lastRead({ messages: [user(text("a"))] }, { messages: [user(text("a"), text("b"))] }), 0));
  test("the instructions at the start end a message, instructions in between do not", () => {
    const system = [text("i")];
    assert.equal(lastRead({ system, messages: [] }, { system, messages: [user(text("a"))] }), 1024);
    const late: Message = { role: "system", content: "s" };
    assert.equal(bills([{ messages: [user(text("a")), late] }])[0]?.uncached, 1000);
  });
  test("of more than 80 breakpoints only the newest are compared", () => {
    const start = [user(text("0"))];
    const more = (count: number): Message[] => Array.from({ length: count }, (_, number) => [assistant(text("m")), user(text(`${number}`))]).flat();
    assert.equal(lastRead({ messages: start }, { messages: [...start, ...more(79)] }), 1024);
    assert.equal(lastRead({ messages: start }, { messages: [...start, ...more(80)] }), 0);
  });
});

describe("explicit breakpoints", () => {
  const five = ["a", "b", "c", "d", "e"].map((name) => breakpoint(name));
  const edited = (kept: number): BilledRequest => ({ messages: [user(...five.slice(0, kept), breakpoint("z"))] });

  test("beside the implicit one, the newest three are written", () => {
    const request = { messages: [user(...five, text("end"))] };
    // c, d and e; the implicit one is at the end
    assert.deepEqual([lastRead(request, edited(2)), lastRead(request, edited(3))], [0, 3024]);
  });
  test("without it, the newest four", () => {
    const request = { prompt_cache_options: { mode: "explicit" }, messages: [user(...five, text("end"))] };
    assert.deepEqual([lastRead(request, edited(1)), lastRead(request, edited(2))], [0, 2024]);
    assert.equal(bills([request])[0]?.uncached, 1000);
  });
  test("mode explicit without a breakpoint: no caching", () => {
    const request: BilledRequest = { prompt_cache_options: { mode: "explicit" }, messages: [user(text("a"))] };
    assert.deepEqual(
      bills([request, request]).map(({ uncached }) => uncached),
      [1024, 1024],
    );
  });
  test("inside a tool result, at the end of it", () => {
    const output = res("a", [breakpoint("x"), text("y")]);
    const turn = [user(text("q")), assistant(use("a"))];
    const before: BilledRequest = { prompt_cache_options: { mode: "explicit" }, messages: [...turn, user(output), assistant(text("end"))] };
    assert.equal(lastRead(before, { messages: [...turn, user(output), assistant(text("other"))] }), 3024);
  });
  test("12 hours where they are asked for", () => {
    const request: BilledRequest = { messages: [user(breakpoint("a", "12h"), text("b"))] };
    assert.deepEqual(bills([request])[0]?.cacheWrite, { "12h": 1024, "30m": 1000 });
    const hours = (at: number): BilledRequest => ({ ...request, atMs: at * 3_600_000 });
    assert.deepEqual(
      bills([hours(0), hours(11)]).map(({ cacheRead }) => cacheRead),
      [0, 1024],
    );
  });
  test("12 hours for the whole request", () =>
    assert.deepEqual(bills([{ prompt_cache_options: { ttl: "12h" }, messages: [user(text("a"))] }])[0]?.cacheWrite, { "12h": 1024, "30m": 0 }));
});

test("a changed setting changes everything", () => {
  const request = (effort: string): BilledRequest => ({ reasoning: { effort }, messages: [user(text("a"))] });
  assert.deepEqual([lastRead(request("low"), request("low")), lastRead(request("low"), request("high"))], [1024, 0]);
});
