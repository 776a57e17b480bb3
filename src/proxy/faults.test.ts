/** How each fault of a provider, or of a client, ends: with the real SDKs, as it would end without the proxy. */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { request as open } from "node:http";
import { describe, it } from "node:test";
import OpenAI from "openai";
import { startDouble } from "../../test/support/agents/start-double.ts";
import { exchange } from "../../test/support/proxies/exchange.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import { startUpstream } from "../../test/support/proxies/start-upstream.ts";
import { PalimpsestError } from "../errors/palimpsest-error.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { createProxy } from "./index.ts";
import type { Fault, ProviderDouble } from "../testing/index.ts";

const LOOK = { text: "I look around.", calls: [{ name: "look", input: { at: "the door" } }] };
const TOOLS = [{ name: "look", input_schema: { type: "object" as const } }];
const ASK = { model: "claude-opus-5", max_tokens: 2_000, messages: [{ role: "user" as const, content: "hello" }] };
const CHAT = { model: "gpt-5.5", messages: [{ role: "user" as const, content: "hello" }] };
const RESPONSES = { model: "gpt-6-sol", input: [{ role: "user" as const, content: "hello" }], store: false };

type Ask = (base: string, streamed: boolean) => Promise<unknown>;

const anthropic = (tools: boolean): Ask => {
  return async (baseURL, streamed) => {
    const client = new Anthropic({ apiKey: "key", baseURL, maxRetries: 0, logLevel: "off" });
    const request = { ...ASK, ...(tools ? { tools: TOOLS } : {}) };
    return streamed ? client.messages.stream(request).finalMessage() : client.messages.create(request);
  };
};
const openAi = (base: string): OpenAI => new OpenAI({ apiKey: "key", baseURL: `${base}/v1`, maxRetries: 0, logLevel: "off" });
const CLIENTS: readonly (readonly [name: string, ask: Ask])[] = [
  ["Anthropic's SDK", anthropic(false)],
  ["Anthropic's SDK with tools", anthropic(true)],
  [
    "OpenAI's SDK, chat",
    (base, streamed) => (streamed ? openAi(base).chat.completions.stream(CHAT).finalChatCompletion() : openAi(base).chat.completions.create(CHAT)),
  ],
  [
    "OpenAI's SDK, responses",
    async (base, streamed) => {
      if (!streamed) return openAi(base).responses.create(RESPONSES);
      // The helper waits for an end that does not come.
      let last: unknown;
      for await (const event of await openAi(base).responses.create({ ...RESPONSES, stream: true })) last = event;
      return last;
    },
  ],
];

/** What a caller of the SDK learns, without what is different in each call. */
async function outcomeOf(ask: Ask, base: string, streamed: boolean): Promise<unknown> {
  try {
    return plain(await ask(base, streamed));
  } catch (error) {
    const { status, message, name, type } = error as { status?: number; message: string; name: string; type?: string };
    return { status, message: message.replaceAll(/(req|msg)_\w+/g, "id"), name: name === "Error" ? (error as Error).constructor.name : name, type };
  }
}

function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) =>
      ["id", "created", "created_at", "completed_at", "signature", "item_id", "call_id", "_request_id", "usage"].includes(key) ? key : each,
    ),
  );
}

const FAULTS: readonly Fault[] = [429, 500, 529, "reset", "half-event", "error-event"];

/** Also where every body is a large one. */
const IN_THREAD = [["in the thread for large bodies", anthropic(true), 1]] as const;

describe("a provider's fault ends as it does without us", () => {
  for (const [name, ask, largeBodyBytes] of [...CLIENTS.map((client) => [...client, 0] as const), ...IN_THREAD])
    for (const fault of FAULTS)
      it(`${name}: ${fault}`, async () => {
        const outcomes: unknown[] = [];
        for (const isProxied of [false, true]) {
          const double: ProviderDouble = await startDouble({ script: [LOOK, LOOK, LOOK, LOOK] });
          const { url, events } = await startProxy(double.url, { largeBodyBytes });
          double.failNext(fault, 2);
          const base = isProxied ? url : double.url;
          const seen = [await outcomeOf(ask, base, true), await outcomeOf(ask, base, false), await outcomeOf(ask, base, true)];
          outcomes.push({ seen, requests: double.requests.map(({ status }) => status), rejected: double.rejected.length });
          assert.deepEqual(
            events.filter(({ type }) => type === "failed"),
            [],
          );
        }
        assert.deepEqual(outcomes[1], outcomes[0]);
      });

  it("429 comes with all of its headers, at once", async () => {
    const upstream = await startUpstream((_, response) => {
      response.writeHead(429, "Too Many", [
        "Retry-After",
        "7",
        "anthropic-ratelimit-tokens-remaining",
        "0",
        "request-id",
        "req_9",
        "content-type",
        "application/json",
      ]);
      response.write('{"type":"error",');
    });
    const { url } = await startProxy(upstream.url);
    const request = open(`${url}/v1/messages`, { method: "POST", agent: false });
    request.on("error", () => undefined).end(JSON.stringify(ASK));
    const [status, headers, first] = await new Promise<readonly unknown[]>((resolve) =>
      request.on("response", (response) => response.once("data", (chunk: Buffer) => resolve([response.statusCode, response.headers, chunk.toString()]))),
    );
    const { "retry-after": after, "anthropic-ratelimit-tokens-remaining": remaining, "request-id": id } = headers as Record<string, string>;
    assert.deepEqual([status, after, remaining, id, first], [429, "7", "0", "req_9", '{"type":"error",']);
    request.destroy();
  });

  for (const streamed of [false, true])
    it(`a page of HTML, where ${streamed ? "a stream" : "an answer"} was asked for`, async () => {
      const page = "<html><body>Welcome to the airport's network</body></html>";
      const upstream = await startUpstream((_, response) => void response.writeHead(200, { "content-type": "text/html" }).end(page));
      const { url } = await startProxy(upstream.url);
      const answer = await exchange(`${url}/v1/messages`, { body: JSON.stringify({ ...ASK, stream: streamed }) });
      assert.deepEqual([answer.status, answer.headers["content-type"], answer.body.toString()], [200, "text/html", page]);
    });

  for (const [what, type, garbage] of [
    ["noise", "text/event-stream", Buffer.from([0, 1, 2, 255, 10, 10, 13, 7])],
    ["events that are no JSON", "text/event-stream", Buffer.from("data: {half\n\ndata: [1]\n\nevent: x\n\n")],
    ["a packing that is none", "text/event-stream", Buffer.from("data: {}\n\n")],
    ["JSON of something else", "application/json", Buffer.from(' {"content": 7, "usage": "much"} ')],
    ["nothing", "text/event-stream", Buffer.alloc(0)],
  ] as const)
    for (const tools of [false, true])
      it(`garbage: ${what}${tools ? ", with our tools" : ""}`, async () => {
        const packed = what === "a packing that is none" ? { "content-encoding": "gzip" } : {};
        const upstream = await startUpstream((_, response) => void response.writeHead(200, { "content-type": type, ...packed }).end(garbage));
        const { url } = await startProxy(upstream.url);
        const answer = await exchange(`${url}/v1/messages`, {
          body: JSON.stringify({ ...ASK, stream: type !== "application/json", ...(tools ? { tools: TOOLS } : {}) }),
        });
        assert.equal(answer.status, 200);
        // What cannot be unpacked cannot be searched for hidden calls: then the answer ends in an error.
        if (tools && what === "a packing that is none") assert.match(answer.body.toString(), /^event: error\ndata: .*"api_error"/);
        else assert.deepEqual(answer.body, garbage);
      });

  it("a provider that is not there: 502 in the words of the API", async () => {
    const { url } = await startProxy("http://127.0.0.1:9");
    await assert.rejects(
      anthropic(true)(url, true),
      (error: InstanceType<typeof Anthropic.APIError>) => error.status === 502 && /"api_error".*cannot be reached: ECONNREFUSED/.test(error.message),
    );
    await assert.rejects(
      openAi(url).responses.create(RESPONSES),
      (error: InstanceType<typeof OpenAI.APIError>) => error.status === 502 && error.type === "server_error",
    );
  });

  for (const streamed of [false, true])
    it(`a provider that hangs is given up after the limit${streamed ? ", in the middle of a stream too" : ""}`, async () => {
      const double = await startDouble({ script: [{ ...LOOK, fault: "hang" }] });
      const { url } = await startProxy(double.url, { upstreamIdleMs: 100 });
      const answer = await exchange(`${url}/v1/messages`, {
        body: JSON.stringify({ ...ASK, stream: streamed }),
        headers: { "anthropic-version": "2023-06-01" },
      });
      if (streamed) assert.deepEqual([answer.status, answer.isCut], [200, true]);
      else assert.deepEqual([answer.status, (JSON.parse(answer.body.toString()) as { error: { type: string } }).error.type], [504, "timeout_error"]);
    });
});

it("a store that hangs ends with the proxy, which says what is lost", { timeout: 20_000 }, async () => {
  const double = await startDouble({ script: [LOOK] });
  const never = (): Promise<never> => new Promise(() => undefined);
  const store = { ...createMemoryStore(), name: "memory", append: never, putNotes: never };
  const proxy = createProxy({ port: 0, anthropicUpstream: double.url, store, shutdownMs: 0 });
  await anthropic(true)(await proxy.listen(), false);
  const lost = /^memory: close failed: what is new in one conversation is lost \(no answer within 1 s\)$/;
  const began = performance.now();
  const closing = proxy.close();
  await assert.rejects(closing, (error) => PalimpsestError.isInstance(error) && error.code === "STORE_FAILED" && lost.test(error.message));
  assert.ok(performance.now() - began < 3_000);
});

describe("a client that goes away", () => {
  for (const [what, path, streamed, tools] of [
    ["before the answer", "/v1/messages", false, false],
    ["in the middle of a stream", "/v1/messages", true, false],
    ["in the middle of a stream with our tools", "/v1/messages", true, true],
    ["in the middle of something that is not read", "/v1/files", true, false],
  ] as const)
    it(`ends the request upstream: ${what}`, async () => {
      let isClosed: (() => void) | undefined;
      const closed = new Promise<void>((resolve) => (isClosed = resolve));
      const upstream = await startUpstream((_, response) => {
        response.on("close", () => isClosed?.());
        if (streamed) response.writeHead(200, { "content-type": "text/event-stream" }).write('event: ping\ndata: {"type":"ping"}\n\n');
        else request.destroy();
      });
      const { url, events, counted } = await startProxy(upstream.url);
      const request = open(url + path, { method: "POST", agent: false });
      request.on("error", () => undefined).end(JSON.stringify({ ...ASK, stream: streamed, ...(tools ? { tools: TOOLS } : {}) }));
      request.on("response", (response) => response.once("data", () => request.destroy()).on("error", () => undefined));
      await closed;
      while ((await counted("palimpsest_running")) > 0) await new Promise(setImmediate);
      assert.deepEqual(
        events.filter(({ type }) => type === "failed"),
        [],
      );
    });

  it("in the middle of its own request leaves nothing behind", async () => {
    const { url, events, counted } = await startProxy("http://127.0.0.1:9");
    const request = open(`${url}/v1/messages`, { method: "POST", agent: false, headers: { "content-length": "100" } });
    request.on("error", () => undefined).write("{", () => setTimeout(() => request.destroy(), 20));
    while (events.length === 0) await new Promise(setImmediate);
    assert.equal(await counted("palimpsest_running"), 0);
    assert.deepEqual(
      events.map(({ type }) => type),
      ["call"],
    );
  });
});
