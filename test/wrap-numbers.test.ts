/** What metrics() says of a loop, beside the same loop really run without us: billed as the provider reported it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import OpenAI from "openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel, type ToolSet } from "ai";
import { palimpsestMiddleware } from "../src/agent/clients/ai-sdk.ts";
import { wrapAnthropic, type CallMetrics, type FrontEndOptions } from "../src/agent/clients/anthropic.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import { requestBill } from "../src/pricing/billing/bill.ts";
import { pricesFor } from "../src/pricing/billing/prices-for.ts";
import { modelInfo } from "../src/pricing/index.ts";
import type { ProviderDouble, RecordedRequest } from "../src/testing/index.ts";
import { anthropicLoop, type LoopOptions } from "./support/agents/anthropic-loop.ts";
import { chatLoop } from "./support/agents/chat-loop.ts";
import { responsesLoop } from "./support/agents/responses-loop.ts";
import { startDouble } from "./support/agents/start-double.ts";
import { STEADY_TOOLS, steadyAgent, steadyTool } from "./support/agents/steady-agent.ts";

const TURNS = 70;
const loopOptions = (streamed: boolean, model: string): LoopOptions => ({ streamed, model, task: "Find what is wrong.", tools: STEADY_TOOLS, run: steadyTool });

type Run = (double: ProviderDouble, options: FrontEndOptions | undefined, streamed: boolean) => Promise<CallMetrics | undefined>;

const WAYS: Readonly<Record<string, { readonly model: string; readonly run: Run }>> = {
  messages: {
    model: "claude-fable-5-2",
    run: async (double, options, streamed) => {
      const client = new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 });
      const wrapped = options === undefined ? undefined : wrapAnthropic(client, options);
      await anthropicLoop(wrapped ?? client, loopOptions(streamed, "claude-fable-5-2"));
      return wrapped?.palimpsest.metrics();
    },
  },
  "chat completions": {
    model: "gpt-5.5",
    run: async (double, options, streamed) => {
      const client = new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 });
      const wrapped = options === undefined ? undefined : wrapOpenAI(client, options);
      await chatLoop(wrapped ?? client, loopOptions(streamed, "gpt-5.5"));
      return wrapped?.palimpsest.metrics();
    },
  },
  responses: {
    model: "gpt-6-sol",
    run: async (double, options, streamed) => {
      const client = new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 });
      const wrapped = options === undefined ? undefined : wrapOpenAI(client, options);
      await responsesLoop(wrapped ?? client, loopOptions(streamed, "gpt-6-sol"));
      return wrapped?.palimpsest.metrics();
    },
  },
  "AI SDK, Anthropic": {
    model: "claude-fable-5-2",
    run: (double, options, streamed) => runAiSdk(createAnthropic({ apiKey: "test", baseURL: `${double.url}/v1` })("claude-fable-5-2"), options, streamed),
  },
  "AI SDK, OpenAI chat": {
    model: "gpt-5.5",
    run: (double, options, streamed) => runAiSdk(createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).chat("gpt-5.5"), options, streamed),
  },
};

type Model = Parameters<typeof wrapLanguageModel>[0]["model"];

const inputSchema = jsonSchema<Record<string, unknown>>({ type: "object", additionalProperties: true });

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

const SETTINGS: Readonly<Record<string, FrontEndOptions>> = {
  "recall only": { policy: { preset: "tight", firstSightTokens: 400, firstSightFileTokens: 900, tailTokens: 2_000, minBatchTokens: 1_000 } },
  "with compact": { compact: true, policy: "balanced" },
  "cut at once": { compress: { maxToolResultTokens: 200 }, budget: { inputTokenBudget: 8_000 } },
};

/** As the double reported them: what the model read, and what it cost. */
function billOf(requests: readonly RecordedRequest[], model: string): { inputTokens: number; dollars: number } {
  const info = modelInfo(model);
  const bills = requests.map(({ counts, usage = {} }) => {
    const { uncached = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0 } = counts ?? {};
    const output = Number(usage["output_tokens"] ?? usage["completion_tokens"]);
    const shares = { uncached, cacheRead, cacheWrite: { "5m": cacheWrite5m, "1h": cacheWrite1h } };
    return requestBill(shares, output, pricesFor(info, uncached + cacheRead + cacheWrite5m + cacheWrite1h, undefined));
  });
  return { inputTokens: bills.reduce((sum, { inputTokens }) => sum + inputTokens, 0), dollars: bills.reduce((sum, { dollars }) => sum + dollars, 0) };
}

const share = (said: number, real: number): number => said / real - 1;

for (const [way, { model, run }] of Object.entries(WAYS))
  for (const [setting, options] of Object.entries(SETTINGS))
    for (const streamed of [false, true])
      test(`${way}, ${setting}, ${streamed ? "streamed" : "whole"}: what the loop would have cost without is what it costs without`, async () => {
        const without = await startDouble({ script: steadyAgent(TURNS), windowTokens: 10_000_000 });
        const withUs = await startDouble({ script: steadyAgent(TURNS), windowTokens: 10_000_000 });
        await run(without, undefined, streamed);
        const metrics = (await run(withUs, options, streamed)) ?? assert.fail();
        const real = billOf(without.requests, model);
        const ours = billOf(withUs.requests, model);
        const errors = {
          tokens: share(metrics.fullTokens, real.inputTokens),
          dollars: share(metrics.fullDollars, real.dollars),
          spent: share(metrics.dollars, ours.dollars),
          saved: (metrics.dollarsSaved - (real.dollars - ours.dollars)) / real.dollars,
        };
        if (process.env["SHOW"]) console.log(way, setting, streamed, JSON.stringify(errors, (_, v) => typeof v === "number" ? Math.round(v * 1000) / 10 : v), real.dollars.toFixed(3), ours.dollars.toFixed(3), metrics.requests, without.requests.length);
        assert.deepEqual([without.rejected, withUs.rejected], [[], []]);
        assert.ok(metrics.requests > without.requests.length && metrics.calls === without.requests.length, "the same calls, and hidden rounds");
        for (const [name, error] of Object.entries(errors)) assert.ok(Math.abs(error) < 0.03, `${name}: ${(100 * error).toFixed(1)} %`);
      });
