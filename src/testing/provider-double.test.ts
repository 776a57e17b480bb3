import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { startProviderDouble, type ProviderDouble, type ProviderDoubleOptions, type SeenRequest } from "./index.ts";

const open: ProviderDouble[] = [];
after(() => Promise.all(open.map((double) => double.close())));

async function start(options: ProviderDoubleOptions): Promise<{ double: ProviderDouble; client: Anthropic }> {
  const double = await startProviderDouble(options);
  open.push(double);
  return { double, client: new Anthropic({ apiKey: "key", baseURL: double.url, maxRetries: 0 }) };
}

const ASK = { model: "claude-opus-5", max_tokens: 2000, messages: [{ role: "user", content: "hello" }] } satisfies Anthropic.MessageCreateParams;
const TOOLS: Anthropic.Tool[] = [{ name: "look", input_schema: { type: "object" } }];
const LOOK = { thinking: "Where am I? 🧭 Hm.", text: "I look – 👀 around.", calls: [{ name: "look", input: { at: "the door 🚪", deep: { list: [1, 2] } } }] };
const THINKING = { thinking: { type: "adaptive" } } as unknown as { thinking: Anthropic.ThinkingConfigParam };

describe("Anthropic's SDK reads what the double sends", () => {
  it("a whole message", async () => {
    const { client, double } = await start({ script: [{ text: "hi", outputTokens: 7 }] });
    const message = await client.messages.create(ASK);
    assert.deepEqual([message.content, message.stop_reason, message.model, message.role], [[{ type: "text", text: "hi" }], "end_turn", ASK.model, "assistant"]);
    assert.deepEqual(message.usage, {
      input_tokens: 8,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 7,
    });
    const [request] = double.requests;
    assert.deepEqual([request?.protocol, request?.path, request?.streamed, request?.status], ["anthropic", "/v1/messages", false, 200]);
    assert.deepEqual(request?.counts, { uncached: 8, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheWrite30m: 0, cacheWrite12h: 0 });
    assert.deepEqual(request?.usage, message.usage);
    assert.deepEqual(request?.body, ASK);
  });

  it("a streamed message, the same as a whole one", async () => {
    const { client } = await start({ script: [LOOK, LOOK] });
    const whole = await client.messages.create({ ...ASK, ...THINKING, tools: TOOLS });
    const stream = client.messages.stream({ ...ASK, ...THINKING, tools: TOOLS });
    const streamed = await stream.finalMessage();
    assert.deepEqual(
      streamed.content.map(({ type }) => type),
      ["thinking", "text", "tool_use"],
    );
    assert.deepEqual(streamed.content.map(withoutIds), whole.content.map(withoutIds));
    assert.deepEqual([streamed.stop_reason, streamed.usage], ["tool_use", whole.usage]);
  });

  it("the events of a stream, in their order and in pieces", async () => {
    const { client } = await start({ script: [LOOK] });
    const types: string[] = [];
    for await (const event of await client.messages.create({ ...ASK, ...THINKING, tools: TOOLS, stream: true })) {
      types.push(event.type === "content_block_delta" ? event.delta.type : event.type);
    }
    assert.deepEqual(types.slice(0, 2), ["message_start", "content_block_start"]);
    assert.deepEqual(types.slice(-3), ["content_block_stop", "message_delta", "message_stop"]);
    for (const delta of ["thinking_delta", "text_delta", "input_json_delta"]) assert.ok(types.filter((type) => type === delta).length > 1, delta);
    assert.equal(types.filter((type) => type === "signature_delta").length, 1);
  });

  it("counts, which share the checks", async () => {
    const { client, double } = await start({ script: [] });
    assert.deepEqual(await client.messages.countTokens({ model: ASK.model, messages: ASK.messages }), { input_tokens: 8 });
    await assert.rejects(client.messages.countTokens({ model: ASK.model, messages: [] }), /messages: at least one message is required/);
    assert.deepEqual(
      double.requests.map(({ path, status }) => [path, status]),
      [
        ["/v1/messages/count_tokens", 200],
        ["/v1/messages/count_tokens", 400],
      ],
    );
  });

  it("an agent's loop with thinking; with its history edited it is refused, and passes where unbound thinking is dropped", async () => {
    const { client, double } = await start({ script: [LOOK, LOOK, { text: "a room" }, { text: "another room" }] });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "What is here?" }];
    const request = { ...ASK, ...THINKING, tools: TOOLS, messages };
    for (let round = 0; round < 2; round += 1) {
      const { content } = await client.messages.stream(request).finalMessage();
      const [call] = content.filter((block) => block.type === "tool_use");
      messages.push({ role: "assistant", content }, { role: "user", content: [{ type: "tool_result", tool_use_id: call?.id ?? "", content: "a door" }] });
    }
    assert.equal((await client.messages.create(request)).stop_reason, "end_turn");
    messages[2] = { role: "user", content: (messages[2]?.content as Anthropic.ToolResultBlockParam[]).map((block) => ({ ...block, content: "[cut]" })) };
    await assert.rejects(
      client.messages.create(request),
      /messages\.3\.content\.0: Invalid `signature` in `thinking` block\. The block is bound to a different/,
    );
    assert.deepEqual(
      double.rejected.map(({ rule }) => rule),
      ["A4.8"],
    );
    const { content } = await client.beta.messages.create({
      ...request,
      betas: ["thinking-binding-controls-2026-08-01"],
      thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } },
    } as unknown as Anthropic.Beta.MessageCreateParamsNonStreaming);
    assert.deepEqual(content, [{ type: "text", text: "another room" }]);
  });

  it("reports what the prompt cache did, by the clock that is given", async () => {
    let nowMs = 0;
    const { client } = await start({ script: () => ({ text: "ok" }), now: () => nowMs, tokensOf: () => 2000 });
    const marked = { ...ASK, messages: [{ role: "user", content: [{ type: "text", text: "long", cache_control: { type: "ephemeral" } }] }] } as const;
    const used: (number | null)[][] = [];
    for (const minute of [0, 4, 10]) {
      nowMs = minute * 60_000;
      const { usage } = await client.messages.create(marked as unknown as typeof ASK);
      used.push([usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens]);
    }
    assert.deepEqual(used, [
      [0, 0, 2000],
      [0, 2000, 0],
      [0, 0, 2000],
    ]);
  });
});

function withoutIds(block: Anthropic.ContentBlock): object {
  const { id: _, signature: __, ...rest } = block as unknown as Record<string, unknown>;
  return rest;
}

describe("scripts", () => {
  it("a list that ran out says so, and is not tried again", async () => {
    const { client, double } = await start({ script: [{ text: "hi" }] });
    await client.messages.create(ASK);
    await assert.rejects(client.messages.create(ASK, { maxRetries: 3 }), /The script of the provider double has 1 turns, and no turn for request number 2\./);
    assert.equal(double.requests.length, 2);
    assert.equal(double.requests[1]?.status, 500);
    assert.deepEqual(double.rejected, []);
    double.play([{ text: "again" }]);
    assert.deepEqual((await client.messages.create(ASK)).content, [{ type: "text", text: "again" }]);
  });

  it("a text for a tool is an error where the provider has no such tools", async () => {
    const { client } = await start({ script: [{ calls: [{ name: "look", input: "at the door" }] }] });
    await assert.rejects(client.messages.create(ASK), /calls\.look\.input: expected an object/);
  });

  it("a function sees the request in no provider's format", async () => {
    const seen: SeenRequest[] = [];
    const { client } = await start({
      script: (request) => {
        seen.push(request);
        if (request.turn === 1) throw new Error("I have nothing to say");
        return Promise.resolve({ text: "hi" });
      },
    });
    const messages: Anthropic.MessageParam[] = [
      { role: "user", content: "look" },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look." },
          { type: "tool_use", id: "a", name: "look", input: { at: 1 } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "a door" }], is_error: true },
          { type: "text", text: "go on" },
        ],
      },
    ];
    const body = { ...ASK, system: [{ type: "text", text: "Be brief." }] as Anthropic.TextBlockParam[], tools: TOOLS, messages };
    await client.messages.create(body);
    assert.deepEqual(seen, [
      {
        protocol: "anthropic",
        model: ASK.model,
        streamed: false,
        system: "Be brief.",
        tools: ["look"],
        messages: [
          { role: "user", text: "look", calls: [], results: [] },
          { role: "assistant", text: "I look.", calls: [{ id: "a", name: "look", input: { at: 1 } }], results: [] },
          { role: "user", text: "go on", calls: [], results: [{ callId: "a", text: "a door", isError: true }] },
        ],
        turn: 0,
        body,
      },
    ] satisfies SeenRequest[]);
    await assert.rejects(client.messages.create(ASK), /500.*I have nothing to say/);
  });
});

describe("the server", () => {
  const post = (url: string, body: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });

  it("refuses what is not JSON, unknown paths, and more than 32 MB", async () => {
    const { double } = await start({ script: [] });
    const broken = await post(`${double.url}/v1/messages`, "{");
    assert.deepEqual([broken.status, ((await broken.json()) as { type: string }).type], [400, "error"]);
    const unknown = await post(`${double.url}/v1/nothing`, "{}", { "anthropic-version": "2023-06-01" });
    assert.equal(unknown.status, 404);
    assert.deepEqual(await unknown.json(), { type: "error", error: { type: "not_found_error", message: "Not found: POST /v1/nothing" } });
    const other = await post(`${double.url}/v1/nothing`, "{}");
    assert.match(JSON.stringify(await other.json()), /Invalid URL \(POST \/v1\/nothing\)/);
    const large = await post(`${double.url}/v1/messages`, JSON.stringify({ ...ASK, system: "x".repeat(33 * 1024 * 1024) }));
    assert.equal(large.status, 413);
    assert.match(JSON.stringify(await large.json()), /request_too_large/);
    assert.deepEqual(
      double.requests.map(({ status, rule }) => [status, rule]),
      [
        [400, "shape"],
        [404, undefined],
        [404, undefined],
        [413, "A6"],
      ],
    );
  });

  it("ignores the query, and sends a stream as one", async () => {
    const { double } = await start({ script: [{ text: "hi" }] });
    const response = await post(`${double.url}/v1/messages?beta=true`, JSON.stringify({ ...ASK, stream: true }));
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.match(await response.text(), /^event: message_start\ndata: \{"type":"message_start"[^]*event: message_stop\ndata: \{"type":"message_stop"\}\n\n$/);
  });

  it("keeps each body as it came", async () => {
    const { double } = await start({ script: [{ text: "hi" }] });
    const body = '{ "max_tokens": 1.0, "model": "claude-opus-5", "messages": [{"role":"user","content":"\\u0068i"}] }';
    await fetch(`${double.url}/v1/messages`, { method: "POST", body });
    assert.equal(Buffer.from(double.requests[0]?.raw ?? []).toString(), body);
  });

  it("gives the same ids to the same request where it is told to, and never otherwise", async () => {
    const idsFrom = async (ids: "unique" | "by-request"): Promise<string[]> => {
      const { client } = await start({ script: () => ({ calls: [{ name: "look", input: {} }] }), ids });
      const answers = [await client.messages.create(ASK), await client.messages.create(ASK)];
      return answers.flatMap(({ id, content }) => [id, ...content.map((block) => (block.type === "tool_use" ? block.id : ""))]);
    };
    const [first, second] = [await idsFrom("by-request"), await idsFrom("by-request")];
    assert.deepEqual([first, first.slice(0, 2)], [second, first.slice(2)]);
    assert.equal(new Set(first).size, 2);
    assert.equal(new Set([...(await idsFrom("unique")), ...(await idsFrom("unique"))]).size, 8);
  });

  it("takes its time where it is told to", async () => {
    const { client } = await start({ script: [{ text: "hi" }], latencyMs: 60 });
    const startMs = performance.now();
    await client.messages.create(ASK);
    assert.ok(performance.now() - startMs >= 55);
  });

  it("speaks OpenAI's protocols at their paths", async () => {
    const { double } = await start({ script: [{ text: "hi" }, { text: "ho" }] });
    const chat = await post(`${double.url}/v1/chat/completions`, JSON.stringify({ model: "gpt-6", messages: [{ role: "user", content: "hello" }] }));
    assert.match(await chat.text(), /"hi"/);
    const responses = await post(`${double.url}/v1/responses`, JSON.stringify({ model: "gpt-6", input: "hello" }));
    assert.match(await responses.text(), /"ho"/);
    assert.deepEqual(
      double.requests.map(({ protocol, status }) => [protocol, status]),
      [
        ["openai-chat", 200],
        ["openai-responses", 200],
      ],
    );
  });

  it("closes when its scope ends", async () => {
    const double = await startProviderDouble({ script: [] });
    assert.equal((await fetch(double.url)).status, 404);
    // As `await using` does.
    await double[Symbol.asyncDispose]();
    await assert.rejects(fetch(double.url));
  });

  it("refuses options that it does not know", async () => {
    await assert.rejects(startProviderDouble({} as ProviderDoubleOptions), { code: "INVALID_OPTION", message: /options\.script/ });
    await assert.rejects(startProviderDouble({ script: [], rules: { binds: true } } as unknown as ProviderDoubleOptions), { message: /options\.rules\.binds/ });
    await assert.rejects(startProviderDouble({ script: "hello" as never }), { message: /options\.script: expected a list of turns/ });
  });
});
