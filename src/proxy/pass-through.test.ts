import assert from "node:assert/strict";
import { request as open } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { exchange } from "../../test/support/proxies/exchange.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import { HELLO, startUpstream, type Upstream } from "../../test/support/proxies/start-upstream.ts";

const answering: Upstream["answer"] = (_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(HELLO));
};
/** In bytes that no JSON writer would choose. */
const BODY = ' { "model":"claude-opus-5", "n": 1.0,"big":12345678901234567890,"messages" : [ {"role":"user","content":"\\u0048i\\/"} ], "max_tokens":1e2 } ';

describe("what is not read", () => {
  it("goes upstream untouched: method, path, query, headers in their order and spelling, bytes; and so does the answer", async () => {
    const upstream = await startUpstream((_, response) => {
      response.sendDate = false;
      response.writeHead(218, "This is fine", ["X-Odd", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "Content-Length", "3"]);
      response.end(Buffer.from([0, 255, 10]));
    });
    const { url } = await startProxy(upstream.url);
    const body = Buffer.from([1, 2, 0, 254]);
    const answer = await exchange(`${url}/v1/odd//path%2Fx?b=2&a=%20`, {
      method: "PUT",
      headers: [
        "X-Zed",
        "1",
        "x-alpha",
        "2",
        "X-Zed",
        "3",
        "Authorization",
        "Bearer k",
        "Connection",
        "x-mine",
        "X-Mine",
        "no",
        "TE",
        "trailers",
        "x-palimpsest-thread",
        "no",
      ],
      body,
    });
    const [seen] = upstream.seen;
    assert.equal(seen?.method, "PUT");
    assert.equal(seen.url, "/v1/odd//path%2Fx?b=2&a=%20");
    assert.deepEqual(seen.body, body);
    const pairs = seen.rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${seen.rawHeaders[index + 1] ?? ""}`] : []));
    assert.deepEqual(pairs, [
      "X-Zed: 1",
      "x-alpha: 2",
      "X-Zed: 3",
      "Authorization: Bearer k",
      "content-length: 4",
      `host: 127.0.0.1:${upstream.port}`,
      "Connection: keep-alive",
    ]);
    assert.deepEqual([answer.status, answer.message, answer.body], [218, "This is fine", Buffer.from([0, 255, 10])]);
    assert.deepEqual(answer.rawHeaders.slice(0, 8), ["X-Odd", "1", "Set-Cookie", "a=1", "Set-Cookie", "b=2", "Content-Length", "3"]);
  });

  it("HEAD is answered as the provider does", async () => {
    const upstream = await startUpstream((_, response) => void response.writeHead(204, { "x-up": "1" }).end());
    const { url } = await startProxy(upstream.url);
    const { status, headers, body } = await exchange(`${url}/api/hello`, { method: "HEAD" });
    assert.deepEqual([status, headers["x-up"], body.length, upstream.seen[0]?.method, upstream.seen[0]?.url], [204, "1", 0, "HEAD", "/api/hello"]);
  });

  it("count_tokens", async () => {
    const upstream = await startUpstream(answering);
    const { url } = await startProxy(upstream.url);
    const { headers } = await exchange(`${url}/v1/messages/count_tokens?beta=true`, { body: BODY });
    assert.equal(upstream.seen[0]?.body.toString(), BODY);
    assert.equal(headers["x-palimpsest-tokens"], undefined);
  });

  it("an answer comes piece by piece", async () => {
    let send: (() => void) | undefined;
    const upstream = await startUpstream((_, response) => {
      response.write("first");
      send = () => void response.end("second");
    });
    const { url } = await startProxy(upstream.url);
    const pieces: string[] = [];
    await exchange(`${url}/v1/files`, {
      method: "GET",
      onChunk: (chunk) => {
        pieces.push(chunk.toString());
        send?.();
      },
    });
    assert.deepEqual(pieces, ["first", "second"]);
  });

  const unread: readonly (readonly [what: string, body: Buffer, headers?: Record<string, string>])[] = [
    ["no JSON", Buffer.from("{ not JSON")],
    ["JSON that is no object", Buffer.from("[1]")],
    ["nothing", Buffer.alloc(0)],
    ["bytes that are no UTF-8", Buffer.concat([Buffer.from('{"model":"m","messages":[{"role":"user","content":"'), Buffer.from([0xff]), Buffer.from('"}]}')])],
    ["an unknown content encoding", Buffer.from(BODY), { "content-encoding": "secret" }],
    ["a body that is not in the encoding that its header names", Buffer.from(BODY), { "content-encoding": "gzip" }],
    ["what unpacks to more than the limit", gzipSync(Buffer.alloc(3_000_000, 32)), { "content-encoding": "gzip" }],
    ["more than the limit", Buffer.from(`{"model":"m","messages":[{"role":"user","content":"${"x".repeat(2_000_000)}"}]}`)],
    ["no model", Buffer.from('{"messages" : [{"role":"user","content":"Hi"}]}')],
    ["no messages", Buffer.from('{"model":"m","messages" : []}')],
  ];
  for (const [what, body, headers] of unread)
    it(`on the path of messages: ${what}`, async () => {
      const upstream = await startUpstream(answering);
      const { url, counted } = await startProxy(upstream.url, { maxBodyBytes: 1_000_000 });
      const answer = await exchange(`${url}/v1/messages`, { body, ...(headers === undefined ? {} : { headers }) });
      assert.equal(answer.status, 200);
      assert.deepEqual(upstream.seen[0]?.body, body);
      assert.equal(upstream.seen[0].headers["content-encoding"], headers?.["content-encoding"]);
      assert.equal(await counted("palimpsest_failures_total"), 0);
    });

  it("a body in pieces that turns out too large on the way", async () => {
    const upstream = await startUpstream(answering);
    const { url } = await startProxy(upstream.url, { maxBodyBytes: 100_000 });
    const pieces = Array.from({ length: 40 }, (_, index) => Buffer.alloc(10_000, 97 + (index % 26)));
    const request = open(`${url}/v1/messages`, { method: "POST", agent: false });
    for (const piece of pieces) request.write(piece);
    request.end();
    await new Promise((resolve) => request.on("response", (response) => response.resume().on("end", resolve)));
    assert.ok(upstream.seen[0]?.body.equals(Buffer.concat(pieces)));
  });

  it("with x-palimpsest-bypass: 1, which the provider does not see", async () => {
    const upstream = await startUpstream(answering);
    const { url, events } = await startProxy(upstream.url);
    const answer = await exchange(`${url}/v1/messages`, { body: BODY, headers: { "x-palimpsest-bypass": "1" } });
    assert.equal(upstream.seen[0]?.body.toString(), BODY);
    assert.deepEqual(
      Object.keys(upstream.seen[0].headers).filter((name) => name.startsWith("x-palimpsest")),
      [],
    );
    assert.equal(answer.headers["x-palimpsest-tokens"], undefined);
    assert.equal(events[0]?.type === "call" && events[0].call.nothing, "bypass");
  });
});

describe("what is read and not changed", () => {
  const PACKED: readonly (readonly [encoding: string, pack: (body: Buffer) => Buffer])[] = [
    ["identity", (body) => body],
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate", deflateRawSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["gzip, br", (body) => brotliCompressSync(gzipSync(body))],
  ];
  for (const [encoding, pack] of PACKED)
    it(`goes upstream byte for byte, packed with ${encoding} as it came`, async () => {
      const upstream = await startUpstream(answering);
      const { url, events } = await startProxy(upstream.url, { tools: "off" });
      const body = pack(Buffer.from(BODY));
      const answer = await exchange(`${url}/v1/messages`, { body, headers: { "content-encoding": encoding, "accept-encoding": "gzip;q=1, dcb, br" } });
      assert.deepEqual(upstream.seen[0]?.body, body);
      assert.deepEqual([upstream.seen[0].headers["content-encoding"], upstream.seen[0].headers["accept-encoding"]], [encoding, "gzip;q=1, br"]);
      assert.equal(answer.body.toString(), JSON.stringify(HELLO));
      assert.equal(answer.headers["content-length"], undefined, "as the provider framed it");
      assert.match(String(answer.headers["x-palimpsest-thread"]), /^(c-|beside$)/);
      assert.match(String(answer.headers["x-palimpsest-tokens"]), /^\d+\/\d+$/);
      assert.equal(events[0]?.type === "engine" && events[0].event.type, "answered", "the engine read it");
    });

  it("a packed answer goes on packed, and is read", async () => {
    const packed = gzipSync(JSON.stringify(HELLO));
    const upstream = await startUpstream(
      (_, response) =>
        void response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip", "content-length": packed.length }).end(packed),
    );
    const { url, counted } = await startProxy(upstream.url);
    const { headers, body } = await exchange(`${url}/v1/messages`, { body: BODY, headers: { "accept-encoding": "gzip" } });
    assert.deepEqual([headers["content-encoding"], body], ["gzip", packed]);
    assert.equal(await counted('palimpsest_tokens_total{kind="output"}'), 2);
  });

  it("with a tool of ours: all but the tool are the client's bytes", async () => {
    const upstream = await startUpstream(answering);
    const { url } = await startProxy(upstream.url);
    const body = BODY.replace('"n"', '"tools" : [ {"name":"look","input_schema":{"type":"object","n":1.0}} ], "n"');
    await exchange(`${url}/v1/messages`, { body, headers: { "content-encoding": "identity" } });
    const sent = upstream.seen[0]?.body.toString() ?? "";
    const marked = '{"role":"user","content":[{"type":"text","text":"Hi/","cache_control":{"type":"ephemeral"}}]}';
    const tools = /\{"name":"recall".*?\}\}(?=,\{"name":"look")/.exec(sent)?.[0] ?? "";
    assert.notEqual(tools, "");
    assert.equal(sent, body.replace('[ {"name":"look"', `[${tools},{"name":"look"`).replace('[ {"role":"user","content":"\\u0048i\\/"} ]', `[${marked}]`));
  });
});

describe("the connection", () => {
  it("WebSocket is refused with 426, so that Codex falls back at once", async () => {
    const upstream = await startUpstream(answering);
    const { url } = await startProxy(upstream.url);
    const answer = await exchange(`${url}/v1/responses`, {
      method: "GET",
      headers: { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "x", "sec-websocket-version": "13" },
    });
    assert.equal(answer.status, 426);
    assert.equal((JSON.parse(answer.body.toString()) as { error: { type: string } }).error.type, "invalid_request_error");
    assert.equal(upstream.seen.length, 0);
  });

  it("another upgrade is an ordinary request", async () => {
    const upstream = await startUpstream(answering);
    const { url } = await startProxy(upstream.url);
    assert.equal((await exchange(`${url}/v1/models`, { method: "GET", headers: { connection: "Upgrade, HTTP2-Settings", upgrade: "h2c" } })).status, 200);
    assert.equal(upstream.seen[0]?.headers.upgrade, undefined);
  });

  it("is kept: hundreds of requests take one connection upstream", async () => {
    const ports = new Set<number | undefined>();
    const upstream = await startUpstream((request, response) => {
      ports.add(response.socket?.remotePort);
      answering(request, response);
    });
    const { url } = await startProxy(upstream.url);
    for (let turn = 0; turn < 200; turn++) await (await fetch(`${url}/v1/messages`, { method: "POST", body: BODY })).arrayBuffer();
    assert.equal(ports.size, 1);
  });

  it("that the provider has just closed is opened again", async () => {
    let served = 0;
    const upstream = await startUpstream((request, response) => {
      // As if it had closed the connection while it was idle.
      if (++served === 2) response.socket?.destroy();
      else answering(request, response);
    });
    const { url } = await startProxy(upstream.url);
    for (const _ of [1, 2]) assert.equal((await exchange(`${url}/v1/messages`, { body: BODY })).status, 200);
    assert.equal(served, 3);
  });

  it("with a head that is too large is refused", async () => {
    const { url } = await startProxy("http://127.0.0.1:9", { maxHeaderBytes: 2_000 });
    assert.equal((await exchange(`${url}/v1/messages`, { method: "GET", headers: { "x-long": "x".repeat(5_000) } })).status, 431);
  });

  it("on which no body comes gets an error in the API's format", async () => {
    const { url } = await startProxy("http://127.0.0.1:9", { clientIdleMs: 50 });
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n{");
    const answer = await text(socket);
    assert.match(answer, /^HTTP\/1.1 408 /);
    assert.match(answer, /"type":"timeout_error"/);
  });

  it("of clients is limited", async () => {
    const upstream = await startUpstream((_, response) => void response.writeHead(200).write("held"));
    const { url } = await startProxy(upstream.url, { maxConnections: 1 });
    const first = open(`${url}/v1/models`, { agent: false });
    first.on("error", () => undefined).end();
    await new Promise((resolve) => first.on("response", resolve));
    await assert.rejects(exchange(`${url}/v1/models`, { method: "GET" }), /ECONNRESET|socket hang up/);
    first.destroy();
  });
});
