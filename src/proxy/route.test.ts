import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinPath, routeOf } from "./route.ts";

describe("routeOf", () => {
  const routes: readonly (readonly [
    method: string,
    url: string,
    headers: Record<string, string>,
    expected: readonly [provider: string, target: string, api: string | undefined, counts?: string],
  ])[] = [
    ["POST", "/v1/messages?beta=true", {}, ["anthropic", "/v1/messages?beta=true", "anthropic"]],
    ["POST", "/messages", {}, ["anthropic", "/messages", "anthropic"]],
    ["POST", "/team/a/v1/messages", {}, ["anthropic", "/team/a/v1/messages", "anthropic"]],
    ["POST", "/v1/chat/completions", {}, ["openai", "/v1/chat/completions", "openai-chat"]],
    ["POST", "/chat/completions?x=/messages", {}, ["openai", "/chat/completions?x=/messages", "openai-chat"]],
    ["POST", "/any/v1/responses", {}, ["openai", "/any/v1/responses", "openai-responses"]],
    ["GET", "/v1/responses/resp_1?x=1", {}, ["openai", "/v1/responses/resp_1?x=1", undefined]],
    ["GET", "/v1/messages", {}, ["anthropic", "/v1/messages", undefined]],
    ["POST", "/v1/messages/count_tokens", {}, ["anthropic", "/v1/messages/count_tokens", undefined, "anthropic"]],
    ["POST", "/v1/messages/batches", {}, ["anthropic", "/v1/messages/batches", undefined]],
    // A prefix decides, whatever the route and the headers say.
    ["POST", "/openai/v1/messages", { "anthropic-version": "1" }, ["openai", "/v1/messages", "anthropic"]],
    ["POST", "/anthropic/v1/chat/completions", { authorization: "Bearer k" }, ["anthropic", "/v1/chat/completions", "openai-chat"]],
    ["GET", "/openai", {}, ["openai", "/", undefined]],
    ["GET", "/openai?x", {}, ["openai", "/?x", undefined]],
    ["GET", "/openaix/v1/models", {}, ["anthropic", "/openaix/v1/models", undefined]],
    // Messages that are OpenAI's.
    ["POST", "/v1/threads/t_1/messages", {}, ["openai", "/v1/threads/t_1/messages", undefined]],
    ["GET", "/v1/chat/completions/c_1/messages", {}, ["openai", "/v1/chat/completions/c_1/messages", undefined]],
    // Nothing but headers.
    ["GET", "/v1/models", { "anthropic-version": "1", authorization: "Bearer k" }, ["anthropic", "/v1/models", undefined]],
    ["GET", "/v1/models", { "x-api-key": "k" }, ["anthropic", "/v1/models", undefined]],
    ["GET", "/v1/models", { authorization: "Bearer k" }, ["openai", "/v1/models", undefined]],
    ["HEAD", "/", {}, ["anthropic", "/", undefined]],
    // As to a forward proxy.
    ["POST", "http://api.openai.com/v1/messages", {}, ["anthropic", "/v1/messages", "anthropic"]],
    ["OPTIONS", "*", {}, ["anthropic", "/*", undefined]],
  ];
  for (const [method, url, headers, [provider, target, api, counts]] of routes)
    it(`${method} ${url} ${Object.keys(headers).join()}`, () => {
      assert.deepEqual(routeOf(method, url, headers), { provider, target, api, ...(counts === undefined ? {} : { counts }) });
    });
});

describe("joinPath", () => {
  const joined: readonly (readonly [base: string, target: string, expected: string])[] = [
    ["/", "/v1/messages", "/v1/messages"],
    ["/base", "/v1/messages?x", "/base/v1/messages?x"],
    ["/base/", "//odd", "/base//odd"],
    ["/api/v1", "/v1/chat/completions", "/api/v1/chat/completions"],
    ["/api/v1/", "/v1?x", "/api/v1?x"],
    ["/api/v1", "/chat/completions", "/api/v1/chat/completions"],
    ["/api/v1", "/v1beta/models", "/api/v1/v1beta/models"],
  ];
  for (const [base, target, expected] of joined)
    it(`${base} and ${target}`, () => {
      assert.equal(joinPath(base, target), expected);
    });
});
