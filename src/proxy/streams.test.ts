import assert from "node:assert/strict";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { request as open } from "node:http";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { brotliCompressSync, createGzip, gzipSync } from "node:zlib";
import { exchange } from "../../test/support/proxies/exchange.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import { startUpstream, startUpstreamInPieces, type SeenBytes } from "../../test/support/proxies/start-upstream.ts";
import { openStore } from "../store/open-store.ts";
import type { Appended, Store } from "../store/store.ts";
import { EventFrames } from "./http/event-frames.ts";

const sse = (event: object): string => `event: ${(event as { type: string }).type}\ndata:  ${JSON.stringify(event).replace("{", "{ ")}\n\n`;
const START = sse({
  type: "message_start",
  message: { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], usage: { input_tokens: 9, output_tokens: 1 } },
});
const TEXT = [
  sse({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  sse({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello." } }),
  sse({ type: "content_block_stop", index: 0 }),
].join("");
const END = (reason: string): string =>
  sse({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 3 } }) + sse({ type: "message_stop" });
const RECALL = [
  sse({ type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "toolu_1", name: "recall", input: {} } }),
  sse({ type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"handle":"none"}' } }),
  sse({ type: "content_block_stop", index: 0 }),
].join("");
/** With everything that a stream may contain and no reader looks at. */
const STREAM = `: hello\n\n${START}event: ping\ndata: {"type": "ping"}\n\n: still here\r\n\r\nid: 7\nretry: 100\nodd: 1\n\n${TEXT}event: unheard_of\ndata: {"type":"unheard_of","n":1.0}\n\n${END("end_turn")}: after all\n\n`;

const body = (tools: boolean): string =>
  JSON.stringify({
    model: "claude-opus-5",
    max_tokens: 9,
    stream: true,
    messages: [{ role: "user", content: tools ? "Look" : "Hi" }],
    ...(tools ? { tools: [{ name: "look", input_schema: { type: "object" } }] } : {}),
  });

function streaming(text: string, size = text.length): (request: SeenBytes, response: ServerResponse) => void {
  return (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "request-id": "req_1" });
    const bytes = Buffer.from(text);
    for (let from = 0; from < bytes.length; from += size) response.write(bytes.subarray(from, from + size));
    response.end();
  };
}

/** Runs in a thread: asks, and notes when the first bytes of an answer are there. */
const ASKING = `
  const { workerData: { url, body, flag } } = require("node:worker_threads");
  require("node:http").request(url, { method: "POST", headers: { "anthropic-version": "1" } }, (response) => response.once("data", () => {
    Atomics.store(new Int32Array(flag), 0, 1);
    Atomics.notify(new Int32Array(flag), 0);
  }).resume()).end(body);
`;

describe("a stream", () => {
  it("is with the client before the store has what was said in it", async () => {
    const flag = new SharedArrayBuffer(4);
    const real = await openStore("memory");
    const waits: string[] = [];
    const store: Store = new Proxy(real, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (name !== "append") return typeof value === "function" ? (value as () => unknown).bind(target) : value;
        return (...given: Parameters<Store["append"]>): Promise<Appended> => {
          // Like SQLite, it lets nothing else run. The first one is before the request.
          if (upstream.seen.length > 0) waits.push(Atomics.wait(new Int32Array(flag), 0, 0, 3_000));
          return target.append(...given);
        };
      },
    });
    const upstream = await startUpstream(streaming(STREAM));
    const { url } = await startProxy(upstream.url, { store });
    const asking = new Worker(ASKING, { eval: true, workerData: { url: `${url}/v1/messages`, body: body(true), flag } });
    await once(asking, "exit");
    assert.equal(waits.length, 1);
    assert.notEqual(waits[0], "timed-out");
  });

  for (const [what, tools] of [
    ["without tools", false],
    ["with our tools, none of them called", true],
  ] as const)
    for (const size of [7, 50, 10_000])
      it(`${what}, ${size} bytes at a time: the client gets every byte, comments and pings included`, async () => {
        const upstream = await startUpstream(streaming(STREAM, size));
        const { url, counted, events } = await startProxy(upstream.url);
        const answer = await exchange(`${url}/v1/messages`, { body: body(tools) });
        assert.equal(answer.body.toString(), STREAM);
        assert.equal(answer.headers["request-id"], "req_1");
        assert.equal(upstream.seen[0]?.body.toString().includes('"recall"'), tools);
        assert.equal(await counted('palimpsest_tokens_total{kind="output"}'), 3);
        assert.equal(
          events.some(({ type }) => type === "failed"),
          false,
        );
      });

  for (const tools of [false, true])
    it(`goes on as it comes${tools ? ", event by event where tools are ours" : ", chunk by chunk"}`, async () => {
      const pieces = [START, ": wait\n\n", TEXT, ...(tools ? [] : ["event: pi", 'ng\ndata: {"type":"ping"}\n\n']), END("end_turn")];
      const upstream = await startUpstreamInPieces(pieces);
      const { url } = await startProxy(upstream.url);
      let seen = "";
      let next = 0;
      // The next piece is sent only after the one before has arrived: holding one back hangs the test.
      const answer = await exchange(`${url}/v1/messages`, {
        body: body(tools),
        onChunk: (chunk) => {
          seen += chunk.toString();
          for (; next < pieces.length && seen.length >= pieces.slice(0, next + 1).join("").length; next++) setImmediate(() => upstream.send());
        },
      });
      assert.equal(answer.body.toString(), pieces.join(""));
    });

  for (const [encoding, pack] of [
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)
    it(`packed with ${encoding}: packed as it came where nothing is hidden, else unpacked`, async () => {
      const upstream = await startUpstream(
        (_, response) => void response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": encoding }).end(pack(STREAM)),
      );
      const { url, counted } = await startProxy(upstream.url);
      const plain = await exchange(`${url}/v1/messages`, { body: body(false) });
      assert.deepEqual([plain.headers["content-encoding"], plain.body], [encoding, pack(STREAM)]);
      const unpacked = await exchange(`${url}/v1/messages`, { body: body(true) });
      assert.deepEqual([unpacked.headers["content-encoding"], unpacked.body.toString()], [undefined, STREAM]);
      assert.equal(await counted('palimpsest_tokens_total{kind="output"}'), 6);
    });

  it("packed and never ending: what has come is unpacked", async () => {
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      const gzip = createGzip();
      gzip.pipe(response);
      gzip.write(START);
      gzip.flush();
    });
    const { url } = await startProxy(upstream.url);
    const request = open(`${url}/v1/messages`, { method: "POST", agent: false });
    request.on("error", () => undefined).end(body(true));
    const first = await new Promise<string>((resolve) =>
      request.on("response", (response) => response.once("data", (chunk: Buffer) => resolve(chunk.toString()))),
    );
    assert.equal(first, START);
    request.destroy();
  });

  it("waits for a slow reader, instead of buffering everything", async () => {
    const piece = Buffer.from(`: ${"x".repeat(60_000)}\n\n`);
    let written = 0;
    const upstream = await startUpstream((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = (): void => {
        while (written < 2_000 && !response.destroyed) {
          written++;
          if (!response.write(piece)) return void response.once("drain", more);
        }
        response.end();
      };
      more();
    });
    const { url } = await startProxy(upstream.url);
    for (const tools of [false, true]) {
      written = 0;
      const request = open(`${url}/v1/messages`, { method: "POST", agent: false });
      request.on("error", () => undefined).end(body(tools));
      await new Promise((resolve) => request.on("response", (response) => resolve(response.pause())));
      let before = -1;
      while (before !== written) {
        before = written;
        await sleep(150);
      }
      assert.ok(written < 1_500, `${written} pieces of 60 KB went to nobody`);
      request.destroy();
    }
  });

  it("whose reader reads nothing for too long is given up", async () => {
    let isClosed: (() => void) | undefined;
    const closed = new Promise<void>((resolve) => (isClosed = resolve));
    const upstream = await startUpstream((_, response) => {
      response.on("close", () => isClosed?.()).writeHead(200, { "content-type": "text/event-stream" });
      for (let turn = 0; turn < 500; turn++) response.write(`: ${"x".repeat(60_000)}\n\n`);
    });
    const { url } = await startProxy(upstream.url, { clientIdleMs: 100 });
    const request = open(`${url}/v1/messages`, { method: "POST", agent: false });
    request.on("error", () => undefined).end(body(false));
    await new Promise((resolve) => request.on("response", (response) => resolve(response.pause())));
    await closed;
    request.destroy();
  });
});

describe("hidden rounds of a stream", () => {
  const rounds = (
    ...answers: readonly ((request: SeenBytes, response: ServerResponse) => void)[]
  ): ((request: SeenBytes, response: ServerResponse) => void) => {
    const left = [...answers];
    return (request, response) => left.shift()?.(request, response);
  };
  const CALLING = START + RECALL + END("tool_use") + ": gone\n\n";

  it("are one message for the client, with the bytes of what it sees", async () => {
    const upstream = await startUpstream(rounds(streaming(CALLING), streaming(`: again\n\n${START}${TEXT}${END("end_turn")}`)));
    const { url, counted } = await startProxy(upstream.url);
    const answer = (await exchange(`${url}/v1/messages`, { body: body(true) })).body.toString();
    assert.ok(answer.startsWith(`${START}: again\n\n${TEXT}event: message_delta\n`), answer);
    assert.ok(answer.endsWith(sse({ type: "message_stop" })), answer);
    assert.doesNotMatch(answer, /recall|toolu_1|gone/);
    assert.equal(upstream.seen.length, 2);
    assert.match(upstream.seen[1]?.body.toString() ?? "", /"tool_use_id":"toolu_1"/);
    assert.equal(await counted("palimpsest_upstream_requests_total"), 2);
  });

  it("that take long send pings", async () => {
    const upstream = await startUpstream(
      rounds(streaming(CALLING), (request, response) => void setTimeout(() => streaming(START + TEXT + END("end_turn"))(request, response), 200)),
    );
    const { url } = await startProxy(upstream.url, { pingMs: 20 });
    const answer = (await exchange(`${url}/v1/messages`, { body: body(true) })).body.toString();
    assert.ok(answer.split('event: ping\ndata: {"type": "ping"}\n\n').length > 3, answer);
    assert.ok(answer.includes(TEXT));
  });

  const limit =
    (status: number, headers: Record<string, string>): ((request: SeenBytes, response: ServerResponse) => void) =>
    (_, response) =>
      void response
        .writeHead(status, { "content-type": "application/json", ...headers })
        .end('{"type":"error","error":{"type":"overloaded_error","message":"Full."}}');

  it("that are refused with 429 and 529 are tried again", async () => {
    const upstream = await startUpstream(
      rounds(streaming(CALLING), limit(529, { "retry-after-ms": "1" }), limit(429, { "retry-after": "0" }), streaming(START + TEXT + END("end_turn"))),
    );
    const { url } = await startProxy(upstream.url);
    assert.ok((await exchange(`${url}/v1/messages`, { body: body(true) })).body.toString().includes(TEXT));
    assert.equal(upstream.seen.length, 4);
    assert.deepEqual(upstream.seen[1]?.body, upstream.seen[3]?.body);
  });

  for (const [what, refused, headers] of [
    ["for longer than the limit", 529, { "retry-after": "60" }],
    ["for another reason", 403, {}],
  ] as const)
    it(`that are refused ${what} end in the error of the API`, async () => {
      const upstream = await startUpstream(rounds(streaming(CALLING), limit(refused, headers)));
      const { url, events } = await startProxy(upstream.url);
      const { status, body: bytes, isCut } = await exchange(`${url}/v1/messages`, { body: body(true) });
      assert.ok(bytes.toString().endsWith('event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Full."}}\n\n'), bytes.toString());
      assert.equal(isCut, false);
      assert.equal(upstream.seen.length, 2);
      const [record] = events.flatMap((event) => (event.type === "engine" && event.event.type === "called" ? [event.event.record] : []));
      assert.deepEqual([status, record?.status, record?.rounds.map((round) => round.status)], [200, 200, [200, refused]]);
      assert.deepEqual(record?.failures, [{ stage: "hidden round", message: `The provider answered with status ${refused}.` }]);
    });

  it("that break off end the client's stream too", async () => {
    const upstream = await startUpstream(
      rounds(streaming(CALLING), (_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(START + TEXT, () => response.socket?.destroy());
      }),
    );
    const { url } = await startProxy(upstream.url);
    const { body: bytes, isCut } = await exchange(`${url}/v1/messages`, { body: body(true) });
    assert.deepEqual([bytes.toString(), isCut], [START + TEXT, true]);
  });
});

describe("EventFrames", () => {
  for (const size of [1, 2, 3, 5, 1_000])
    it(`loses no byte, ${size} at a time`, () => {
      const frames = new EventFrames();
      const bytes = Buffer.from(STREAM.replaceAll(": still here\r\n\r\n", ": a\r\rdata: 1\r\n\rdata: x\n\r\n") + "data: half");
      const seen: Buffer[] = [];
      const events: (object | undefined)[] = [];
      for (let from = 0; from < bytes.length; from += size)
        for (const { raw, event } of frames.push(bytes.subarray(from, from + size))) {
          seen.push(raw);
          events.push(event);
        }
      assert.equal(Buffer.concat([...seen, frames.rest()]).toString(), bytes.toString());
      assert.equal(events.filter((event) => event !== undefined).length, 8);
      assert.equal(frames.rest().length, 0);
    });
});
