/** What metrics() says of a loop, beside the same loop really run without us: billed as the provider reported it. */
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import OpenAI from "openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel, type ToolSet } from "ai";
import { palimpsestMiddleware } from "../src/agent/clients/ai-sdk.ts";
import { wrapAnthropic, type CallMetrics, type FrontEndEvent, type FrontEndOptions, type Palimpsest } from "../src/agent/clients/anthropic.ts";
import type { CallTotals } from "../src/agent/calls/call-record.ts";
import { sumOfMetrics } from "../src/agent/front-end/metrics.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import { requestBill } from "../src/pricing/billing/bill.ts";
import { pricesFor } from "../src/pricing/billing/prices-for.ts";
import { modelInfo } from "../src/pricing/index.ts";
import type { ProviderDouble, RecordedRequest, Script } from "../src/testing/index.ts";
import { anthropicLoop, type LoopOptions } from "./support/agents/anthropic-loop.ts";
import { chainedLoop } from "./support/agents/chained-loop.ts";
import { chatLoop } from "./support/agents/chat-loop.ts";
import { restartingClient } from "./support/agents/restarting-client.ts";
import { responsesLoop } from "./support/agents/responses-loop.ts";
import { startDouble } from "./support/agents/start-double.ts";
import { STEADY_TOOLS, steadyAgent, steadyTool } from "./support/agents/steady-agent.ts";
import { vocabularyTokens } from "./support/agents/vocabulary-tokens.ts";

const TURNS = 60;
/** Within 3 % for each of 0 to 19. */
const SEED = 0;
const loopOptions = (streamed: boolean, model: string): LoopOptions => ({ streamed, model, task: "Find what is wrong.", tools: STEADY_TOOLS, run: steadyTool });

type Params = Anthropic.MessageCreateParamsNonStreaming;
type Run = (double: ProviderDouble, options: FrontEndOptions | undefined, streamed: boolean) => Promise<CallMetrics | undefined>;

interface Way {
  readonly model: string;
  readonly run: Run;
  /** A setting by which nothing is saved. */
  readonly without?: string;
}

const WAYS: Readonly<Record<string, Way>> = {
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
    model: "gpt-5.5",
    run: async (double, options, streamed) => {
      const client = new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 });
      const wrapped = options === undefined ? undefined : wrapOpenAI(client, options);
      await responsesLoop(wrapped ?? client, loopOptions(streamed, "gpt-5.5"));
      return wrapped?.palimpsest.metrics();
    },
  },
  "responses, by previous_response_id": {
    model: "gpt-6-sol",
    // What the provider keeps cannot be compacted.
    without: "with compact",
    run: async (double, options, streamed) => {
      const client = new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 });
      const wrapped = options === undefined ? undefined : wrapOpenAI(client, options);
      await chainedLoop(wrapped ?? client, loopOptions(streamed, "gpt-6-sol"));
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
  "cut at once": { compress: { maxToolResultTokens: 500 }, budget: { inputTokenBudget: 8_000 } },
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

interface RealLoop {
  readonly requests: number;
  readonly bill: { readonly inputTokens: number; readonly dollars: number };
}

const start = (): Promise<ProviderDouble> => startDouble({ script: steadyAgent(TURNS, SEED), windowTokens: 10_000_000, tokensOf: vocabularyTokens });

async function realLoop(model: string, run: (double: ProviderDouble) => Promise<unknown>): Promise<RealLoop> {
  const double = await start();
  await run(double);
  assert.deepEqual(double.rejected, []);
  return { requests: double.requests.length, bill: billOf(double.requests, model) };
}

/** No promises: what awaits one of another test counts as that test's, and what it starts is never closed. */
const realLoops = new Map<string, RealLoop>();

/** The loop of a way without us, which is the same with every setting, streamed or whole: it is run once. */
async function realLoopOf(way: string): Promise<RealLoop> {
  const { model, run } = WAYS[way] ?? assert.fail(way);
  const known = realLoops.get(way) ?? (await realLoop(model, (double) => run(double, undefined, false)));
  realLoops.set(way, known);
  return known;
}

/** By how much what is said of a loop is off. */
async function errorsOf(
  model: string,
  { requests, bill: real }: RealLoop,
  run: (double: ProviderDouble) => Promise<CallMetrics | undefined>,
): Promise<Readonly<Record<string, number>>> {
  const double = await start();
  const metrics = (await run(double)) ?? assert.fail("no metrics");
  const ours = billOf(double.requests, model);
  assert.deepEqual(double.rejected, []);
  assert.ok(metrics.requests > requests && metrics.calls === requests, "the same calls, and hidden rounds");
  assert.ok(ours.dollars < 0.9 * real.dollars && ours.inputTokens < 0.9 * real.inputTokens, "something is saved");
  return {
    fullTokens: share(metrics.fullTokens, real.inputTokens),
    fullDollars: share(metrics.fullDollars, real.dollars),
    dollars: share(metrics.dollars, ours.dollars),
    dollarsSaved: share(metrics.dollarsSaved, real.dollars - ours.dollars),
  };
}

const share = (said: number, real: number): number => said / real - 1;

function assertClose(errors: Readonly<Record<string, number>>): void {
  for (const [name, error] of Object.entries(errors)) assert.ok(Math.abs(error) < 0.03, `${name} is off by ${(100 * error).toFixed(1)} %`);
}

for (const [way, { model, run, without }] of Object.entries(WAYS))
  for (const [setting, options] of Object.entries(SETTINGS).filter(([name]) => name !== without))
    for (const streamed of [false, true])
      test(`${way}, ${setting}, ${streamed ? "streamed" : "whole"}: what the loop would have cost without us is what it costs without us`, async () => {
        assertClose(await errorsOf(model, await realLoopOf(way), (double) => run(double, options, streamed)));
      });

describe("a client that places cache markers itself", () => {
  const ephemeral = { type: "ephemeral" } as const;
  const hour = { type: "ephemeral", ttl: "1h" } as const;
  const atTail = (params: Params, marker: Anthropic.CacheControlEphemeral): Params => ({
    ...params,
    messages: params.messages.map((message, number) => {
      const { content } = message;
      const blocks: Anthropic.ContentBlockParam[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
      const isLast = number === params.messages.length - 1;
      const marked = blocks.map((block, at) => (isLast && at === blocks.length - 1 ? Object.assign({}, block, { cache_control: marker }) : block));
      return { ...message, content: marked } as Anthropic.MessageParam;
    }),
  });
  const ways: Readonly<Record<string, (params: Params) => Params>> = {
    "at the end": (params) => atTail(params, ephemeral),
    "at the end, for an hour": (params) => atTail(params, hour),
    "on the system prompt only": (params) => ({
      ...params,
      system: [{ type: "text", text: "You are a careful agent. ".repeat(300), cache_control: ephemeral }],
    }),
    automatic: (params) => ({ ...params, cache_control: ephemeral }),
  };
  for (const [where, mark] of Object.entries(ways))
    test(`${where}: is billed with them, and so would be without us`, async () => {
      const clientOf = (double: ProviderDouble): Anthropic => new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 });
      const play = async ({ messages }: Anthropic): Promise<void> => {
        const marking = { messages: { create: (params: Params) => messages.create(mark(params)) } } as unknown as Anthropic;
        await anthropicLoop(marking, loopOptions(false, "claude-fable-5-2"));
      };
      const real = await realLoop("claude-fable-5-2", (double) => play(clientOf(double)));
      const errors = await errorsOf("claude-fable-5-2", real, async (double) => {
        const wrapped = wrapAnthropic(clientOf(double), SETTINGS["recall only"]);
        await play(wrapped);
        return wrapped.palimpsest.metrics();
      });
      assertClose(errors);
    });
});

for (const setting of ["recall only", "cut at once"])
  test(`every call by another process, ${setting}: what is known of the loop goes on with it`, async () => {
    const store = `sqlite:${join(mkdtempSync(join(tmpdir(), "palimpsest-numbers-")), "agent.db")}`;
    let total: CallMetrics | undefined;
    const run = async (double: ProviderDouble): Promise<CallMetrics | undefined> => {
      const client = new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 });
      const open = (): OpenAI & Palimpsest => wrapOpenAI(client, { ...SETTINGS[setting], store });
      const leave = async ({ palimpsest }: OpenAI & Palimpsest): Promise<void> => {
        const metrics = palimpsest.metrics();
        total = total === undefined ? metrics : sumOfMetrics(total, metrics);
        await palimpsest.close();
      };
      await chatLoop(restartingClient(open, leave), loopOptions(false, "gpt-5.5"));
      return total;
    };
    assertClose(await errorsOf("gpt-5.5", await realLoopOf("chat completions"), run));
  });

test("a provider that caches nothing: nothing would have been cached without us", async () => {
  const double = await startDouble({ script: steadyAgent(30), windowTokens: 10_000_000 });
  const without = await startDouble({ script: steadyAgent(30), windowTokens: 10_000_000 });
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const answer = (await (await globalThis.fetch(url, init)).json()) as { usage: { prompt_tokens_details: { cached_tokens: number } } };
    answer.usage.prompt_tokens_details.cached_tokens = 0;
    return Response.json(answer);
  };
  const client = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0, fetch }), SETTINGS["recall only"]);
  await chatLoop(client, loopOptions(false, "gpt-5.5"));
  await chatLoop(new OpenAI({ apiKey: "test", baseURL: `${without.url}/v1`, maxRetries: 0 }), loopOptions(false, "gpt-5.5"));
  const uncached = without.requests.map((request) => ({
    ...request,
    counts: { uncached: billOf([request], "gpt-5.5").inputTokens, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  }));
  assertClose({ fullDollars: share(client.palimpsest.metrics().fullDollars, billOf(uncached, "gpt-5.5").dollars) });
});

test("a client that goes back: what it has sent before would have been in the cache", async () => {
  const double = await startDouble({ script: steadyAgent(30), windowTokens: 10_000_000 });
  const client = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }), SETTINGS["recall only"]);
  const { messages } = await chatLoop(client, loopOptions(false, "gpt-5.5"));
  const before = client.palimpsest.metrics();
  const tools = STEADY_TOOLS.map((name): OpenAI.ChatCompletionTool => ({ type: "function", function: { name, parameters: { type: "object" } } }));
  const last = messages.findLastIndex(({ role }) => role === "tool");
  await client.chat.completions.create({
    model: "gpt-5.5",
    tools,
    messages: [...messages.slice(0, last), { ...messages[last], content: "nothing" } as OpenAI.ChatCompletionToolMessageParam],
  });
  const { fullDollars, fullTokens } = client.palimpsest.metrics();
  const [tokens, dollars] = [fullTokens - before.fullTokens, fullDollars - before.fullDollars];
  assert.ok(tokens > 40_000, `${tokens} tokens`);
  assert.ok(dollars < 0.2 * ((tokens * 5) / 1_000_000), `$${dollars} for ${tokens} tokens`);
});

test("what was said of all calls is what the records of the calls say", async () => {
  const double = await startDouble({ script: steadyAgent(20), windowTokens: 10_000_000 });
  const records: CallTotals[] = [];
  const onEvent = (event: FrontEndEvent): unknown => (event.type === "called" ? records.push(event.record.cost) : 0);
  const client = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }), { ...SETTINGS["recall only"], onEvent });
  await chatLoop(client, loopOptions(true, "gpt-5.5"));
  const { fullTokens, fullDollars, dollars, requests } = client.palimpsest.metrics();
  const sum = (value: (cost: CallTotals) => number): number => records.reduce((all, cost) => all + value(cost), 0);
  assert.deepEqual([sum((cost) => cost.fullTokens), sum((cost) => cost.requests)], [fullTokens, requests]);
  assert.ok(Math.abs(sum((cost) => cost.fullDollars) - fullDollars) < 1e-9 && Math.abs(sum((cost) => cost.dollars) - dollars) < 1e-9);
});

describe("a model whose price nobody knows", () => {
  const script = (): Script => [{ text: "a" }];
  const ways: Readonly<Record<string, (double: ProviderDouble, options: FrontEndOptions) => Promise<CallMetrics>>> = {
    messages: async (double, options) => {
      const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), options);
      await client.messages.create({
        model: "house-blend",
        max_tokens: 9,
        messages: [{ role: "user", content: "q" }],
        tools: [{ name: "look", input_schema: { type: "object" } }],
      });
      return client.palimpsest.metrics();
    },
    "chat completions": async (double, options) => {
      const client = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }), options);
      await client.chat.completions.create({
        model: "house-blend",
        messages: [{ role: "user", content: "q" }],
        tools: [{ type: "function", function: { name: "look" } }],
      });
      return client.palimpsest.metrics();
    },
    responses: async (double, options) => {
      const client = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }), options);
      await client.responses.create({
        model: "house-blend",
        input: "q",
        store: false,
        tools: [{ type: "function", name: "look", parameters: {}, strict: false }],
      });
      return client.palimpsest.metrics();
    },
    "AI SDK": async (double, options) => {
      const middleware = palimpsestMiddleware(options);
      const model = wrapLanguageModel({ model: createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).chat("house-blend"), middleware });
      await generateText({ model, prompt: "q", tools: { look: tool({ inputSchema }) } });
      return middleware.palimpsest.metrics();
    },
  };
  for (const [way, run] of Object.entries(ways)) {
    test(`${way}: tokens and no dollars, and it is said why`, async () => {
      const warnings: string[] = [];
      const costs: unknown[] = [];
      const onEvent = (event: FrontEndEvent): unknown => (event.type === "called" ? costs.push(event.record.cost) : 0);
      const metrics = await run(await startDouble({ script: script() }), { onWarning: (warning) => warnings.push(warning), onEvent });
      const { calls, inputTokens, fullTokens, dollars, fullDollars, dollarsSaved, unpricedCalls } = metrics;
      assert.ok(inputTokens > 0 && fullTokens > 0);
      assert.deepEqual(
        { calls, dollars, fullDollars, dollarsSaved, unpricedCalls },
        { calls: 1, dollars: 0, fullDollars: 0, dollarsSaved: 0, unpricedCalls: 1 },
      );
      assert.match(warnings.join(), /house-blend/);
      const [cost] = costs as readonly (typeof metrics)[];
      assert.deepEqual([cost?.dollars, cost?.fullDollars, cost?.unpricedCalls], [0, 0, 1]);
    });
    test(`${way}: with a price that the caller gives, dollars`, async () => {
      const models = { "house-blend": { like: "gpt-5.5", prices: { input: 2, output: 4 } } };
      const { dollars, unpricedCalls } = await run(await startDouble({ script: script() }), { models });
      assert.ok(dollars > 0 && unpricedCalls === 0);
    });
  }
});

describe("the usage of hidden rounds is part of the answer's", () => {
  const script: Script = [{ text: "One moment.", calls: [{ name: "recall", input: { handle: "none" } }] }, { text: "Done." }];
  const reported = ({ requests }: ProviderDouble): { input: number; output: number } => {
    const { inputTokens } = billOf(requests, "gpt-5.5");
    return { input: inputTokens, output: requests.reduce((sum, { usage = {} }) => sum + Number(usage["output_tokens"] ?? usage["completion_tokens"]), 0) };
  };
  const anthropicTools: Anthropic.Tool[] = [{ name: "look", input_schema: { type: "object" } }];
  const ways: Readonly<Record<string, (double: ProviderDouble, streamed: boolean) => Promise<{ input: number | undefined; output: number | undefined }>>> = {
    messages: async (double, streamed) => {
      const { messages } = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }));
      const params = { model: "claude-fable-5-2", max_tokens: 9, messages: [{ role: "user", content: "q" }], tools: anthropicTools } satisfies Params;
      const { usage } = streamed ? await messages.stream(params).finalMessage() : await messages.create(params);
      return { input: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0), output: usage.output_tokens };
    },
    "chat completions": async (double, streamed) => {
      const { chat } = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }));
      const params: OpenAI.ChatCompletionCreateParamsNonStreaming = {
        model: "gpt-5.5",
        messages: [{ role: "user", content: "q" }],
        tools: [{ type: "function", function: { name: "look" } }],
      };
      const { usage } = streamed
        ? await chat.completions.stream({ ...params, stream: true, stream_options: { include_usage: true } }).finalChatCompletion()
        : await chat.completions.create(params);
      return { input: usage?.prompt_tokens, output: usage?.completion_tokens };
    },
    responses: async (double, streamed) => {
      const { responses } = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }));
      const params: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
        model: "gpt-5.5",
        input: "q",
        store: false,
        tools: [{ type: "function", name: "look", parameters: {}, strict: false }],
      };
      const { usage } = streamed ? await responses.stream({ ...params, stream: true }).finalResponse() : await responses.create(params);
      return { input: usage?.input_tokens, output: usage?.output_tokens };
    },
    "AI SDK": async (double, streamed) => {
      const model = createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).chat("gpt-5.5");
      const call = { model: wrapLanguageModel({ model, middleware: palimpsestMiddleware() }), prompt: "q", tools: { look: tool({ inputSchema }) } as ToolSet };
      const usage = streamed ? await streamText(call).usage : (await generateText(call)).usage;
      return { input: usage.inputTokens, output: usage.outputTokens };
    },
  };
  for (const [way, run] of Object.entries(ways))
    for (const streamed of [false, true])
      test(`${way}, ${streamed ? "streamed" : "whole"}`, async () => {
        const double = await startDouble({ script });
        const usage = await run(double, streamed);
        assert.equal(double.requests.length, 2);
        assert.deepEqual(usage, reported(double));
      });
});

describe("a chat stream whose usage the client does not ask for", () => {
  const tools: OpenAI.ChatCompletionTool[] = [{ type: "function", function: { name: "look" } }];
  const script: Script = [
    { text: "Wait.", calls: [{ name: "recall", input: { handle: "none" } }] },
    { text: "Here it is.", calls: [{ name: "look", input: {} }] },
  ];
  const chunksOf = async (client: OpenAI): Promise<OpenAI.ChatCompletionChunk[]> => {
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of await client.chat.completions.create({ model: "gpt-5.5", stream: true, messages: [{ role: "user", content: "q" }], tools }))
      chunks.push(chunk);
    return chunks;
  };
  const openAi = (double: ProviderDouble, more: object = {}): OpenAI => new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0, ...more });
  const shapes = (chunks: readonly OpenAI.ChatCompletionChunk[]): unknown[] =>
    chunks.map((chunk) => ({ ...chunk, id: "", created: 0, choices: chunk.choices.map((choice) => JSON.stringify(choice).replaceAll(/call_\w+/g, "call")) }));

  test("is counted, and the client sees the stream that it asked for", async () => {
    const plain = await chunksOf(openAi(await startDouble({ script: script.slice(1) })));
    const double = await startDouble({ script: script.slice(1) });
    const client = wrapOpenAI(openAi(double));
    assert.deepEqual(shapes(await chunksOf(client)), shapes(plain));
    const { inputTokens, outputTokens, fullTokens, dollars } = client.palimpsest.metrics();
    assert.equal(inputTokens, billOf(double.requests, "gpt-5.5").inputTokens);
    assert.ok(outputTokens > 0 && fullTokens > 0 && dollars > 0);
  });

  test("is counted over hidden rounds too", async () => {
    const double = await startDouble({ script });
    const client = wrapOpenAI(openAi(double));
    const chunks = await chunksOf(client);
    assert.ok(chunks.every((chunk) => !("usage" in chunk) && chunk.choices.length === 1));
    assert.equal(double.requests.length, 2);
    assert.equal(client.palimpsest.metrics().inputTokens, billOf(double.requests, "gpt-5.5").inputTokens);
  });

  test("a provider that refuses to be asked gets the request once more without, and is not asked again", async () => {
    const double = await startDouble({ script: [{ text: "a" }, { text: "b" }] });
    const asked: boolean[] = [];
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      const isAsked = "stream_options" in (JSON.parse(init.body as string) as object);
      asked.push(isAsked);
      const refusal = { error: { message: "Unknown parameter: 'stream_options'.", type: "invalid_request_error" } };
      return isAsked ? Promise.resolve(Response.json(refusal, { status: 400 })) : globalThis.fetch(url, init);
    };
    const retries: unknown[] = [];
    const client = wrapOpenAI(openAi(double, { fetch }), {
      onEvent: (event) => (event.type === "called" ? retries.push(event.record.rounds.map(({ status, retry }) => [status, retry])) : 0),
    });
    for (const said of ["a", "b"]) assert.match(JSON.stringify(await chunksOf(client)), new RegExp(`"content":"${said}"`));
    assert.deepEqual(asked, [true, false, false]);
    assert.deepEqual(retries, [
      [
        [400, undefined],
        [200, "stream_options"],
      ],
      [[200, undefined]],
    ]);
  });
});

describe("cache markers of the AI SDK", () => {
  const tools = { look: tool({ inputSchema, execute: () => "seen" }) };
  const script: Script = [{ calls: [{ name: "look", input: {} }] }, { text: "done" }];
  const markersIn = ({ body }: RecordedRequest): number => JSON.stringify(body).split('"cache_control"').length - 1;
  const anthropicModel = (double: ProviderDouble, name = "anthropic.messages"): Model =>
    createAnthropic({ apiKey: "test", baseURL: `${double.url}/v1`, name })("claude-fable-5-2");

  test("stand at the end of what is sent", async () => {
    const double = await startDouble({ script });
    const model = wrapLanguageModel({ model: anthropicModel(double), middleware: palimpsestMiddleware() });
    await generateText({ model, prompt: "q", tools, stopWhen: stepCountIs(5) });
    const last = (double.requests.at(-1)?.body["messages"] as { content: { type: string; cache_control?: object }[] }[]).at(-1)?.content.at(-1);
    assert.deepEqual([last?.type, last?.cache_control], ["tool_result", { type: "ephemeral" }]);
  });

  test("stand beside the client's own: four at most, and for as long as the client's", async () => {
    const double = await startDouble({ script });
    const model = wrapLanguageModel({ model: anthropicModel(double), middleware: palimpsestMiddleware() });
    const hour = { anthropic: { cacheControl: { type: "ephemeral", ttl: "1h" } } } as const;
    await generateText({
      model,
      tools: { look: { ...tools.look, providerOptions: hour } },
      stopWhen: stepCountIs(5),
      instructions: { role: "system", content: "Be careful.", providerOptions: hour },
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "a", providerOptions: hour },
            { type: "text", text: "b" },
          ],
        },
        { role: "assistant", content: "c" },
        { role: "user", content: "d", providerOptions: hour },
      ],
    });
    assert.deepEqual([double.rejected, double.requests.map(markersIn)], [[], [4, 4]]);
  });

  test("are not placed where the caller wants none, or the model is not Anthropic's", async () => {
    const [none, others] = [await startDouble({ script }), await startDouble({ script })];
    const sent: string[] = [];
    const chat = createOpenAI({
      apiKey: "test",
      baseURL: `${others.url}/v1`,
      fetch: (url, init) => (sent.push(JSON.stringify(init?.body)), fetch(url, init)),
    }).chat("gpt-5.5");
    const seen: unknown[] = [];
    const spying = wrapLanguageModel({
      model: chat,
      middleware: { specificationVersion: "v4", wrapGenerate: ({ doGenerate, params }) => (seen.push(params.prompt), doGenerate()) },
    });
    await generateText({
      model: wrapLanguageModel({ model: anthropicModel(none), middleware: palimpsestMiddleware({ cache: false }) }),
      prompt: "q",
      tools,
      stopWhen: stepCountIs(5),
    });
    await generateText({ model: wrapLanguageModel({ model: spying, middleware: palimpsestMiddleware() }), prompt: "q", tools, stopWhen: stepCountIs(5) });
    assert.deepEqual(none.requests.map(markersIn), [0, 0]);
    assert.doesNotMatch(JSON.stringify([seen, sent]), /cacheControl|cache_control/);
  });

  test("are placed through a gateway that names a model of Anthropic's", async () => {
    const double = await startDouble({ script });
    const model = wrapLanguageModel({ model: anthropicModel(double, "house-gateway"), middleware: palimpsestMiddleware() });
    await generateText({ model, prompt: "q", tools, stopWhen: stepCountIs(5) });
    // At the end, and behind the first message.
    assert.deepEqual([double.rejected, double.requests.map(markersIn)], [[], [1, 2]]);
  });
});
