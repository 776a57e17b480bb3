import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Block, Message } from "../../messages/message.ts";
import { costOf, type BilledRequest, type RequestBill } from "../index.ts";

const text = (name: string, more: object = {}): Block => ({ type: "text", text: name, ...more }) as Block;
const breakpoint = (name: string, ttl?: string): Block => text(name, { prompt_cache_breakpoint: { mode: "explicit", ...(ttl === undefined ? {} : { ttl }) } });
const user = (...content: Block[]): Message => ({ role: "user", content });
const model = (...content: Block[]): Message => ({ role: "assistant", content });
const call = (id: string): Block => ({ type: "tool_use", id, name: "read", input: {} }) as Block;
const result = (id: string): Block => ({ type: "tool_result", tool_use_id: id, content: "x" }) as Block;

/** Every block has 1000 tokens, but for the first, which has 1024. */
const bills = (requests: readonly BilledRequest[], id = "gpt-6.1-sol"): readonly RequestBill[] =>
  costOf(requests, id, { tokensOf: (_block, { part, position, block }) => (part !== "tools" && position + block === 0 ? 1024 : 1000) }).requests;
const lastRead = (...requests: BilledRequest[]): number | undefined => bills(requests).at(-1)?.cacheRead;

describe("implicit breakpoints of GPT-5.6 and later", () => {
  test("the last of several results ends a message, not each of them", () => {
    const turn = [user(text("q")), model(call("a"), call("b")), user(result("a"), result("b"))];
    const cut = [user(text("q")), model(call("a"), call("b")), user(result("a")), user(text("r"))];
    assert.deepEqual([lastRead({ messages: turn }, { messages: [...turn, user(text("r"))] }), lastRead({ messages: turn }, { messages: cut })], [5024, 0]);
  });
  test("results in several messages are one group", () => {
    const turn = [user(text("q")), model(call("a"), call("b")), user(result("a")), user(result("b"))];
    assert.equal(lastRead({ messages: turn.slice(0, 3) }, { messages: turn }), 0);
  });
  test("text behind results is a message of its own", () => {
    const turn = [user(text("q")), model(call("a"))];
    assert.equal(lastRead({ messages: [...turn, user(result("a"))] }, { messages: [...turn, user(result("a"), text("more"))] }), 3024);
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
    const more = (count: number): Message[] => Array.from({ length: count }, (_, number) => [model(text("m")), user(text(`${number}`))]).flat();
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
    const output = { type: "tool_result", tool_use_id: "a", content: [breakpoint("x"), text("y")] } as Block;
    const turn = [user(text("q")), model(call("a"))];
    const before: BilledRequest = { prompt_cache_options: { mode: "explicit" }, messages: [...turn, user(output), model(text("end"))] };
    assert.equal(lastRead(before, { messages: [...turn, user(output), model(text("other"))] }), 3024);
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
