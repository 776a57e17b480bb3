/** Who may do what, and what is never shown. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exchange } from "../../test/support/proxies/exchange.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import { startUpstream } from "../../test/support/proxies/start-upstream.ts";
import { isToken } from "../access/token.ts";
import { createProxy } from "./index.ts";
import { ownerOf } from "./owner.ts";

const BODY = JSON.stringify({ model: "claude-opus-5", max_tokens: 9, messages: [{ role: "user", content: "Hi" }] });
const TOKEN = "correct-horse";

describe("a token", () => {
  it("is required to listen on an address that other machines can reach", () => {
    assert.throws(() => createProxy({ host: "0.0.0.0" }), /INVALID_OPTION|options\.token: expected a token, because other machines can reach 0\.0\.0\.0/);
    for (const host of ["127.0.0.1", "127.1.2.3", "localhost", "::1", "[::1]"]) createProxy({ host });
    for (const host of ["::", "192.168.1.1", "example.com", "127.0.0.1.example.com"]) assert.throws(() => createProxy({ host }), /options\.token/);
    createProxy({ host: "0.0.0.0", token: TOKEN });
  });

  it("that is missing or wrong gets 401 in the words of the API, and nothing goes upstream", async () => {
    const upstream = await startUpstream((_, response) => void response.end("{}"));
    const { url } = await startProxy(upstream.url, { token: TOKEN });
    for (const [path, shape] of [
      ["/v1/messages", { type: "error", error: { type: "authentication_error", message: "palimpsest: the header x-palimpsest-token is missing or wrong." } }],
      [
        "/v1/responses",
        {
          error: {
            message: "palimpsest: the header x-palimpsest-token is missing or wrong.",
            type: "invalid_request_error",
            param: null,
            code: "invalid_api_key",
          },
        },
      ],
      [
        "/openai/v1/models",
        {
          error: {
            message: "palimpsest: the header x-palimpsest-token is missing or wrong.",
            type: "invalid_request_error",
            param: null,
            code: "invalid_api_key",
          },
        },
      ],
    ] as const)
      for (const headers of [{}, { "x-palimpsest-token": "wrong-horse" }, { "x-palimpsest-token": "" }, { "x-palimpsest-bypass": "1" }] as Record<
        string,
        string
      >[]) {
        const { status, body } = await exchange(url + path, { body: BODY, headers });
        assert.deepEqual([status, JSON.parse(body.toString())], [401, shape]);
      }
    assert.equal(upstream.seen.length, 0);
  });

  it("is not sent upstream", async () => {
    const upstream = await startUpstream((_, response) => void response.end("{}"));
    const { url } = await startProxy(upstream.url, { token: TOKEN });
    for (const path of ["/v1/messages", "/v1/models"]) await exchange(url + path, { body: BODY, headers: { "x-palimpsest-token": TOKEN } });
    for (const { rawHeaders } of upstream.seen) assert.doesNotMatch(rawHeaders.join(), /palimpsest|horse/);
    assert.equal(upstream.seen.length, 2);
  });

  it("is compared whole, whatever its length", () => {
    for (const [given, isIt] of [
      [TOKEN, true],
      [undefined, false],
      ["", false],
      [`${TOKEN}x`, false],
      [TOKEN.slice(0, -1), false],
    ] as const)
      assert.equal(isToken(given, TOKEN), isIt);
  });
});

describe("owners", () => {
  const of = (claims: Partial<Parameters<typeof ownerOf>[0]>): string => ownerOf({ token: undefined, isLoopback: false, headers: {}, body: {}, ...claims });
  const account = "0a1b2c3d-0000-4000-8000-00000000abcd";
  const claude = (session: string): object => ({ metadata: { user_id: `user_${"f".repeat(64)}_account_${account}_session_${session}` } });

  it("are the token, else all of this machine, else the account, else the key", () => {
    assert.equal(of({ isLoopback: true, headers: { "x-api-key": "a" } }), of({ isLoopback: true, headers: { authorization: "Bearer b" } }));
    assert.equal(of({ token: TOKEN, headers: { "x-api-key": "a" } }), of({ token: TOKEN, isLoopback: true, body: claude("1") }));
    assert.equal(of({ body: claude("1"), headers: { authorization: "Bearer a" } }), of({ body: claude("2"), headers: { authorization: "Bearer rotated" } }));
    assert.equal(
      of({ body: claude("1") }),
      of({ body: { metadata: { user_id: JSON.stringify({ device_id: "d", account_uuid: account, session_id: "3" }) } } }),
    );
    assert.notEqual(of({ headers: { "x-api-key": "a" } }), of({ headers: { "x-api-key": "b" } }));
    assert.notEqual(of({ body: { user: "a" } }), of({ body: { user: "b" } }));
    assert.notEqual(of({ body: { user: "a" } }), of({ headers: { "x-api-key": "a" } }));
    assert.notEqual(of({ token: TOKEN }), of({ token: "other-horse" }));
  });

  it("hold no secret", () => {
    for (const owner of [of({ token: TOKEN }), of({ headers: { "x-api-key": "sk-secret" } }), of({ headers: { authorization: "Bearer sk-secret" } })])
      assert.match(owner, /^(token|key)-[0-9a-f]{32}$/);
  });
});

describe("keys", () => {
  it("are in no event, in no metric and in no error", async () => {
    const upstream = await startUpstream((_, response) => void response.writeHead(401).end("{}"));
    for (const address of [upstream.url, "http://127.0.0.1:9"]) {
      const { url, events } = await startProxy(address, { token: TOKEN });
      const headers = { "x-api-key": "sk-secret", authorization: "Bearer sk-secret", "x-palimpsest-token": TOKEN };
      const answers = [
        await exchange(`${url}/v1/messages?key=sk-secret`, { body: BODY, headers }),
        await exchange(`${url}/v1/models?key=sk-secret`, { method: "GET", headers }),
      ];
      const metrics = await exchange(`${url}/metrics`, { method: "GET", headers });
      assert.equal(metrics.status, 200);
      assert.doesNotMatch(JSON.stringify(events) + metrics.body.toString() + answers.map(({ body }) => body.toString()).join(""), /sk-secret|horse/);
      assert.ok(events.length >= 2);
    }
  });
});

describe("own pages", () => {
  it("report the state of the proxy", async () => {
    const { url } = await startProxy("http://127.0.0.1:9");
    for (const [page, content] of [
      ["/healthz", "ok\n"],
      ["/readyz", "ready\n"],
    ] as const) {
      const { status, body } = await exchange(url + page, { method: "GET" });
      assert.deepEqual([status, body.toString()], [200, content]);
    }
    assert.equal((await exchange(`${url}/healthz`, { method: "POST" })).status, 405);
    assert.equal((await exchange(`${url}/healthz`, { method: "HEAD" })).body.length, 0);
  });

  it("report metrics in the format of Prometheus", async () => {
    const upstream = await startUpstream((_, response) => void response.writeHead(503).end("busy"));
    const { url } = await startProxy(upstream.url);
    await exchange(`${url}/v1/messages`, { body: BODY });
    const { headers, body } = await exchange(`${url}/metrics`, { method: "GET" });
    assert.match(String(headers["content-type"]), /^text\/plain; version=0\.0\.4/);
    const lines = body.toString().trimEnd().split("\n");
    for (const line of lines) assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9.e+-]+)$/);
    assert.ok(lines.includes('palimpsest_requests_total{api="anthropic",provider="anthropic",status="503"} 1'));
    assert.ok(lines.includes("palimpsest_running 0"));
  });

  it("are not served under a host name that a web page may have pointed here", async () => {
    const { url } = await startProxy("http://127.0.0.1:9");
    for (const [host, status] of [
      ["evil.example", 403],
      ["evil.example:4141", 403],
      ["localhost.evil.example", 403],
      ["localhost:1", 200],
      ["127.0.0.1", 200],
      ["[::1]:80", 200],
      ["10.0.0.7", 200],
    ] as const) {
      const { port } = new URL(url);
      const { request } = await import("node:http");
      const seen = await new Promise((resolve) =>
        request({ port, path: "/metrics", headers: { host }, agent: false }, (response) => resolve(response.resume().statusCode)).end(),
      );
      assert.equal(seen, status, host);
    }
  });

  it("need the token, where there is one: as a header, or as Prometheus sends it", async () => {
    const { url } = await startProxy("http://127.0.0.1:9", { token: TOKEN });
    const status = async (headers: Record<string, string>): Promise<number> => (await exchange(`${url}/metrics`, { method: "GET", headers })).status;
    assert.deepEqual(
      [
        await status({}),
        await status({ authorization: "Bearer nope" }),
        await status({ authorization: `Bearer ${TOKEN}` }),
        await status({ "x-palimpsest-token": TOKEN }),
      ],
      [401, 401, 200, 200],
    );
    assert.equal((await exchange(`${url}/healthz`, { method: "GET" })).status, 200);
  });
});

describe("pages under the proxy's address", () => {
  it("are answered by who serves them, and everything else goes on", async () => {
    const upstream = await startUpstream((_, response) => void response.end("{}"));
    const { url } = await startProxy(upstream.url, {
      pages: (request, response) => {
        if (request.url !== "/page") return false;
        response.end("a page");
        return true;
      },
    });
    assert.equal(await (await fetch(`${url}/page`)).text(), "a page");
    assert.equal(upstream.seen.length, 0);
    assert.equal(await (await fetch(`${url}/v1/models`)).text(), "{}");
    assert.equal(upstream.seen.length, 1);
  });
});
