import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asked, call, output, question, type Json } from "../../../test/support/formats/build-responses.ts";
import type { PlayedAnswer, Protocol } from "../protocol.ts";
import { createResponsesProtocol } from "./responses-protocol.ts";

function startProtocol(): Protocol {
  let made = 0;
  return createResponsesProtocol({
    tokensOf: (piece) => Math.ceil(JSON.stringify(piece).length / 4),
    windowTokens: 100_000,
    newId: (prefix) => `${prefix}${++made}`,
  });
}

const idOf = ({ json }: PlayedAnswer): string => json["id"] as string;

const tool: Json = { type: "function", name: "read", parameters: {} };

describe("responses protocol: what a script reads", () => {
  it("finds tools in namespaces and in items, and what another agent wrote", () => {
    const functions = { type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }, tool] };
    const written = {
      type: "agent_message",
      author: "/root",
      content: [
        { type: "input_text", text: "Task:" },
        { type: "encrypted_content", encrypted_content: "go" },
      ],
    };
    const body = { ...asked({ type: "additional_tools", role: "developer", tools: [functions] }, written), tools: [{ type: "web_search" }] };
    const { tools, messages } = startProtocol().read(body, 0);
    assert.deepEqual(tools, ["web_search", "exec", "read"]);
    assert.deepEqual(messages, [{ role: "user", text: "Task:\ngo", calls: [], results: [] }]);
  });

  it("joins what the model said and called, and neighbouring outputs", () => {
    const body = {
      ...asked(
        { role: "developer", content: "Be short." },
        { role: "user", content: [{ type: "input_text", text: "Read." }, { type: "input_image" }] },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "I do.", annotations: [] }] },
        call("c", { arguments: '{"path":"a"}' }),
        { type: "apply_patch_call", call_id: "d", operation: { type: "delete_file", path: "a" } },
        output("c", { output: [{ type: "input_text", text: "one" }] }),
        { type: "apply_patch_call_output", call_id: "d", status: "failed", output: "no such file" },
        { role: "system", content: "Time is short." },
      ),
      instructions: "You are an agent.",
      tools: [tool, { type: "apply_patch" }],
    };
    assert.deepEqual(startProtocol().read(body, 0), {
      protocol: "openai-responses",
      model: "gpt-5",
      streamed: false,
      system: "You are an agent.\nBe short.",
      tools: ["read", "apply_patch"],
      messages: [
        { role: "user", text: "Read.", calls: [], results: [] },
        {
          role: "assistant",
          text: "I do.",
          calls: [
            { id: "c", name: "read", input: { path: "a" } },
            { id: "d", name: "apply_patch", input: { type: "delete_file", path: "a" } },
          ],
          results: [],
        },
        {
          role: "user",
          text: "",
          calls: [],
          results: [
            { callId: "c", text: "one", isError: false },
            { callId: "d", text: "no such file", isError: true },
          ],
        },
        { role: "system", text: "Time is short.", calls: [], results: [] },
      ],
      turn: 0,
      body,
    });
  });
});

describe("responses protocol: answers", () => {
  it("is a response with its items and usage", () => {
    const { json } = startProtocol().answer(
      { ...asked(question), tools: [tool], instructions: "Be short." },
      { thinking: "Hm.", text: "I look.", calls: [{ name: "read", input: { path: "a" } }] },
      5_000,
    );
    assert.deepEqual(json, {
      id: "resp_5",
      object: "response",
      created_at: 5,
      status: "completed",
      background: false,
      completed_at: 5,
      error: null,
      incomplete_details: null,
      instructions: "Be short.",
      max_output_tokens: null,
      metadata: {},
      model: "gpt-5",
      output: [
        { id: "rs_2", type: "reasoning", summary: [] },
        {
          id: "msg_3",
          type: "message",
          status: "completed",
          content: [{ type: "output_text", text: "I look.", annotations: [], logprobs: [] }],
          role: "assistant",
        },
        { id: "fc_4", type: "function_call", status: "completed", arguments: '{"path":"a"}', call_id: "call_1", name: "read" },
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      prompt_cache_key: null,
      reasoning: { effort: null, summary: null },
      service_tier: "default",
      store: true,
      temperature: 1,
      text: { format: { type: "text" } },
      tool_choice: "auto",
      tools: [tool],
      top_p: 1,
      truncation: "disabled",
      usage: {
        input_tokens: 28,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 17,
        output_tokens_details: { reasoning_tokens: 2 },
        total_tokens: 45,
      },
    });
  });

  it("says where the length cut it off", () => {
    const { json } = startProtocol().answer(asked(question), { text: "I lo", stop: "length" }, 0);
    assert.equal(json["status"], "incomplete");
    assert.deepEqual(json["incomplete_details"], { reason: "max_output_tokens" });
    assert.equal((json["output"] as Json[])[0]?.["status"], "incomplete");
  });

  it("calls custom tools with a text, and tools of a namespace", () => {
    const calls = [
      { name: "exec", input: "text(1)", namespace: "functions" },
      { name: "spawn_agent", input: { message: "go" }, namespace: "collaboration" },
    ];
    const { json, events } = startProtocol().answer(asked(question), { calls }, 0);
    assert.deepEqual(json["output"], [
      { id: "ctc_3", type: "custom_tool_call", status: "completed", call_id: "call_1", name: "exec", namespace: "functions", input: "text(1)" },
      {
        id: "fc_4",
        type: "function_call",
        status: "completed",
        call_id: "call_2",
        name: "spawn_agent",
        namespace: "collaboration",
        arguments: '{"message":"go"}',
      },
    ]);
    const sent = events.map(({ data }) => JSON.parse(data) as Json).filter(({ type }) => String(type).startsWith("response.custom_tool_call_input"));
    assert.equal(sent.map(({ delta }) => (typeof delta === "string" ? delta : "")).join(""), "text(1)");
    assert.deepEqual(sent.at(-1), { type: "response.custom_tool_call_input.done", sequence_number: 7, item_id: "ctc_3", output_index: 0, input: "text(1)" });
  });

  it("streams every item from its beginning to its end", () => {
    const { json, events } = startProtocol().answer(
      asked(question),
      { thinking: "Hm.", text: "I look at it.", calls: [{ name: "read", input: { path: "a" } }] },
      0,
    );
    assert.deepEqual(
      events.map(({ event }) => event),
      [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.output_item.done",
        "response.output_item.added",
        "response.content_part.added",
        ...Array.from({ length: 4 }, () => "response.output_text.delta"),
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.output_item.added",
        ...Array.from({ length: 4 }, () => "response.function_call_arguments.delta"),
        "response.function_call_arguments.done",
        "response.output_item.done",
        "response.completed",
      ],
    );
    const sent = events.map(({ data }) => JSON.parse(data) as Json);
    sent.forEach((event, number) => {
      assert.equal(event["sequence_number"], number);
      assert.equal(event["type"], events[number]?.event);
    });
    assert.deepEqual(sent.at(-1)?.["response"], json);
    assert.deepEqual((sent[0]?.["response"] as Json)["output"], []);
    const part = { item_id: "msg_3", output_index: 1, content_index: 0 };
    assert.deepEqual(sent[6], { type: "response.output_text.delta", sequence_number: 6, ...part, delta: "I lo", logprobs: [] });
    assert.deepEqual(sent[10], { type: "response.output_text.done", sequence_number: 10, ...part, text: "I look at it.", logprobs: [] });
    assert.deepEqual(sent[14], {
      type: "response.function_call_arguments.delta",
      sequence_number: 14,
      item_id: "fc_4",
      output_index: 2,
      delta: '{"p',
    });
  });

  it("reads the prompt cache, with what is remembered", () => {
    const protocol = startProtocol();
    const first = protocol.answer(asked({ role: "user", content: "x".repeat(5_000) }), { text: "Hello." }, 0);
    const second = protocol.answer({ model: "gpt-5", previous_response_id: idOf(first), input: "And?" }, { text: "So." }, 60_000);
    assert.deepEqual((second.json["usage"] as Json)["input_tokens_details"], { cached_tokens: 1152, cache_write_tokens: 0 });
    const total = (second.json["usage"] as Json)["input_tokens"] as number;
    assert.deepEqual(second.counts, { uncached: total - 1152, cacheRead: 1152, cacheWrite5m: 0, cacheWrite1h: 0, cacheWrite30m: 0, cacheWrite12h: 0 });
  });
});

describe("responses protocol: errors", () => {
  it("are said in the provider's words", () => {
    const { errorBody, errorEvent } = startProtocol();
    assert.deepEqual(errorBody(429), {
      error: { message: "Rate limit reached for requests", type: "requests", param: null, code: "rate_limit_exceeded" },
    });
    const { event, data } = errorEvent(500);
    assert.equal(event, "error");
    assert.deepEqual(JSON.parse(data), {
      type: "error",
      code: "server_error",
      message: "The server had an error while processing your request. Sorry about that!",
      param: null,
      sequence_number: 0,
    });
  });
});
