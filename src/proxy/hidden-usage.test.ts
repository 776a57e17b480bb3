/** Agents take the usage of an answer for the size of their context, and compact when it nears the window. */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import OpenAI from "openai";
import { startDouble } from "../../test/support/agents/start-double.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import type { Script } from "../testing/index.ts";

interface Counts {
  readonly read: number | undefined;
  readonly written: number | undefined;
}

const LONG = "The whole of a long conversation. ".repeat(400);
const recalling: Script = [{ text: "One moment.", calls: [{ name: "recall", input: { handle: "none" } }] }, { text: "Done." }];
const anthropicCounts = (usage: object | undefined): Counts => {
  const { input_tokens: input, cache_read_input_tokens: read, cache_creation_input_tokens: written, output_tokens: output } = usage as Anthropic.Usage;
  return { read: input + (read ?? 0) + (written ?? 0), written: output };
};

const CLIENTS: Readonly<Record<string, { counts: (usage: object | undefined) => Counts; ask: (base: string, streamed: boolean) => Promise<Counts> }>> = {
  Messages: {
    counts: anthropicCounts,
    async ask(baseURL, streamed) {
      const { messages } = new Anthropic({ apiKey: "key", baseURL, maxRetries: 0 });
      const body: Anthropic.MessageCreateParamsNonStreaming = {
        model: "claude-opus-5",
        max_tokens: 100,
        messages: [{ role: "user", content: LONG }],
        tools: [{ name: "look", input_schema: { type: "object" } }],
      };
      const { usage } = streamed ? await messages.stream(body).finalMessage() : await messages.create(body);
      return anthropicCounts(usage);
    },
  },
  Chat: {
    counts: (usage) => chatCounts(usage as OpenAI.CompletionUsage),
    async ask(base, streamed) {
      const { chat } = new OpenAI({ apiKey: "key", baseURL: `${base}/v1`, maxRetries: 0 });
      const body: OpenAI.ChatCompletionCreateParamsNonStreaming = {
        model: "gpt-5.5",
        messages: [{ role: "user", content: LONG }],
        tools: [{ type: "function", function: { name: "look" } }],
      };
      const { usage } = streamed
        ? await chat.completions.stream({ ...body, stream: true, stream_options: { include_usage: true } }).finalChatCompletion()
        : await chat.completions.create(body);
      assert.equal(usage?.total_tokens, (usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
      return chatCounts(usage);
    },
  },
  Responses: {
    counts: (usage) => responsesCounts(usage as OpenAI.Responses.ResponseUsage),
    async ask(base, streamed) {
      const { responses } = new OpenAI({ apiKey: "key", baseURL: `${base}/v1`, maxRetries: 0 });
      const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
        model: "gpt-5.5",
        input: LONG,
        store: false,
        tools: [{ type: "function", name: "look", parameters: {}, strict: false }],
      };
      const { usage } = streamed ? await responses.stream({ ...body, stream: true }).finalResponse() : await responses.create(body);
      assert.equal(usage?.total_tokens, (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0));
      return responsesCounts(usage);
    },
  },
};

function chatCounts(usage: OpenAI.CompletionUsage | undefined): Counts {
  return { read: usage?.prompt_tokens, written: usage?.completion_tokens };
}

function responsesCounts(usage: OpenAI.Responses.ResponseUsage | undefined): Counts {
  return { read: usage?.input_tokens, written: usage?.output_tokens };
}

describe("a hidden round does not make the context look twice as large, or an agent compacts when half of the window is free", () => {
  for (const [name, { ask, counts }] of Object.entries(CLIENTS))
    for (const streamed of [false, true])
      it(`${name}, ${streamed ? "streamed" : "whole"}`, async () => {
        const double = await startDouble({ script: recalling });
        const { url } = await startProxy(double.url, { store: "memory" });
        const told = await ask(url, streamed);
        const [first, last] = double.requests.map(({ usage }) => counts(usage));
        assert.ok(first?.written !== undefined && last?.written !== undefined && (last.read ?? 0) > 3_000);
        assert.deepEqual(told, { read: last.read, written: first.written + last.written });
      });
});
