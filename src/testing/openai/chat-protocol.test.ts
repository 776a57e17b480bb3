import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asked, call, question, result, type Json } from "../../../test/support/formats/build-chat.ts";
import type { PlayedAnswer, Protocol, Turn } from "../protocol.ts";
import { createChatProtocol } from "./chat-protocol.ts";

function startProtocol(): Protocol {
  let made = 0;
  return createChatProtocol({
    tokensOf: (piece) => Math.ceil(JSON.stringify(piece).length / 4),
    windowTokens: 100_000,
    newId: (prefix) => `${prefix}${++made}`,
  });
}

describe("chat protocol: what a script reads", () => {
  it("gathers results, keeps the order, and takes the head as the system's", () => {
    const body = {
      ...asked(
        { role: "system", content: "You are an agent." },
        { role: "developer", content: "Be short." },
        {
          role: "user",
          content: [
            { type: "text", text: "Read" },
            { type: "image_url", image_url: { url: "data:" } },
            { type: "text", text: "both." },
          ],
        },
        { role: "assistant", content: null, tool_calls: [call("call_1", "read", '{"path":"a"}'), call("call_2", "read", "not JSON")] },
        result("call_1", "one"),
        result("call_2", [{ type: "text", text: "two" }]),
        { role: "system", content: "Time is short." },
        question,
      ),
      stream: true,
      tools: [{ type: "function", function: { name: "read", parameters: {} } }],
    };
    const none = { calls: [], results: [] };
    assert.deepEqual(startProtocol().read(body, 3), {
      protocol: "openai-chat",
      model: "gpt-5",
      streamed: true,
      system: "You are an agent.\nBe short.",
      tools: ["read"],
      messages: [
        { role: "user", text: "Read\nboth.", ...none },
        {
          role: "assistant",
          text: "",
          calls: [
            { id: "call_1", name: "read", input: { path: "a" } },
            { id: "call_2", name: "read", input: "not JSON" },
          ],
          results: [],
        },
        {
          role: "user",
          text: "",
          calls: [],
          results: [
            { callId: "call_1", text: "one", isError: false },
            { callId: "call_2", text: "two", isError: false },
          ],
        },
        { role: "system", text: "Time is short.", ...none },
        { role: "user", text: "What is in a.txt?", ...none },
      ],
      turn: 3,
      body,
    });
  });
});

const TURN: Turn = { thinking: "x".repeat(38), text: "I look at it.", calls: [{ name: "read", input: { path: "a.txt" } }] };
const chunksOf = ({ events }: PlayedAnswer): Json[] => events.slice(0, -1).map(({ data }) => JSON.parse(data) as Json);

describe("chat protocol: answers", () => {
  it("is a completion with its usage; thinking is only counted", () => {
    const { json, counts } = startProtocol().answer(asked(question), TURN, 5_000);
    assert.deepEqual(counts, { uncached: 12, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheWrite30m: 0, cacheWrite12h: 0 });
    assert.deepEqual(json, {
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 5,
      model: "gpt-5",
      service_tier: "default",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "I look at it.",
            refusal: null,
            annotations: [],
            tool_calls: [{ id: "call_2", type: "function", function: { name: "read", arguments: '{"path":"a.txt"}' } }],
          },
          logprobs: null,
          finish_reason: "tool_calls",
        },
      ],
      usage: {
        prompt_tokens: 12,
        completion_tokens: 27,
        total_tokens: 39,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 0, accepted_prediction_tokens: 0, rejected_prediction_tokens: 0 },
      },
    });
  });

  const REASONS: readonly (readonly [Turn, string, string | null])[] = [
    [{ text: "a" }, "stop", "a"],
    [{ text: "a", stop: "length" }, "length", "a"],
    [{ text: "a", stop: "pause" }, "stop", "a"],
    [{ calls: [{ name: "read", input: {} }] }, "tool_calls", null],
    [{}, "stop", ""],
  ];
  for (const [turn, reason, content] of REASONS) {
    it(`finishes ${JSON.stringify(turn)} with ${reason}, streamed or not`, () => {
      const answer = startProtocol().answer(asked(question), turn, 0);
      const [choice] = answer.json["choices"] as { finish_reason: string; message: Json }[];
      assert.equal(choice?.finish_reason, reason);
      assert.equal(choice.message["content"], content);
      const last = chunksOf(answer).at(-1)?.["choices"] as Json[];
      assert.deepEqual(last, [{ index: 0, delta: {}, logprobs: null, finish_reason: reason }]);
    });
  }

  it("streams a role, pieces of text, and calls whose arguments come in pieces", () => {
    const answer = startProtocol().answer({ ...asked(question), stream: true }, TURN, 0);
    const deltas = chunksOf(answer).map((chunk) => (chunk["choices"] as { delta: Json }[])[0]?.delta);
    assert.deepEqual(deltas, [
      { role: "assistant", content: "", refusal: null },
      { content: "I lo" },
      { content: "ok a" },
      { content: "t it" },
      { content: "." },
      { tool_calls: [{ index: 0, id: "call_2", type: "function", function: { name: "read", arguments: "" } }] },
      ...['{"pa', 'th":', '"a.t', 'xt"}'].map((piece) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] })),
      {},
    ]);
    assert.deepEqual(answer.events.at(-1), { data: "[DONE]" });
    for (const chunk of chunksOf(answer)) {
      assert.equal(chunk["object"], "chat.completion.chunk");
      assert.equal(chunk["id"], "chatcmpl-1");
      assert.ok(!("usage" in chunk));
    }
  });

  it("calls custom tools with a text, whole and in pieces", () => {
    const turn: Turn = { calls: [{ id: "c", name: "exec", input: "text(1)" }] };
    const { json, events } = startProtocol().answer(asked(question), turn, 0);
    const [choice] = json["choices"] as { message: Json }[];
    assert.deepEqual(choice?.message["tool_calls"], [{ id: "c", type: "custom", custom: { name: "exec", input: "text(1)" } }]);
    const called = events.slice(0, -1).flatMap(({ data }) => (JSON.parse(data) as { choices: { delta: Json }[] }).choices[0]?.delta["tool_calls"] ?? []);
    const [first, ...rest] = called as { custom: Json }[];
    assert.deepEqual(first, { index: 0, id: "c", type: "custom", custom: { name: "exec", input: "" } });
    assert.equal(rest.map(({ custom }) => custom["input"]).join(""), "text(1)");
  });

  it("streams the usage only where it is asked for", () => {
    const answer = startProtocol().answer({ ...asked(question), stream: true, stream_options: { include_usage: true } }, TURN, 0);
    const chunks = chunksOf(answer);
    assert.ok(chunks.slice(0, -1).every(({ usage }) => usage === null));
    assert.deepEqual(chunks.at(-1)?.["choices"], []);
    assert.deepEqual(chunks.at(-1)?.["usage"], answer.json["usage"]);
  });

  it("never cuts a character in two", () => {
    const text = "👩‍🚀".repeat(300);
    const pieces = chunksOf(startProtocol().answer(asked(question), { text }, 0)).map((chunk) => (chunk["choices"] as { delta: Json }[])[0]?.delta["content"]);
    assert.equal(pieces.join(""), text);
    assert.ok(pieces.every((piece) => piece === undefined || (piece as string).isWellFormed()));
  });

  it("keeps the ids and the count that a script gives", () => {
    const { json } = startProtocol().answer(
      asked(question),
      { calls: [{ id: "call_mine", name: "read", input: {} }], thinking: "long thought", outputTokens: 2 },
      0,
    );
    assert.match(JSON.stringify(json), /"call_mine"/);
    const { completion_tokens: output, completion_tokens_details: details } = json["usage"] as Json;
    assert.deepEqual([output, (details as Json)["reasoning_tokens"]], [2, 2]);
  });
});

describe("chat protocol: errors", () => {
  it("are said in the provider's words", () => {
    const { errorBody, errorEvent } = startProtocol();
    const limited = { message: "Rate limit reached for requests", type: "requests", param: null, code: "rate_limit_exceeded" };
    const failed = { message: "The server had an error while processing your request. Sorry about that!", type: "server_error", param: null, code: null };
    assert.deepEqual(errorBody(429), { error: limited });
    assert.deepEqual(errorBody(500), { error: failed });
    assert.deepEqual(errorBody(529), { error: failed });
    assert.equal((errorBody(503)["error"] as Json)["type"], "server_error");
    assert.deepEqual(errorEvent(429), { data: JSON.stringify({ error: limited }) });
  });
});
