import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { generateText, jsonSchema, streamText, tool, type ModelMessage, type ToolSet } from "ai";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import { checkAsyncProperty, checkProperty, deepFreeze } from "../../../../test/support/check-property.ts";
import { answers, type GenerateResult, type StreamPart } from "../../../../test/support/wires/ai-sdk-answers.ts";
import { HIDDEN_TOOL, isHidden, plainAnswer, RECALL, relayAll } from "../../../../test/support/wires/relayed.ts";
import { aiSdkWire } from "./ai-sdk-wire.ts";

const wire = aiSdkWire("claude-opus-4-8");

const SYSTEM = { role: "system", content: "You are an agent." };
const ASK = { role: "user", content: [{ type: "text", text: "Do it." }] };
const READ = { type: "function", name: "read", inputSchema: {} };

function request(fields: object): object {
  return deepFreeze({ prompt: [SYSTEM, ASK], ...fields });
}

const TOOLS: ToolSet = Object.fromEntries(["read", "bash", "web_search"].map((name) => [name, tool({ inputSchema: jsonSchema({}) })]));

describe("readRequest", () => {
  it("reads the prompt and the names of the tools; the model is the caller's to say", () => {
    const body = request({ tools: [READ, { type: "provider", id: "anthropic.web_search", name: "web_search", args: {} }] });
    const read = wire.readRequest(body);
    assert.equal(read?.body, body);
    assert.equal(read.model, "claude-opus-4-8");
    assert.deepEqual(read.messages, [SYSTEM, ASK]);
    assert.deepEqual(read.tools, ["read", "web_search"]);
    assert.deepEqual(read.target, {});
  });

  it("takes the target from Anthropic's thinking option", () => {
    const target = (thinking: object): unknown => wire.readRequest(request({ providerOptions: { anthropic: { thinking } } }))?.target;
    assert.deepEqual(target({ type: "enabled", budgetTokens: 2000 }), { thinking: "manual", prefill: false });
    assert.deepEqual(target({ type: "disabled" }), { thinking: "off" });
  });

  it("has a head that changes with the tools, their choice and the schema of the answer", () => {
    const head = (fields: object): string | undefined => wire.readRequest(request(fields))?.head;
    assert.equal(head({ tools: [READ] }), head({ tools: [READ], prompt: [ASK], temperature: 1 }));
    const others = [{}, { tools: [READ] }, { toolChoice: { type: "none" } }, { responseFormat: { type: "json" } }];
    assert.equal(new Set(others.map(head)).size, others.length);
  });

  const unreadable: readonly unknown[] = [{}, { prompt: [] }, { prompt: "a" }, { prompt: [{ role: "odd" }] }, { prompt: [ASK], tools: {} }];
  for (const body of unreadable)
    it(`does not read ${JSON.stringify(body)}`, () => {
      assert.equal(wire.readRequest(body as object), undefined);
    });

  it("does not read tools that are not JSON", () => {
    assert.equal(wire.readRequest({ prompt: [ASK], tools: [{ type: "provider", name: "a", args: { limit: 1n } }] }), undefined);
  });
});

describe("writeRequest", () => {
  it("puts functions before the tools of the client", () => {
    const body = request({ tools: [READ], temperature: 1 });
    const read = wire.readRequest(body);
    assert.ok(read !== undefined);
    const written = { type: "function", name: "recall", description: "Gives it back.", inputSchema: RECALL.input_schema };
    assert.deepEqual(wire.writeRequest(read, [ASK], [RECALL]), { ...body, prompt: [ASK], tools: [written, READ] });
    assert.equal(wire.writeRequest(read, read.messages, []), body);
  });

  it("writes parts where the codec writes text: a prompt has no other way to speak", () => {
    const read = wire.readRequest(request({}));
    assert.ok(read !== undefined);
    const encoded = wire.codec.encode([
      { role: "system", content: "s" },
      { role: "user", content: "a" },
      { role: "assistant", content: "b" },
    ]);
    assert.deepEqual((wire.writeRequest(read, encoded, []) as { prompt: unknown }).prompt, [
      { role: "system", content: "s" },
      { role: "user", content: [{ type: "text", text: "a" }] },
      { role: "assistant", content: [{ type: "text", text: "b" }] },
    ]);
  });
});

describe("readAnswer", () => {
  const sent = (content: readonly object[]): unknown =>
    (wire.codec.encode([wire.readAnswer(deepFreeze({ content })).message])[0] as { content: unknown }).content;

  it("reads the arguments of calls, and treats invalid JSON as none, as the SDK does", () => {
    const call = (input: string): object => ({ type: "tool-call", toolCallId: "a", toolName: "read", input });
    assert.deepEqual(sent([call('{"path":"a"}'), call(""), call('{"path')]), [
      { type: "tool-call", toolCallId: "a", toolName: "read", input: { path: "a" } },
      { type: "tool-call", toolCallId: "a", toolName: "read", input: {} },
      { type: "tool-call", toolCallId: "a", toolName: "read", input: {} },
    ]);
  });

  it("leaves out what a prompt has no part for", () => {
    assert.deepEqual(
      sent([
        { type: "source", sourceType: "url", id: "a", url: "b" },
        { type: "tool-approval-request", approvalId: "a", toolCallId: "b" },
        { type: "text", text: "" },
        { type: "tool-result", toolCallId: "a", toolName: "b", result: 1, preliminary: true },
        { type: "part-of-tomorrow" },
      ]),
      [],
    );
  });

  it("keeps files, custom parts, and empty text that says something to its provider", () => {
    const file = { type: "file", mediaType: "image/png", data: { type: "data", data: "xx" } };
    assert.deepEqual(
      sent([
        file,
        { ...file, type: "reasoning-file" },
        { type: "custom", kind: "xai.odd", providerMetadata: { xai: { a: 1 } } },
        { type: "text", text: "", providerMetadata: { google: { thoughtSignature: "s" } } },
      ]),
      [
        file,
        { ...file, type: "reasoning-file" },
        { type: "custom", kind: "xai.odd", providerOptions: { xai: { a: 1 } } },
        { type: "text", text: "", providerOptions: { google: { thoughtSignature: "s" } } },
      ],
    );
  });

  const usages: readonly (readonly [usage: object, read: object | undefined])[] = [
    [
      { inputTokens: { total: 10, noCache: 3, cacheRead: 6, cacheWrite: 1 }, outputTokens: { total: 2 } },
      { inputTokens: 10, cacheReadTokens: 6, cacheWriteTokens: 1, outputTokens: 2 },
    ],
    [
      { inputTokens: { total: 10, noCache: undefined, cacheRead: 6 }, outputTokens: {} },
      { inputTokens: 10, cacheReadTokens: 6, cacheWriteTokens: 0, outputTokens: 0 },
    ],
    [{ inputTokens: { total: undefined }, outputTokens: { total: undefined } }, undefined],
  ];
  for (const [usage, read] of usages)
    it(`reads usage ${JSON.stringify(usage)}`, () => {
      assert.deepEqual(wire.readAnswer({ content: [], usage }).usage, read);
    });

  it("knows a turn that is paused", () => {
    assert.equal(wire.readAnswer({ content: [], finishReason: { unified: "stop", raw: "pause_turn" } }).isPaused, true);
    assert.equal(wire.readAnswer({ content: [], finishReason: { unified: "stop", raw: "end_turn" } }).isPaused, false);
  });

  it("refuses what is no answer", () => {
    assert.throws(() => wire.readAnswer({}), { code: "INVALID_INPUT" });
  });

  it("is the message that the SDK sends back", async () => {
    await checkAsyncProperty("what the SDK sends back", [answers], async ([given]) => {
      const { raw } = given ?? assert.fail();
      const first = await generateText({ model: modelOf(raw), prompt: "Do it.", tools: TOOLS });
      const calls = first.toolCalls.filter(({ providerExecuted }) => providerExecuted !== true);
      const results = calls.map(({ toolCallId, toolName }) => ({
        type: "tool-result" as const,
        toolCallId,
        toolName,
        output: { type: "text" as const, value: "ok" },
      }));
      const next: ModelMessage[] = calls.length === 0 ? [{ role: "user", content: "And now?" }] : [{ role: "tool", content: results }];
      const model = modelOf({ ...raw, content: [{ type: "text", text: "Done." }] });
      await generateText({
        model,
        messages: [{ role: "user", content: "Do it." }, ...first.finalStep.response.messages.filter(({ role }) => role !== "tool"), ...next],
        tools: TOOLS,
      });
      const sentBack = (model.doGenerateCalls[0] ?? assert.fail()).prompt.filter(({ role }) => role === "assistant");
      const encoded = wire.codec.encode([wire.readAnswer(deepFreeze(raw)).message]) as readonly { content: readonly object[] }[];
      assert.deepEqual(JSON.parse(JSON.stringify(sentBack)), JSON.parse(JSON.stringify(encoded.filter(({ content }) => content.length > 0))));
    });
  });
});

describe("mergeAnswers", () => {
  const call = (toolName: string): object => ({ type: "tool-call", toolCallId: toolName, toolName, input: "{}" });
  const said = (text: string): object => ({ type: "text", text });
  const calls = { unified: "tool-calls", raw: "tool_use" };
  const metadata = (read: number): object => ({ anthropic: { usage: { input_tokens: read }, stopSequence: null } });
  const usage = (read: number, wrote: number): object => ({ inputTokens: { total: read }, outputTokens: { total: wrote, text: undefined } });

  it("has the content of all, the output of all and the rest of the last", () => {
    const first = { content: [said("a"), call(HIDDEN_TOOL)], finishReason: calls, usage: usage(1, 2), response: { id: "1" }, providerMetadata: metadata(1) };
    const last = { content: [said("b"), call("read")], finishReason: calls, usage: usage(3, 4), response: { id: "2" }, providerMetadata: metadata(3) };
    assert.deepEqual(wire.mergeAnswers(deepFreeze([first, last]), isHidden), {
      content: [said("a"), said("b"), call("read")],
      finishReason: calls,
      usage: usage(4, 6),
      providerMetadata: { anthropic: { usage: { input_tokens: 4 }, stopSequence: null } },
      response: { id: "2" },
    });
  });

  it("does not say that the model stopped to call tools where no call is left", () => {
    const only = { content: [call(HIDDEN_TOOL), { ...call("web_search"), providerExecuted: true }], finishReason: calls, usage: usage(1, 2) };
    assert.deepEqual(wire.mergeAnswers(deepFreeze([only]), isHidden), {
      content: [{ ...call("web_search"), providerExecuted: true }],
      finishReason: { unified: "stop", raw: undefined },
      usage: usage(1, 2),
    });
  });

  it("is the answer itself where there is one and nothing is hidden", () => {
    const only = { content: [call("read")], finishReason: calls };
    assert.equal(wire.mergeAnswers([only], isHidden), only);
  });
});

describe("relay", () => {
  it("lets parts through at once, as they came, and holds back only the end", () => {
    const relay = wire.createRelay(isHidden);
    const parts = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "a" },
      { type: "raw", rawValue: 1 },
    ];
    for (const part of parts) assert.equal(relay.relay(part)[0], part);
    assert.equal(relay.answer(), undefined);
    const finish = { type: "finish", finishReason: { unified: "stop" }, usage: {} };
    assert.deepEqual(relay.relay(finish), []);
    assert.ok(relay.answer() !== undefined);
    assert.deepEqual(relay.end(), [finish]);
    assert.deepEqual(relay.end(), []);
  });

  it("passes on an error, of which there is no answer", () => {
    const relay = wire.createRelay(isHidden);
    const error = { type: "error", error: "overloaded" };
    const finish = { type: "finish", finishReason: { unified: "error" }, usage: {} };
    assert.deepEqual(relay.relay(error), [error]);
    relay.relay(finish);
    assert.equal(relay.answer(), undefined);
    assert.deepEqual(relay.end(), [finish]);
  });

  it("reads from each streamed answer what it reads from the whole one", () => {
    checkProperty("relay.answer is readAnswer", [answers], (given) => {
      const { answers: told } = relayAll(
        wire,
        deepFreeze(given).map(({ events }) => events),
      );
      assert.deepEqual(
        told.map((answer) => plainAnswer(wire, answer)),
        given.map(({ raw }) => plainAnswer(wire, wire.readAnswer(raw))),
      );
    });
  });

  it("lets no hidden call through, begins once, and opens nothing under an id twice", () => {
    checkProperty("no leak", [answers], (given) => {
      const relayed = relayAll(
        wire,
        deepFreeze(given).map((answer) => answer.events),
      );
      const events = relayed.events as readonly StreamPart[];
      assert.ok(!JSON.stringify(events).includes(HIDDEN_TOOL));
      assert.equal(events.filter(({ type }) => type === "stream-start").length, 1);
      const opened = events.flatMap((part) => (part.type === "text-start" || part.type === "reasoning-start" ? [part.id] : []));
      assert.equal(new Set(opened).size, opened.length);
    });
  });

  it("gives the client's SDK the result that it would get without streaming", async () => {
    await checkAsyncProperty("the SDK reads what was relayed", [answers], async (given) => {
      const { events } = relayAll(
        wire,
        deepFreeze(given).map((answer) => answer.events),
      );
      const stream = convertArrayToReadableStream(events as StreamPart[]);
      const streamed = streamText({ model: new MockLanguageModelV4({ doStream: { stream } }), prompt: "Do it.", tools: TOOLS });
      await streamed.consumeStream();
      const merged = wire.mergeAnswers(
        given.map(({ raw }) => raw),
        isHidden,
      );
      assert.ok(!JSON.stringify(merged).includes(HIDDEN_TOOL));
      const whole = await generateText({ model: modelOf(merged), prompt: "Do it.", tools: TOOLS });
      assert.deepEqual(plain(await streamed.content), plain(whole.content));
      assert.equal(await streamed.finishReason, whole.finishReason);
      assert.deepEqual(plain(await streamed.usage), plain(whole.usage));
    });
  });
});

function modelOf(result: object): MockLanguageModelV4 {
  return new MockLanguageModelV4({ doGenerate: result as GenerateResult });
}

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
