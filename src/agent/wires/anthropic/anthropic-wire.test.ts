import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { MessageStream } from "@anthropic-ai/sdk/lib/MessageStream";
import { text, use } from "../../../../test/support/build.ts";
import { checkAsyncProperty, checkProperty, deepFreeze } from "../../../../test/support/check-property.ts";
import { answers } from "../../../../test/support/wires/anthropic-answers.ts";
import { asLines, HIDDEN_TOOL, isHidden, plainAnswer, RECALL, relayAll } from "../../../../test/support/wires/relayed.ts";
import { anthropicWire } from "./anthropic-wire.ts";

const ASK = { role: "user", content: "Do it." };
const READ = { name: "read", input_schema: { type: "object" }, cache_control: { type: "ephemeral" } };

function request(fields: object): object {
  return deepFreeze({ model: "claude-opus-4-8", max_tokens: 9, messages: [ASK], ...fields });
}

describe("readRequest", () => {
  const targets: readonly (readonly [thinking: unknown, target: object])[] = [
    [undefined, {}],
    [
      { type: "enabled", budget_tokens: 2000 },
      { thinking: "manual", prefill: false },
    ],
    [{ type: "adaptive" }, { thinking: "adaptive", prefill: false }],
    [{ type: "disabled" }, { thinking: "off" }],
    [{ type: "between_tools" }, {}],
    [
      { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } },
      { thinking: "adaptive", prefill: false, dropBlock: true },
    ],
    [
      { type: "adaptive", block_binding: { prefix_mismatch_behavior: "error" } },
      { thinking: "adaptive", prefill: false },
    ],
    [
      { type: "disabled", block_binding: { prefix_mismatch_behavior: "drop_block" } },
      { thinking: "off", dropBlock: true },
    ],
    [{ block_binding: { prefix_mismatch_behavior: "drop_block" } }, { dropBlock: true }],
  ];
  for (const [thinking, target] of targets)
    it(`takes thinking ${JSON.stringify(thinking)} for the target ${JSON.stringify(target)}`, () => {
      assert.deepEqual(anthropicWire.readRequest(request({ thinking }))?.target, target);
    });

  it("reads the model, the messages and the names of the tools", () => {
    const body = request({ tools: [READ, { type: "web_search_20260209", name: "web_search" }, { type: "mcp_toolset", mcp_server_name: "x" }] });
    const read = anthropicWire.readRequest(body);
    assert.equal(read?.body, body);
    assert.equal(read.model, "claude-opus-4-8");
    assert.deepEqual(read.messages, [ASK]);
    assert.deepEqual(read.tools, ["read", "web_search"]);
  });

  it("has a head that changes with system, tools and their choice, and not with markers or messages", () => {
    const head = (fields: object): string | undefined => anthropicWire.readRequest(request(fields))?.head;
    const base = head({ system: [{ type: "text", text: "a" }], tools: [READ] });
    assert.equal(
      base,
      head({
        system: [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }],
        tools: [{ name: "read", input_schema: { type: "object" } }],
        messages: [ASK, ASK],
      }),
    );
    for (const other of [{}, { system: "a", tools: [READ] }, { system: [{ type: "text", text: "a" }], tools: [READ], tool_choice: { type: "any" } }])
      assert.notEqual(base, head(other));
  });

  const unreadable: readonly unknown[] = [
    {},
    [],
    { model: "m", messages: [] },
    { model: "m", messages: "hello" },
    { model: "m", messages: [null] },
    { model: "m", messages: [{ role: "user" }] },
    { model: "m", messages: [{ role: "user", content: [{ type: "tool_result" }] }] },
    { messages: [ASK] },
    { model: 4, messages: [ASK] },
    { model: "m", messages: [ASK], tools: "none" },
  ];
  for (const body of unreadable)
    it(`does not read ${JSON.stringify(body)}`, () => {
      assert.equal(anthropicWire.readRequest(body as object), undefined);
    });
});

describe("writeRequest", () => {
  function write(body: object, messages: readonly object[] | undefined, tools: Parameters<typeof anthropicWire.writeRequest>[2]): object {
    const read = anthropicWire.readRequest(body);
    assert.ok(read !== undefined);
    return anthropicWire.writeRequest(read, messages ?? read.messages, tools);
  }

  it("gives the same body back where nothing is changed", () => {
    const body = request({ tools: [READ] });
    assert.equal(write(body, undefined, []), body);
  });

  it("puts tools before those of the client, whose marker then covers them", () => {
    assert.deepEqual(write(request({ tools: [READ] }), undefined, [RECALL]), { ...request({}), tools: [RECALL, READ] });
  });

  it("adds tools where there were none", () => {
    assert.deepEqual(write(request({ tools: null }), undefined, [RECALL]), { ...request({}), tools: [RECALL] });
  });

  it("changes the messages and nothing else", () => {
    const body = request({ system: "s", tools: [READ], metadata: { user_id: "u" } });
    assert.deepEqual(write(body, [ASK, ASK], []), { ...body, messages: [ASK, ASK] });
  });
});

describe("readAnswer", () => {
  it("keeps the content as it is, with all that a provider may put there", () => {
    const content = deepFreeze([{ type: "text", text: "a", citations: null }, { type: "odd" }]);
    assert.equal(anthropicWire.readAnswer({ content }).message.content, content);
  });

  it("reads usage, counting as nothing what is null or left out", () => {
    const usage = { input_tokens: 3, cache_read_input_tokens: null, output_tokens: 5 };
    assert.deepEqual(anthropicWire.readAnswer({ content: [], usage }).usage, {
      inputTokens: 3,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      outputTokens: 5,
    });
    assert.equal(anthropicWire.readAnswer({ content: [] }).usage, undefined);
  });

  it("knows a turn that is paused", () => {
    assert.equal(anthropicWire.readAnswer({ content: [], stop_reason: "pause_turn" }).isPaused, true);
    assert.equal(anthropicWire.readAnswer({ content: [], stop_reason: "tool_use" }).isPaused, false);
  });

  it("refuses what is no answer", () => {
    assert.throws(() => anthropicWire.readAnswer({ type: "error" }), { code: "INVALID_INPUT" });
  });
});

describe("mergeAnswers", () => {
  it("is the answer itself where there is one and nothing is hidden", () => {
    const raw = { content: [text("a"), use("read", "read")], stop_reason: "tool_use" };
    assert.equal(anthropicWire.mergeAnswers([raw], isHidden), raw);
  });

  it("has the content and the usage of all, and the rest of the last", () => {
    const first = {
      id: "1",
      content: [text("a"), use(HIDDEN_TOOL, HIDDEN_TOOL)],
      stop_reason: "tool_use",
      usage: { input_tokens: 1, cache_read_input_tokens: 4, server_tool_use: { web_search_requests: 1 }, service_tier: "standard", output_tokens: 10 },
    };
    const last = {
      id: "2",
      content: [text("b"), use("read", "read")],
      stop_reason: "tool_use",
      usage: { input_tokens: 2, server_tool_use: null, service_tier: "priority", output_tokens: 20, output_tokens_details: { thinking_tokens: 7 } },
    };
    assert.deepEqual(anthropicWire.mergeAnswers(deepFreeze([first, last]), isHidden), {
      id: "2",
      content: [text("a"), text("b"), use("read", "read")],
      stop_reason: "tool_use",
      usage: {
        input_tokens: 3,
        cache_read_input_tokens: 4,
        server_tool_use: { web_search_requests: 1 },
        service_tier: "priority",
        output_tokens: 30,
        output_tokens_details: { thinking_tokens: 7 },
      },
    });
  });

  it("does not say that the model stopped to call tools where no call is left", () => {
    assert.deepEqual(anthropicWire.mergeAnswers([{ content: [use(HIDDEN_TOOL, HIDDEN_TOOL)], stop_reason: "tool_use" }], isHidden), {
      content: [],
      stop_reason: "end_turn",
    });
    assert.deepEqual(anthropicWire.mergeAnswers([{ content: [use(HIDDEN_TOOL, HIDDEN_TOOL)], stop_reason: "max_tokens" }], isHidden), {
      content: [],
      stop_reason: "max_tokens",
    });
  });
});

describe("relay", () => {
  it("lets each delta through at once, and holds back only how the answer ends", () => {
    const relay = anthropicWire.createRelay(isHidden);
    const delta = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } };
    relay.relay({ type: "message_start", message: { content: [] } });
    relay.relay({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
    assert.equal(relay.relay(delta)[0], delta);
    assert.deepEqual(relay.relay({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 1 } }), []);
    assert.equal(relay.answer(), undefined);
    assert.deepEqual(relay.relay({ type: "message_stop" }), []);
    assert.ok(relay.answer() !== undefined);
  });

  it("passes on an error, of which there is no answer", () => {
    const relay = anthropicWire.createRelay(isHidden);
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    relay.relay({ type: "message_start", message: { content: [] } });
    assert.deepEqual(relay.relay(error), [error]);
    relay.relay({ type: "message_stop" });
    assert.equal(relay.answer(), undefined);
  });

  it("passes on what it has if a stream breaks off after the end of its answer", () => {
    const relay = anthropicWire.createRelay(isHidden);
    const end = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} };
    relay.relay({ type: "message_start", message: { content: [] } });
    relay.relay(end);
    assert.deepEqual(relay.end(), [end]);
    assert.deepEqual(relay.end(), []);
  });

  it("passes on unknown events and deltas", () => {
    const odd = { type: "event_of_tomorrow" };
    const start = { type: "content_block_start", index: 0, content_block: { type: "block_of_tomorrow", field: 1 } };
    const delta = { type: "content_block_delta", index: 0, delta: { type: "delta_of_tomorrow", field: 2 } };
    const relay = anthropicWire.createRelay(isHidden);
    assert.deepEqual(
      [odd, start, delta].flatMap((event) => relay.relay(event)),
      [odd, start, delta],
    );
  });

  it("does not change when the client's accumulator works on the events that it got", () => {
    const start = { type: "message_start", message: { content: [] as unknown[], usage: { input_tokens: 1, output_tokens: 0 } } };
    const block = { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "x" } };
    const relay = anthropicWire.createRelay(isHidden);
    relay.relay(start);
    relay.relay(block);
    start.message.usage.input_tokens = 99;
    start.message.content.push("broken");
    block.content_block.data = "broken";
    relay.relay({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } });
    relay.relay({ type: "message_stop" });
    assert.deepEqual(relay.answer(), {
      message: { role: "assistant", content: [{ type: "redacted_thinking", data: "x" }] },
      usage: { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2 },
      isPaused: false,
    });
  });

  it("puts compactions together, and keeps arguments that are no JSON", () => {
    const relay = anthropicWire.createRelay(isHidden);
    const events = [
      { type: "message_start", message: { content: [] } },
      { type: "content_block_start", index: 0, content_block: { type: "compaction", content: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "compaction_delta", content: "All.", encrypted_content: "e" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "a", name: "read", input: {} } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"path": "a' } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: {} },
      { type: "message_stop" },
    ];
    for (const event of deepFreeze(events)) relay.relay(event);
    assert.deepEqual(relay.answer()?.message.content, [
      { type: "compaction", content: "All.", encrypted_content: "e" },
      { type: "tool_use", id: "a", name: "read", input: { arguments: '{"path": "a' } },
    ]);
  });

  it("reads from each streamed answer what it reads from the whole one", () => {
    checkProperty("relay.answer is readAnswer", [answers], (given) => {
      const { answers: told } = relayAll(
        anthropicWire,
        deepFreeze(given).map(({ events }) => events),
      );
      assert.deepEqual(
        told.map((answer) => plainAnswer(anthropicWire, answer)),
        given.map(({ raw }) => plainAnswer(anthropicWire, anthropicWire.readAnswer(raw))),
      );
    });
  });

  it("lets no hidden call through, and numbers the blocks without a hole", () => {
    checkProperty("no leak", [answers], (given) => {
      const { events } = relayAll(
        anthropicWire,
        deepFreeze(given).map((answer) => answer.events),
      );
      assert.ok(!JSON.stringify(events).includes(HIDDEN_TOOL));
      const starts = events.map((event) => event as { type: string; index: number }).filter(({ type }) => type === "content_block_start");
      assert.deepEqual(
        starts.map(({ index }) => index),
        starts.map((_, number) => number),
      );
    });
  });

  it("gives the client's SDK the message that it would get without streaming", async () => {
    await checkAsyncProperty("the SDK reads what was relayed", [answers], async (given) => {
      const { events } = relayAll(
        anthropicWire,
        deepFreeze(given).map((answer) => answer.events),
      );
      const streamed = await MessageStream.fromReadableStream(asLines(events)).finalMessage();
      const merged = anthropicWire.mergeAnswers(
        given.map(({ raw }) => raw),
        isHidden,
      ) as typeof streamed;
      assert.ok(!JSON.stringify(merged).includes(HIDDEN_TOOL));
      // The first event has the id of the first answer, because others may follow.
      assert.deepEqual(withoutParsed(streamed), { ...merged, id: "msg_0" });
    });
  });
});

/** The SDK adds a field of its own. */
function withoutParsed(message: object): unknown {
  return JSON.parse(JSON.stringify(message, (key, value: unknown) => (key === "parsed_output" ? undefined : value)));
}
