import assert from "node:assert/strict";
import { describe, it } from "node:test";
import OpenAI from "openai";
import type { ChatCompletion, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Response, ResponseInputItem } from "openai/resources/responses/responses";
import type { Script, Turn } from "../protocol.ts";
import { startProviderDouble, type ProviderDouble } from "../provider-double.ts";

const ROUNDS = 3;

/** Calls until it has seen as many results as there are rounds, and then says what it saw. */
const loop: Script = ({ messages }) => {
  const results = messages.flatMap((message) => message.results);
  if (results.length >= 2 * ROUNDS) return { thinking: "Enough.", text: `Seen: ${results.map(({ text }) => text).join(" ")}` };
  return { thinking: "One more.", text: "I look.", calls: ["a", "b"].map((path) => ({ name: "read", input: { path: `${path}${results.length}` } })) };
};
const SEEN = "Seen: a0! b0! a2! b2! a4! b4!";

const read = (input: string): string => `${(JSON.parse(input) as { path: string }).path}!`;

async function withClient(script: Script, run: (client: OpenAI, double: ProviderDouble) => Promise<void>): Promise<void> {
  const double = await startProviderDouble({ script });
  try {
    await run(new OpenAI({ baseURL: `${double.url}/v1`, apiKey: "sk-test", maxRetries: 0 }), double);
  } finally {
    await double.close();
  }
}

const CHAT = {
  model: "gpt-5",
  tools: [{ type: "function" as const, function: { name: "read", parameters: { type: "object", properties: { path: { type: "string" } } } } }],
};

type AskChat = (client: OpenAI, messages: ChatCompletionMessageParam[]) => Promise<ChatCompletion>;

const CHAT_WAYS: Readonly<Record<string, AskChat>> = {
  "at once": (client, messages) => client.chat.completions.create({ ...CHAT, messages }),
  streamed: (client, messages) => client.chat.completions.stream({ ...CHAT, messages }).finalChatCompletion(),
};

describe("the openai SDK: chat completions", () => {
  for (const [way, ask] of Object.entries(CHAT_WAYS)) {
    it(`goes through a tool loop, ${way}`, () =>
      withClient(loop, async (client, double) => {
        const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "Read them." }];
        for (let round = 0; round < ROUNDS; round++) {
          const { message, finish_reason: reason } = (await ask(client, messages)).choices[0] ?? assert.fail();
          assert.equal(reason, "tool_calls");
          assert.equal(message.content, "I look.");
          messages.push(message);
          for (const call of message.tool_calls ?? [])
            if (call.type === "function") messages.push({ role: "tool", tool_call_id: call.id, content: read(call.function.arguments) });
        }
        const last = (await ask(client, messages)).choices[0];
        assert.equal(last?.message.content, SEEN);
        assert.equal(last.finish_reason, "stop");
        assert.deepEqual(double.rejected, []);
      }));
  }

  it("gives the same message at once and streamed, with its usage", () => {
    const turn: Turn = { thinking: "Hm.", text: "Grüße 👋🏽, I look.", calls: [{ id: "call_1", name: "read", input: { path: "a\n👋" } }] };
    return withClient([turn, turn, turn], async (client) => {
      const body = { ...CHAT, messages: [{ role: "user" as const, content: "x".repeat(5_000) }] };
      const whole = await client.chat.completions.create(body);
      const streamed = await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion();
      const { message } = streamed.choices[0] ?? assert.fail();
      assert.equal(message.content, turn.text);
      const calls = message.tool_calls?.map((call) => call.type === "function" && [call.id, call.function.name, call.function.arguments]);
      assert.deepEqual(calls, [["call_1", "read", '{"path":"a\\n👋"}']]);
      assert.deepEqual(whole.choices[0]?.message.content, turn.text);
      assert.equal(whole.usage?.prompt_tokens_details?.cached_tokens, 0);
      const { prompt_tokens: prompt = 0, prompt_tokens_details: details } = streamed.usage ?? {};
      assert.equal(details?.cached_tokens, Math.floor(prompt / 128) * 128);
      let usages = 0;
      for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) usages += chunk.usage ? 1 : 0;
      assert.equal(usages, 0);
    });
  });

  it("throws the provider's errors", () =>
    withClient([{ fault: 429 }, { text: "Half of it is enough.", fault: "error-event" }], async (client) => {
      const messages: ChatCompletionMessageParam[] = [{ role: "user", content: "Hi" }];
      await assert.rejects(client.chat.completions.create({ ...CHAT, messages }), { status: 429, code: "rate_limit_exceeded", type: "requests" });
      await assert.rejects(client.chat.completions.stream({ ...CHAT, messages }).finalChatCompletion(), {
        message: /The server had an error while processing your request/,
      });
      await assert.rejects(client.chat.completions.create({ ...CHAT, messages: [{ role: "tool", tool_call_id: "call_1", content: "x" }] }), {
        status: 400,
        type: "invalid_request_error",
        param: "messages.[0].role",
        message: "400 Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
      });
    }));
});

const RESPONSES = {
  model: "gpt-5",
  tools: [{ type: "function" as const, name: "read", parameters: { type: "object", properties: { path: { type: "string" } } }, strict: false }],
};
const STATELESS = { store: false, include: ["reasoning.encrypted_content" as const] };

type AskResponses = (client: OpenAI, input: ResponseInputItem[], more: { store?: boolean; previous_response_id?: string }) => Promise<Response>;

const RESPONSES_WAYS: Readonly<Record<string, AskResponses>> = {
  "at once": (client, input, more) => client.responses.create({ ...RESPONSES, ...more, input }),
  streamed: (client, input, more) => client.responses.stream({ ...RESPONSES, ...more, input }).finalResponse(),
};

function outputsFor({ output }: Response): ResponseInputItem[] {
  return output.flatMap((item) =>
    item.type === "function_call" ? [{ type: "function_call_output" as const, call_id: item.call_id, output: read(item.arguments) }] : [],
  );
}

describe("the openai SDK: responses", () => {
  for (const [way, ask] of Object.entries(RESPONSES_WAYS)) {
    for (const more of [{}, STATELESS]) {
      it(`goes through a tool loop with all its items, ${way}, ${JSON.stringify(more)}`, () =>
        withClient(loop, async (client, double) => {
          const input: ResponseInputItem[] = [{ role: "user", content: "Read them." }];
          for (let round = 0; round < ROUNDS; round++) {
            const response = await ask(client, input, more);
            assert.equal(response.output_text, "I look.");
            input.push(...(response.output as ResponseInputItem[]), ...outputsFor(response));
          }
          const last = await ask(client, input, more);
          assert.equal(last.output_text, SEEN);
          assert.equal(last.status, "completed");
          assert.deepEqual(double.rejected, []);
        }));
    }

    it(`goes through a tool loop response by response, ${way}`, () =>
      withClient(loop, async (client, double) => {
        let response = await ask(client, [{ role: "user", content: "Read them." }], {});
        for (let round = 0; round < ROUNDS; round++) response = await ask(client, outputsFor(response), { previous_response_id: response.id });
        assert.equal(response.output_text, SEEN);
        assert.deepEqual(double.rejected, []);
      }));
  }

  it("gives the same output at once and streamed", () => {
    const turn: Turn = { thinking: "Hm.", text: "Grüße 👋🏽, I look.", calls: [{ id: "call_1", name: "read", input: { path: "a\n👋" } }] };
    return withClient([turn, turn, { ...turn, stop: "length" }], async (client) => {
      const said = ({ output }: Response): unknown =>
        output.map((item) => {
          if (item.type === "message") return item.content.map((part) => part.type === "output_text" && part.text);
          return item.type === "function_call" ? [item.call_id, item.name, item.arguments, item.status] : item.type;
        });
      const expected = ["reasoning", [turn.text], ["call_1", "read", '{"path":"a\\n👋"}', "completed"]];
      assert.deepEqual(said(await client.responses.create({ ...RESPONSES, input: "Hi" })), expected);
      assert.deepEqual(said(await client.responses.stream({ ...RESPONSES, input: "Hi" }).finalResponse()), expected);
      const cut = await client.responses.stream({ ...RESPONSES, input: "Hi" }).finalResponse();
      assert.deepEqual([cut.status, cut.incomplete_details], ["incomplete", { reason: "max_output_tokens" }]);
    });
  });

  it("throws the provider's errors", () =>
    withClient([{ fault: 500 }, { text: "Half of it is enough.", fault: "error-event" }], async (client) => {
      const body = { ...RESPONSES, input: "Hi" };
      await assert.rejects(client.responses.create(body), { status: 500, type: "server_error" });
      await assert.rejects(client.responses.stream(body).finalResponse(), { message: /The server had an error while processing your request/ });
      const reasoning = { type: "reasoning" as const, id: "rs_x", summary: [] };
      await assert.rejects(client.responses.create({ ...RESPONSES, store: false, input: [reasoning] }), {
        status: 404,
        message: /^404 Item with id 'rs_x' not found\. Items are not persisted when `store` is set to false\./,
      });
    }));
});
