/** What the proxy does with its engine: the one that it has, and one that fails in every way. */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import OpenAI from "openai";
import { anthropicLoop } from "../../test/support/agents/anthropic-loop.ts";
import { runTool, TOOL_NAMES } from "../../test/support/agents/busy-agent.ts";
import { chatLoop } from "../../test/support/agents/chat-loop.ts";
import { responsesLoop } from "../../test/support/agents/responses-loop.ts";
import { startDouble } from "../../test/support/agents/start-double.ts";
import { exchange } from "../../test/support/proxies/exchange.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import { HELLO, startUpstream } from "../../test/support/proxies/start-upstream.ts";
import { NO_METRICS } from "../agent/front-end/metrics.ts";
import type { Script, Turn } from "../testing/index.ts";
import type { Engine, EngineCall } from "./engine.ts";

/** Works for `turns` turns, and keeps reading files that are too large to be shown whole. */
const working = (turns: number): Script => {
  let turn = 0;
  return (): Turn =>
    turn++ < turns ? { thinking: `Turn ${turn}.`, calls: [{ name: "read", input: { path: `src/part-${turn % 3}.ts`, turn } }] } : { text: "Done." };
};
const read = (name: string, input: unknown): ReturnType<typeof runTool> => {
  const { text, isError } = runTool(name, input);
  return { text: text.repeat(30), isError };
};

describe("an agent's loop through the proxy", () => {
  const loops: readonly (readonly [name: string, loop: (base: string, streamed: boolean) => Promise<{ text: string }>])[] = [
    [
      "Messages",
      (baseURL, streamed) =>
        anthropicLoop(new Anthropic({ apiKey: "key", baseURL }), { streamed, task: "Read.", tools: TOOL_NAMES, run: read, thinking: { type: "adaptive" } }),
    ],
    ["Chat", (base, streamed) => chatLoop(new OpenAI({ apiKey: "key", baseURL: `${base}/v1` }), { streamed, task: "Read.", tools: TOOL_NAMES, run: read })],
    [
      "Responses",
      (base, streamed) => responsesLoop(new OpenAI({ apiKey: "key", baseURL: `${base}/v1` }), { streamed, task: "Read.", tools: TOOL_NAMES, run: read }),
    ],
  ];
  for (const [name, loop] of loops)
    for (const streamed of [false, true])
      it(`${name}${streamed ? ", streamed" : ""}: nothing is refused, and less is sent`, async () => {
        const double = await startDouble({ script: working(10), windowTokens: 1_000_000 });
        const { url, events } = await startProxy(double.url, { policy: "tight" });
        assert.equal((await loop(url, streamed)).text, "Done.");
        assert.deepEqual(double.rejected, []);
        const calls = events.flatMap((event) => (event.type === "call" ? [event.call] : []));
        const [received, sent] = [calls.reduce((sum, call) => sum + call.receivedBytes, 0), calls.reduce((sum, call) => sum + call.sentBytes, 0)];
        assert.ok(sent < received, `${sent} of ${received} bytes`);
        assert.equal(new Set(calls.map(({ thread }) => thread)).size, 1);
        assert.deepEqual(
          events.filter(({ type }) => type === "failed"),
          [],
        );
      });

  it("observed: the provider sees the client's own bytes, and what would have been sent is counted", async () => {
    const bodies: string[][] = [];
    for (const observe of [false, true]) {
      const double = await startDouble({ script: working(10), windowTokens: 1_000_000 });
      const { url, events } = await startProxy(double.url, { policy: "tight", observe: true });
      await anthropicLoop(new Anthropic({ apiKey: "key", baseURL: observe ? url : double.url }), {
        streamed: true,
        task: "Read.",
        tools: TOOL_NAMES,
        run: read,
      });
      bodies.push(double.requests.map(({ body }) => JSON.stringify(body).replaceAll(/"(signature|id|tool_use_id)":"[^"]+"/g, "")));
      const last = events.flatMap((event) => (event.type === "call" ? [event.call] : [])).at(-1);
      if (observe) assert.ok((last?.observedBytes ?? Infinity) < (last?.receivedBytes ?? 0) && last?.nothing === "observed", JSON.stringify(last));
    }
    assert.deepEqual(bodies[1], bodies[0]);
  });

  for (const [what, said] of [
    ["refused", "messages.1: something that views may cause"],
    ["too long", "prompt is too long: 250000 tokens > 200000 maximum"],
  ] as const)
    it(`observed: what is ${what} is not sent again, since it was the client's own`, async () => {
      const upstream = await startUpstream((_, response) => {
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ type: "error", error: { type: "invalid_request_error", message: said } }));
      });
      const { url, events } = await startProxy(upstream.url, { observe: true });
      const { status } = await exchange(`${url}/v1/messages`, { body: ask() });
      assert.deepEqual(
        [status, upstream.seen.length, events.filter(({ type }) => type === "engine").filter((event) => JSON.stringify(event).includes('"failed"'))],
        [400, 1, []],
      );
    });

  it("observed: nothing is saved, so no metric says so", async () => {
    const double = await startDouble({ script: working(10), windowTokens: 1_000_000 });
    const { url } = await startProxy(double.url, { policy: "tight", observe: true });
    await anthropicLoop(new Anthropic({ apiKey: "key", baseURL: url }), { streamed: false, task: "Read.", tools: TOOL_NAMES, run: read });
    const metrics = (await exchange(`${url}/metrics`, { method: "GET" })).body.toString();
    const tokens = (kind: string): number => Number(new RegExp(`palimpsest_tokens_total\\{kind="${kind}"\\} (\\d+)`).exec(metrics)?.[1]);
    const ratio = tokens("full") / tokens("input");
    assert.ok(ratio > 0.9 && ratio < 1.1, `${tokens("full")} of ${tokens("input")}`);
  });
});

const TOOLS = [{ name: "look", input_schema: { type: "object" } }];
const ask = (more: object = {}): string =>
  JSON.stringify({ model: "claude-opus-5", max_tokens: 9, messages: [{ role: "user", content: "Hi" }], tools: TOOLS, ...more });

describe("a request says", () => {
  it("which tools: --tools off sends none, all sends two", async () => {
    for (const [tools, names] of [
      ["off", ["look"]],
      ["auto", ["recall", "look"]],
      ["all", ["compact", "recall", "look"]],
    ] as const) {
      const upstream = await startUpstream((_, response) => void response.end(JSON.stringify(HELLO)));
      const { url } = await startProxy(upstream.url, { tools });
      await exchange(`${url}/v1/messages`, { body: ask() });
      const sent = JSON.parse(upstream.seen[0]?.body.toString() ?? "") as { tools: { name: string }[] };
      assert.deepEqual(
        sent.tools.map(({ name }) => name),
        names,
      );
      if (tools === "off") assert.equal(upstream.seen[0]?.body.toString(), ask());
    }
  });

  it("which policy: an unknown name is a 400 that lists the known ones", async () => {
    const long = Array.from({ length: 4_000 }, (_, line) => `line ${line}: nothing much`).join("\n");
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "look", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: long }] },
    ];
    const sizes: number[] = [];
    for (const policy of ["gentle", "tight"]) {
      const upstream = await startUpstream((_, response) => void response.end(JSON.stringify({ ...HELLO, content: messages[1]?.content })));
      const { url } = await startProxy(upstream.url);
      await exchange(`${url}/v1/messages`, { body: ask(), headers: { "x-palimpsest-policy": policy } });
      await exchange(`${url}/v1/messages`, { body: ask({ messages }), headers: { "x-palimpsest-policy": policy } });
      sizes.push(upstream.seen[1]?.body.length ?? 0);
    }
    assert.ok((sizes[0] ?? 0) > (sizes[1] ?? 0), sizes.join());
    const { url } = await startProxy("http://127.0.0.1:9");
    const { status, body } = await exchange(`${url}/v1/messages`, { body: ask(), headers: { "x-palimpsest-policy": "wild" } });
    assert.deepEqual(
      [status, JSON.parse(body.toString())],
      [
        400,
        {
          type: "error",
          error: { type: "invalid_request_error", message: "palimpsest: x-palimpsest-policy names an unknown policy. Use one of: gentle, balanced, tight." },
        },
      ],
    );
  });

  it("which thread: the answer names it, and the same thread goes on under the same name", async () => {
    const upstream = await startUpstream((_, response) => void response.end(JSON.stringify(HELLO)));
    const { url } = await startProxy(upstream.url);
    const thread = async (more: object, headers: Record<string, string> = {}): Promise<unknown> =>
      (await exchange(`${url}/v1/messages`, { body: ask(more), headers })).headers["x-palimpsest-thread"];
    const first = await thread({});
    const longer = {
      messages: [
        { role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] },
        { role: "assistant", content: "Hello." },
        { role: "user", content: "And?" },
      ],
    };
    assert.match(String(first), /^c-[0-9a-f]{16}$/);
    assert.equal(await thread(longer), first);
    assert.equal(await thread(longer, { "x-palimpsest-thread": String(first) }), first);
    assert.equal(await thread({}, { "x-palimpsest-thread": "mine" }), "mine");
    assert.notEqual(await thread({}, { "x-claude-code-session-id": "s1" }), first);
    assert.notEqual(await thread({ messages: [{ role: "user", content: "Other" }] }), first);
  });
});

/** An engine that does as a test says. */
const engineThat = (act: (call: EngineCall) => Promise<unknown>): Engine => ({
  policies: [],
  send: act as Engine["send"],
  stream: act as Engine["stream"],
  preview: () => Promise.resolve(undefined),
  passed: () => undefined,
  retain: () => Promise.resolve(),
  metrics: () => NO_METRICS,
  saved: () => Promise.resolve(),
  whyNotReady: () => "its store is away",
  close: () => Promise.resolve(),
});

const OWN = ` ${ask({ n: 1 }).replace('"n":1', '"n":1.0')} `;
const STREAM = 'event: message_start\ndata: {"type":"message_start","message":{}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n';

describe("fail open", () => {
  const cyclic: Record<string, unknown> = { messages: [] };
  cyclic["self"] = cyclic;
  const failures: readonly (readonly [what: string, stage: string, act: (call: EngineCall) => Promise<unknown>])[] = [
    ["throws at once", "engine", () => Promise.reject(new TypeError("broken"))],
    [
      "throws after an answer",
      "engine",
      async ({ body, transport }) => transport.send({ ...body, messages: [] }).then(() => Promise.reject(new TypeError("broken"))),
    ],
    ["refuses by itself", "engine", () => Promise.resolve({ refused: "because", tooLong: undefined })],
    ["wants to send something that is not JSON", "splice", ({ transport }) => transport.send(cyclic)],
    ["answers a stream without asking the provider", "engine", () => Promise.resolve({ answer: (async function* () {})() })],
  ];
  for (const [what, stage, act] of failures)
    it(`an engine that ${what}: the client's own bytes go, and it is counted`, async () => {
      const isStream = what.includes("stream");
      const upstream = await startUpstream((_, response) => void response.end(isStream ? STREAM : JSON.stringify(HELLO)));
      const { url, events, counted } = await startProxy(upstream.url, {}, engineThat(act));
      const own = isStream ? OWN.replace('"n":1.0', '"n":1.0,"stream":true') : OWN;
      const answer = await exchange(`${url}/v1/messages`, { body: own });
      assert.equal(upstream.seen.at(-1)?.body.toString(), own);
      assert.deepEqual([answer.status, answer.body.toString()], [200, isStream ? STREAM : JSON.stringify(HELLO)]);
      assert.ok((await counted(`palimpsest_failures_total{stage="${stage}"}`)) >= 1);
      assert.ok(events.some((event) => event.type === "failed" && event.stage === stage));
      assert.ok(events.some((event) => event.type === "call" && event.call.nothing === "failed"));
    });

  it("a view that cannot be spliced is written as new JSON", async () => {
    const upstream = await startUpstream((_, response) => void response.end(JSON.stringify(HELLO)));
    const trap = (body: object): object => {
      let reads = 0;
      // Fails only while it is compared.
      return new Proxy(body, { get: (target, key) => (key === "max_tokens" && reads++ === 0 ? raise() : (Reflect.get(target, key) as unknown)) });
    };
    const { url, counted } = await startProxy(
      upstream.url,
      {},
      engineThat(({ body, transport }) => transport.send(trap({ ...body, messages: [], max_tokens: 8 }))),
    );
    assert.equal((await exchange(`${url}/v1/messages`, { body: OWN })).status, 200);
    assert.deepEqual(JSON.parse(upstream.seen[0]?.body.toString() ?? ""), { ...(JSON.parse(OWN) as object), messages: [], max_tokens: 8 });
    assert.equal(await counted('palimpsest_failures_total{stage="splice"}'), 1);
  });

  for (const hides of [false, true])
    it(`an engine that fails in the middle of a stream: ${hides ? "the answer ends in an error of the API" : "the answer goes on"}`, async () => {
      const upstream = await startUpstream((_, response) => void response.writeHead(200, { "content-type": "text/event-stream" }).end(`: first\n\n${STREAM}`));
      const engine = engineThat(async ({ body, transport }) => {
        const sent = await transport.stream(hides ? { ...body, tools: [{ name: "recall" }, ...TOOLS] } : { ...body, messages: [] });
        assert.ok("answer" in sent);
        return {
          answer: (async function* () {
            for await (const event of sent.answer) {
              yield event;
              throw new TypeError("broken");
            }
          })(),
        };
      });
      const { url, counted } = await startProxy(upstream.url, {}, engine);
      const answer = (await exchange(`${url}/v1/messages`, { body: ask({ stream: true }) })).body.toString();
      if (hides) assert.match(answer, /^: first\n\nevent: message_start\n.*\n\nevent: error\ndata: \{"type":"error","error":\{"type":"api_error".*\}\}\n\n$/);
      else assert.equal(answer, `: first\n\n${STREAM}`);
      assert.equal(await counted('palimpsest_failures_total{stage="stream"}'), 1);
    });

  it("a listener that throws costs nobody an answer", async () => {
    const upstream = await startUpstream((_, response) => void response.end(JSON.stringify(HELLO)));
    const { url } = await startProxy(upstream.url, { onEvent: () => raise() });
    assert.equal((await exchange(`${url}/v1/messages`, { body: ask() })).status, 200);
  });

  it("JSON nested too deep for the stack is passed on as it came", async () => {
    const upstream = await startUpstream((_, response) => void response.end(JSON.stringify(HELLO)));
    const { url } = await startProxy(upstream.url);
    const deep = `{"model":"m","max_tokens":1,"tools":[{"name":"x"}],"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":${"[".repeat(20_000)}${"]".repeat(20_000)}}]}]}`;
    assert.equal((await exchange(`${url}/v1/messages`, { body: deep })).status, 200);
    assert.equal(upstream.seen.at(-1)?.body.toString(), deep);
  });

  it("/readyz says what the engine lacks", async () => {
    const { url } = await startProxy(
      "http://127.0.0.1:9",
      {},
      engineThat(() => Promise.reject(new TypeError("never"))),
    );
    const { status, body } = await exchange(`${url}/readyz`, { method: "GET" });
    assert.deepEqual([status, body.toString()], [503, "not ready: its store is away\n"]);
  });
});

function raise(): never {
  throw new TypeError("broken");
}
