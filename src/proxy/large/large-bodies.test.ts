/** Requests with large bodies are answered in a separate thread. */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { anthropicLoop } from "../../../test/support/agents/anthropic-loop.ts";
import { busyAgent, runTool, TOOL_NAMES } from "../../../test/support/agents/busy-agent.ts";
import { startDouble } from "../../../test/support/agents/start-double.ts";
import { exchange } from "../../../test/support/proxies/exchange.ts";
import { startProxy } from "../../../test/support/proxies/start-proxy.ts";
import { openStore } from "../../store/open-store.ts";
import type { ClientAnswer } from "../http/client-answer.ts";
import type { ProxyEvent, ProxyOptions } from "../index.ts";
import { LargeBodies, ThreadFailure } from "./large-bodies.ts";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-large-"));
after(() => rmSync(folder, { recursive: true }));

const LIMIT = 30_000;
const TURNS = 30;

interface Played {
  readonly bodies: readonly string[];
  readonly refused: readonly unknown[];
  readonly text: string;
  readonly events: readonly ProxyEvent[];
  readonly requests: number;
  readonly saved: number;
}

/** A loop whose requests soon are larger than the limit, with thinking, calls of `recall`, and edits. */
async function play(streamed: boolean, options: ProxyOptions): Promise<Played> {
  const double = await startDouble({ script: busyAgent(TURNS, { compactions: 0, recalls: 0, answered: 0 }), windowTokens: 10_000_000 });
  const { url, proxy, events, counted } = await startProxy(double.url, { policy: "tight", ...options });
  const client = new Anthropic({ apiKey: "key", baseURL: url, maxRetries: 0 });
  const run = (name: string, input: unknown): ReturnType<typeof runTool> => {
    const { text, isError } = runTool(name, input);
    return { text: text.repeat(12), isError };
  };
  const { text } = await anthropicLoop(client, { streamed, task: "Find the needle.", tools: TOOL_NAMES, run });
  const requests = await counted("palimpsest_requests_total");
  const metrics = await (await fetch(`${url}/metrics`)).text();
  await proxy.close();
  const seed = /toolu_01([0-9a-f]{8})/.exec(JSON.stringify(double.requests.at(-1)?.body))?.[1] ?? assert.fail();
  const same = (body: object): string =>
    JSON.stringify(body)
      .replaceAll(seed, "SEED")
      .replaceAll(/"signature":"[^"]*"/g, "");
  return {
    bodies: double.requests.map(({ body }) => same(body)),
    refused: double.rejected.map(({ rule, error }) => [rule, error]),
    text,
    events,
    requests,
    saved: Number(/^palimpsest_dollars_saved (\S+)$/m.exec(metrics)?.[1]),
  };
}

describe("a conversation that outgrows the limit", () => {
  for (const [kind, streamed] of [
    ["memory", true],
    ["sqlite", false],
  ] as const)
    it(`goes on in the thread with the same bytes (${kind}, ${streamed ? "streamed" : "whole"})`, async () => {
      let stores = 0;
      const address = (): string => (kind === "memory" ? kind : `sqlite:${join(folder, `${stores++}.db`)}`);
      const one = await play(streamed, { store: address(), largeBodyBytes: 0 });
      const two = await play(streamed, { store: address(), largeBodyBytes: LIMIT });
      assert.deepEqual([two.refused, two.text], [[], `Done after ${TURNS} turns.`]);
      assert.deepEqual(two.bodies, one.bodies);
      assert.ok(
        one.bodies.some((body) => body.includes("[recall handle")),
        "something was shortened",
      );
      assert.ok(
        two.events.filter((event) => event.type === "call" && event.call.receivedBytes > LIMIT).length > TURNS / 2,
        "most requests were answered in the thread",
      );
      // Events of that thread are counted in this one.
      assert.equal(two.requests, one.requests);
      assert.ok(Math.abs(two.saved / one.saved - 1) < 0.01, `${two.saved} dollars saved, and ${one.saved} in one thread`);
      assert.deepEqual(
        two.events.filter((event) => event.type === "failed"),
        [],
      );
    });
});

describe("the thread for large bodies", () => {
  it("leaves the proxy free for others while it reads a hostile body", async () => {
    const double = await startDouble({ script: () => ({ text: "Ok." }), windowTokens: 100_000_000 });
    const { url } = await startProxy(double.url, { store: "memory" });
    const body = JSON.stringify({
      model: "claude-fable-5-2",
      max_tokens: 100,
      tools: [{ name: "read", input_schema: { type: "object" } }],
      messages: [
        { role: "user", content: "Read." },
        { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: {} }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "=".repeat(10_000_000) + "x\\u".repeat(1_000_000) }] },
      ],
    });
    let isDone = false;
    const large = exchange(`${url}/v1/messages`, { headers: { "x-api-key": "key", "anthropic-version": "2023-06-01" }, body }).finally(() => {
      isDone = true;
    });
    let answered = 0;
    while (!isDone) {
      await (await fetch(`${url}/healthz`)).text();
      answered++;
    }
    assert.equal((await large).status, 200);
    assert.ok(answered > 20, `others were answered ${answered} times`);
  });

  it("passes on what a provider refuses", async () => {
    const double = await startDouble({ script: () => ({ text: "Ok." }), windowTokens: 1_000 });
    const { url } = await startProxy(double.url, { store: "memory", largeBodyBytes: 1_000, tools: "off" });
    const body = JSON.stringify({ model: "claude-fable-5-2", max_tokens: 100, messages: [{ role: "user", content: "word ".repeat(20_000) }] });
    const { status, headers } = await exchange(`${url}/v1/messages`, { headers: { "x-api-key": "key", "anthropic-version": "2023-06-01" }, body });
    assert.equal(status, 400);
    assert.equal(headers["x-palimpsest-thread"], "beside");
  });

  it("notices that a client has gone away", async () => {
    let isLeft = false;
    const double = await startDouble({ script: () => ({ text: "word ".repeat(1_000) }), windowTokens: 10_000_000 });
    const { url, events } = await startProxy(double.url, { store: "memory", largeBodyBytes: 1_000, tools: "off" });
    const abort = new AbortController();
    const body = JSON.stringify({ model: "claude-fable-5-2", stream: true, max_tokens: 100, messages: [{ role: "user", content: "word ".repeat(2_000) }] });
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": "key", "anthropic-version": "2023-06-01" },
      body,
      signal: abort.signal,
    });
    const reader = response.body?.getReader() ?? assert.fail();
    await reader.read();
    abort.abort();
    await reader.read().catch(() => {
      isLeft = true;
    });
    for (let tries = 0; tries < 100 && !events.some(({ type }) => type === "call"); tries++) await wait(20);
    assert.ok(isLeft);
    assert.deepEqual(
      events.filter(({ type }) => type === "failed"),
      [],
    );
  });

  it("that cannot start leaves large bodies to the first thread, and reports it", async () => {
    const events: ProxyEvent[] = [];
    const large = new LargeBodies({
      settings: { policy: "none" as "tight" },
      store: "memory",
      limitBytes: 10,
      shutdownMs: 100,
      onEvent: (event) => void events.push(event),
    });
    assert.equal(await large.takes(11), false);
    assert.deepEqual(
      events.map((event) => event.type === "failed" && String(event.error).includes("policy")),
      [true],
    );
    await large.close();
  });

  it("that ends before it answers fails with an error that the proxy recognizes", async () => {
    const store = await openStore("memory");
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    after(() => silent.close());
    await once(silent, "listening");
    const anthropicUpstream = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const large = new LargeBodies({ settings: { anthropicUpstream }, store, limitBytes: 10, shutdownMs: 0, onEvent: () => undefined });
    assert.equal(await large.takes(11), true);
    const request = { method: "POST", url: "/v1/messages", rawHeaders: ["host", "127.0.0.1", "x-api-key", "key"] } as unknown as IncomingMessage;
    const answered = large.answer(request, Buffer.from("{}"), { signal: new AbortController().signal } as unknown as ClientAnswer);
    // A proxy that is closing would answer it.
    await once(silent, "connection");
    await Promise.all([large.close(), assert.rejects(answered, ThreadFailure)]);
  });
});
