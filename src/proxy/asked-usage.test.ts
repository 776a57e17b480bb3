/** Chat streams whose usage only the proxy asks for: the client gets the stream that it would have got without. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { exchange } from "../../test/support/proxies/exchange.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import { startUpstream, startUpstreamInPieces, type SeenBytes, type Upstream } from "../../test/support/proxies/start-upstream.ts";

const HEAD = '"id":"chatcmpl-1","object":"chat.completion.chunk","created":1.0,"model":"gpt-5.5"';
const chunkOf = (delta: string, reason: string, usage: string): string =>
  `data:  {${HEAD},"choices":[{ "index":0, "delta":${delta},"finish_reason":${reason}} ]${usage}}\n\n`;
/** As the provider sends it, with and without the option. A text that looks like the field is not the field. */
const streamOf = (isAsked: boolean): string => {
  const usage = isAsked ? ',"usage":null' : "";
  const said = chunkOf('{"role":"assistant","content":""}', "null", usage) + chunkOf('{"content":"say \\",\\"usage\\":null, \\u00e9"}', "null", usage);
  const end = isAsked ? `data: {${HEAD},"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12}}\n\n` : "";
  return `: OPENROUTER PROCESSING\n\n${said}: wait\r\n\r\n${chunkOf("{}", '"stop"', usage)}${end}data: [DONE]\n\n`;
};

const LOOK = { type: "function", function: { name: "look", parameters: { type: "object" } } };
const bodyOf = (more: object): string => JSON.stringify({ model: "gpt-5.5", stream: true, messages: [{ role: "user", content: "Hi" }], ...more });
const asks = ({ body }: SeenBytes): boolean => body.toString().includes('"include_usage":true');

const provider = (size = 10_000, pack?: (text: string) => Buffer): Promise<Upstream> =>
  startUpstream((request, response) => {
    const bytes = pack?.(streamOf(asks(request))) ?? Buffer.from(streamOf(asks(request)));
    response.writeHead(200, { "content-type": "text/event-stream", ...(pack === undefined ? {} : { "content-encoding": "gzip" }) });
    for (let from = 0; from < bytes.length; from += size) response.write(bytes.subarray(from, from + size));
    response.end();
  });

describe("the usage of a chat stream", () => {
  for (const [what, tools] of [
    ["beside any conversation", {}],
    ["in a conversation with our tools", { tools: [LOOK] }],
  ] as const)
    for (const size of [7, 10_000]) {
      it(`${what}, ${size} bytes at a time: is counted, and the client gets the bytes that it asked for`, async () => {
        const upstream = await provider(size);
        const { url, counted } = await startProxy(upstream.url);
        const answer = await exchange(`${url}/v1/chat/completions`, { body: bodyOf(tools) });
        assert.equal(answer.body.toString(), streamOf(false));
        assert.equal(upstream.seen.every(asks), true);
        assert.equal(await counted('palimpsest_tokens_total{kind="output"}'), 3);
      });
      it(`${what}, ${size} bytes at a time: goes to the client that asks for it`, async () => {
        const upstream = await provider(size);
        const { url, counted } = await startProxy(upstream.url);
        const answer = await exchange(`${url}/v1/chat/completions`, { body: bodyOf({ ...tools, stream_options: { include_usage: true } }) });
        assert.equal(answer.body.toString(), streamOf(true));
        assert.equal(await counted('palimpsest_tokens_total{kind="output"}'), 3);
      });
    }

  it("is taken out of a packed stream too", async () => {
    const upstream = await provider(10_000, (text) => gzipSync(text));
    const { url, counted } = await startProxy(upstream.url);
    const answer = await exchange(`${url}/v1/chat/completions`, { body: bodyOf({}) });
    assert.deepEqual([answer.headers["content-encoding"], answer.body.toString()], [undefined, streamOf(false)]);
    assert.equal(await counted('palimpsest_tokens_total{kind="output"}'), 3);
  });

  it("keeps the other options of the stream, and is not asked for where the client gets no stream", async () => {
    const upstream = await provider();
    const { url } = await startProxy(upstream.url);
    await exchange(`${url}/v1/chat/completions`, { body: bodyOf({ stream_options: { include_obfuscation: false } }) });
    await exchange(`${url}/v1/chat/completions`, { body: bodyOf({ stream: false }) });
    assert.deepEqual(
      upstream.seen.map(({ body }) => (JSON.parse(body.toString()) as { stream_options?: object }).stream_options),
      [{ include_obfuscation: false, include_usage: true }, undefined],
    );
  });

  it("is not asked for with observe", async () => {
    const upstream = await provider();
    const { url } = await startProxy(upstream.url, { observe: true });
    const answer = await exchange(`${url}/v1/chat/completions`, { body: bodyOf({ tools: [LOOK] }) });
    assert.deepEqual([upstream.seen.some(asks), answer.body.toString()], [false, streamOf(false)]);
  });

  it("stays unknown if the provider refuses the option: the request is sent once more without it, and later ones do not ask", async () => {
    const upstream = await startUpstream((request, response) => {
      if (!asks(request)) return void response.writeHead(200, { "content-type": "text/event-stream" }).end(streamOf(false));
      response.writeHead(400, { "content-type": "application/json" });
      response.end('{"error":{"message":"Unrecognized request argument supplied: stream_options","type":"invalid_request_error"}}');
    });
    const { url } = await startProxy(upstream.url);
    for (const _ of [1, 2]) {
      const answer = await exchange(`${url}/v1/chat/completions`, { body: bodyOf({ tools: [LOOK] }) });
      assert.deepEqual([answer.status, answer.body.toString()], [200, streamOf(false)]);
    }
    assert.deepEqual(upstream.seen.map(asks), [true, false, false]);
  });

  it("is passed on chunk by chunk, without delay", async () => {
    const pieces = streamOf(true).split(/(?<=\n\n)/);
    const expected = streamOf(false).split(/(?<=\n\n)/);
    const upstream = await startUpstreamInPieces(pieces);
    const { url } = await startProxy(upstream.url);
    let seen = "";
    let next = 0;
    // The next piece is sent only after the one before has arrived; the one that the client does not get, at once.
    const answer = await exchange(`${url}/v1/chat/completions`, {
      body: bodyOf({}),
      onChunk: (chunk) => {
        seen += chunk.toString();
        for (; next < expected.length && seen.length >= expected.slice(0, next + 1).join("").length; next++) {
          setImmediate(() => upstream.send());
          if (next === expected.length - 2) setImmediate(() => upstream.send());
        }
      },
    });
    assert.equal(answer.body.toString(), expected.join(""));
  });
});
