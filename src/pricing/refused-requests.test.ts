import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { res, text, user } from "../../test/support/build.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Block } from "../messages/message.ts";
import { costOf, createBiller, type BilledRequest, type BillOptions } from "./index.ts";

const mark = (ttl?: string): object => ({ cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) } });
const marked = (ttl?: string): Block => text("x", mark(ttl));
const bad = (value: unknown): BilledRequest => value as BilledRequest;

type Row = readonly [name: string, path: string, request: unknown, model?: string];

const REFUSED: readonly Row[] = [
  ["no request", "request", "x"],
  ["an array", "request", []],
  ["no messages", "messages", {}],
  ["a message without a role", "messages.1.role", { messages: [user(text("x")), { content: "x" }] }],
  ["a system prompt that is a number", "system", { system: 1, messages: [] }],
  ["a system block without a type", "system.1", { system: [text("x"), {}], messages: [] }],
  ["tools that are no array", "tools", { tools: {}, messages: [] }],
  ["a tool that is a string", "tools", { tools: ["x"], messages: [] }],
  ["a time that is none", "atMs", { atMs: Number.NaN, messages: [] }],
  ["half a token", "outputTokens", { outputTokens: 0.5, messages: [] }],
  ["a model that is no name", "model", { model: 5, messages: [] }],
  ["content that is no JSON", "messages.0.content.0", { messages: [user(text("x", { n: 1n }))] }],
  ["a setting that is no JSON", "thinking", { thinking: { n: 1n }, messages: [] }],
  // A6
  ["five markers", "cache_control", { system: [marked(), marked()], messages: [user(marked(), marked(), marked())] }],
  ["five markers, one inside a result", "cache_control", { messages: [user(marked(), marked(), marked(), nested(text("x", mark()), mark()))] }],
  ["four markers and the automatic one", "cache_control", { ...mark(), messages: [user(marked(), marked(), marked(), marked(), text("x"))] }],
  ["1 hour after 5 minutes", "messages.0.content.0.cache_control.ttl", { system: [marked("5m")], messages: [user(marked("1h"))] }],
  ["1 hour after the default", "cache_control.ttl", { ...mark("1h"), system: [marked()], messages: [user(text("x"))] }],
  ["an automatic marker of another ttl", "cache_control", { ...mark("1h"), messages: [user(marked("5m"))] }],
  ["a marker on thinking", "messages.0.content.0.cache_control", { messages: [user({ type: "thinking", ...mark() })] }],
  ["a marker on empty text", "messages.0.content.0.cache_control", { messages: [user(text("", mark()))] }],
  ["a marker of an unknown type", "tools.0.cache_control", { tools: [{ name: "x", cache_control: { type: "forever" } }], messages: [] }],
  ["a marker of an unknown ttl", "messages.0.content.0.cache_control.ttl", { messages: [user(marked("1d"))] }],
  ["cache options that are no object", "prompt_cache_options", { prompt_cache_options: "explicit", messages: [] }, "gpt-6.1-sol"],
  ["cache options of an unknown ttl", "prompt_cache_options.ttl", { prompt_cache_options: { ttl: "1h" }, messages: [] }, "gpt-6.1-sol"],
  [
    "a breakpoint of a ttl that the model has not",
    "messages.0.content.0.prompt_cache_breakpoint.ttl",
    { messages: [user(text("x", { prompt_cache_breakpoint: { mode: "explicit", ttl: "12h" } }))] },
    "gpt-6-sol",
  ],
];

function nested(part: Block, more: object): Block {
  return res("a", [part], more);
}

function failure(run: () => unknown): PalimpsestError {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof PalimpsestError);
    return error;
  }
  return assert.fail("nothing was thrown");
}

describe("a request that no provider would have billed", () => {
  for (const [name, path, request, model = "claude-opus-5"] of REFUSED) {
    test(name, () => {
      const error = failure(() => createBiller(model).bill(bad(request)));
      assert.deepEqual([error.code, error.data["path"]], ["INVALID_INPUT", path]);
    });
  }

  test("of many, the error names the request", () => {
    const error = failure(() => costOf([{ messages: [] }, bad({})], "gpt-5"));
    assert.deepEqual([error.data["path"], error.message], ["requests.1.messages", "requests.1.messages: expected an array of messages, found undefined"]);
  });

  test("it leaves no trace in the cache", () => {
    const biller = createBiller("claude-opus-5", { tokensOf: () => 1000 });
    const good: BilledRequest = { messages: [user(marked())] };
    failure(() => biller.bill({ messages: [user(marked(), marked(), marked(), marked(), marked())] }));
    assert.equal(biller.bill(good).cacheRead, 0);
    assert.equal(biller.bill(good).cacheRead, 1000);
  });
});

test("requests that are no array", () => assert.equal(failure(() => costOf(bad({}) as never, "gpt-5")).data["path"], "requests"));

test("markers of another provider mean nothing", () => {
  const five = user(marked(), marked(), marked(), marked(), marked());
  assert.equal(costOf([{ messages: [five] }], "gpt-5.6-sol", { tokensOf: () => 10 }).total.uncached, 50);
});

describe("options out of range", () => {
  const rows: readonly (readonly [string, string, unknown])[] = [
    ["an unknown one", "options.tokens", { tokens: 1 }],
    ["a ttl that no provider has", "options.ttl", { ttl: "2h" }],
    ["counts that are no function", "options.tokensOf", { tokensOf: 4 }],
    ["a count that is half a token", "options.tokensOf", { tokensOf: () => 0.5 }],
    ["a listener that is no function", "options.onWarning", { onWarning: "console" }],
    ["overrides that are no object", "options.models", { models: [] }],
  ];
  for (const [name, path, options] of rows) {
    test(name, () => {
      const error = failure(() => costOf([{ messages: [user(text("x"))] }], "gpt-5", options as BillOptions));
      assert.deepEqual([error.code, error.data["path"]], ["INVALID_OPTION", path]);
    });
  }
});
