import Anthropic from "@anthropic-ai/sdk";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import OpenAI from "openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel, type Schema, type ToolSet } from "ai";
import { palimpsestMiddleware } from "../../../src/agent/clients/ai-sdk.ts";
import { wrapAnthropic, type CallMetrics, type FrontEndOptions } from "../../../src/agent/clients/anthropic.ts";
import { wrapOpenAI } from "../../../src/agent/clients/openai.ts";
import type { ProviderDouble } from "../../../src/testing/index.ts";
import { anthropicLoop, type LoopOptions } from "./anthropic-loop.ts";
import { chainedLoop } from "./chained-loop.ts";
import { chatLoop } from "./chat-loop.ts";
import { responsesLoop } from "./responses-loop.ts";
import { STEADY_TOOLS, steadyTool } from "./steady-agent.ts";

export const loopOptions = (streamed: boolean, model: string): LoopOptions => ({
  streamed,
  model,
  task: "Find what is wrong.",
  tools: STEADY_TOOLS,
  run: steadyTool,
});

/** Plays the loop. `options`: wrapped with these; undefined: without us. */
export type Run = (double: ProviderDouble, options: FrontEndOptions | undefined, streamed: boolean) => Promise<CallMetrics | undefined>;

export interface Way {
  readonly model: string;
  readonly run: Run;
  /** A setting by which nothing is saved. */
  readonly without?: string;
  /** A setting that saves tokens, but no dollars. */
  readonly noDollars?: string;
}

function openAiWay(model: string, play: (client: OpenAI, options: LoopOptions) => Promise<unknown>): Way {
  const run: Run = async (double, options, streamed) => {
    const client = new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 });
    const wrapped = options === undefined ? undefined : wrapOpenAI(client, options);
    await play(wrapped ?? client, loopOptions(streamed, model));
    return wrapped?.palimpsest.metrics();
  };
  return { model, run };
}

/** The ways in which the loop of a steady agent is played. */
export const WAYS: Readonly<Record<string, Way>> = {
  messages: {
    model: "claude-fable-5-2",
    run: async (double, options, streamed) => {
      const client = new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 });
      const wrapped = options === undefined ? undefined : wrapAnthropic(client, options);
      await anthropicLoop(wrapped ?? client, loopOptions(streamed, "claude-fable-5-2"));
      return wrapped?.palimpsest.metrics();
    },
  },
  "chat completions, GPT-5.5": openAiWay("gpt-5.5", chatLoop),
  // A budget that is always exceeded shortens something at every call, and this cache has no prefix that did not end a request.
  "chat completions, GPT-6": { ...openAiWay("gpt-6-sol", chatLoop), noDollars: "cut at once" },
  "responses, GPT-5.5": openAiWay("gpt-5.5", responsesLoop),
  "responses, GPT-6": { ...openAiWay("gpt-6-sol", responsesLoop), noDollars: "cut at once" },
  // What the provider keeps cannot be compacted.
  "responses, by previous_response_id": { ...openAiWay("gpt-6-sol", chainedLoop), without: "with compact" },
  "AI SDK, Anthropic": {
    model: "claude-fable-5-2",
    run: (double, options, streamed) => runAiSdk(createAnthropic({ apiKey: "test", baseURL: `${double.url}/v1` })("claude-fable-5-2"), options, streamed),
  },
  "AI SDK, OpenAI chat": {
    model: "gpt-5.5",
    run: (double, options, streamed) => runAiSdk(createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).chat("gpt-5.5"), options, streamed),
  },
};

export type Model = Parameters<typeof wrapLanguageModel>[0]["model"];

export const inputSchema: Schema<Record<string, unknown>> = jsonSchema({ type: "object", additionalProperties: true });

async function runAiSdk(model: Model, options: FrontEndOptions | undefined, streamed: boolean): Promise<CallMetrics | undefined> {
  const middleware = options === undefined ? undefined : palimpsestMiddleware(options);
  const tools: ToolSet = Object.fromEntries(
    STEADY_TOOLS.map((name) => [name, tool({ description: `The tool ${name}.`, inputSchema, execute: (input) => steadyTool(name, input).text })]),
  );
  const providerOptions = { anthropic: { thinking: { type: "adaptive" } } } as const;
  const call = {
    model: middleware === undefined ? model : wrapLanguageModel({ model, middleware }),
    prompt: "Find what is wrong.",
    tools,
    stopWhen: stepCountIs(300),
    maxRetries: 0,
    providerOptions,
  };
  if (streamed) await streamText(call).consumeStream();
  else await generateText(call);
  return middleware?.palimpsest.metrics();
}

export const SETTINGS: Readonly<Record<string, FrontEndOptions>> = {
  "recall only": { policy: { preset: "tight", firstSightTokens: 400, firstSightFileTokens: 900, tailTokens: 2_000, minBatchTokens: 1_000 } },
  "with compact": { compact: true, policy: "balanced" },
  "cut at once": { compress: { maxToolResultTokens: 500 }, budget: { inputTokenBudget: 8_000 } },
};
