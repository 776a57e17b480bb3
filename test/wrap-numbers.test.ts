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
import { generateText, stepCountIs, streamText, tool, wrapLanguageModel, type ToolSet } from "ai";
import { palimpsestMiddleware } from "../src/agent/clients/ai-sdk.ts";
import { wrapAnthropic, type CallMetrics, type FrontEndEvent, type FrontEndOptions, type Palimpsest } from "../src/agent/clients/anthropic.ts";
import type { CallTotals } from "../src/agent/calls/call-record.ts";
import { sumOfMetrics } from "../src/agent/front-end/metrics.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import type { ProviderDouble, RecordedRequest, Script } from "../src/testing/index.ts";
import { anthropicLoop } from "./support/agents/anthropic-loop.ts";
import { chatLoop } from "./support/agents/chat-loop.ts";
import { restartingClient } from "./support/agents/restarting-client.ts";
import { billOf, errorsOf, realLoop, share, type RealLoop } from "./support/agents/loop-errors.ts";
import { PROVIDER_COUNTS } from "./support/agents/provider-counts.ts";
import { startDouble } from "./support/agents/start-double.ts";
import { STEADY_TOOLS, steadyAgent } from "./support/agents/steady-agent.ts";
import { inputSchema, loopOptions, SETTINGS, WAYS, type Model } from "./support/agents/steady-ways.ts";

const TURNS = 60;

/**
 * How a provider counts, and what work the agent does. Fixed: with other seeds, `dollarsSaved` may be off by 3.1 % where most of a result is cut before
 * it is sent (docs/lab/metrics-error.md).
 */
interface World {
  readonly count: keyof typeof PROVIDER_COUNTS;
  readonly seed: number;
}

const WORLDS: Readonly<Record<"whole" | "streamed", World>> = {
  whole: { count: "o200k, 6 a piece", seed: 0 },
  streamed: { count: "1.35 × o200k, 10 a piece", seed: 1 },
};

type Params = Anthropic.MessageCreateParamsNonStreaming;

const startIn =
  ({ count, seed }: World) =>
  (): Promise<ProviderDouble> =>
    startDouble({ script: steadyAgent(TURNS, seed), windowTokens: 10_000_000, tokensOf: PROVIDER_COUNTS[count] });
const start = startIn(WORLDS.whole);

/** No promises: what awaits one of another test counts as that test's, and what it starts is never closed. */
const realLoops = new Map<string, RealLoop>();

/** The loop of a way without us, which is the same with every setting, streamed or whole: it is run once. */
async function realLoopOf(way: string, world: World): Promise<RealLoop> {
  const { model, run } = WAYS[way] ?? assert.fail(way);
  const key = JSON.stringify([way, world]);
  const known = realLoops.get(key) ?? (await realLoop(startIn(world), model, (double) => run(double, undefined, false)));
  realLoops.set(key, known);
  return known;
}

function assertClose(errors: Readonly<Record<string, number>>): void {
  for (const [name, error] of Object.entries(errors)) assert.ok(Math.abs(error) < 0.03, `${name} is off by ${(100 * error).toFixed(1)} %`);
}

for (const [way, { model, run, without, noDollars }] of Object.entries(WAYS))
  for (const [setting, options] of Object.entries(SETTINGS).filter(([name]) => name !== without))
    for (const [how, world] of Object.entries(WORLDS))
      test(`${way}, ${setting}, ${how}: what the loop would have cost without us is what it costs without us`, async () => {
        const real = await realLoopOf(way, world);
        const errors = await errorsOf(startIn(world), model, real, (double) => run(double, options, how === "streamed"), setting !== noDollars);
        assertClose(errors);
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
      const real = await realLoop(start, "claude-fable-5-2", (double) => play(clientOf(double)));
      const errors = await errorsOf(start, "claude-fable-5-2", real, async (double) => {
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
    assertClose(await errorsOf(start, "gpt-5.5", await realLoopOf("chat completions, GPT-5.5", WORLDS.whole), run));
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
    counts: { uncached: billOf([request], "gpt-5.5").inputTokens, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, cacheWrite30m: 0, cacheWrite12h: 0 },
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

test("cache writes for twelve hours are billed as such, as they would be without us", async () => {
  const double = await start();
  const { responses, palimpsest } = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }));
  const options = { store: false, prompt_cache_options: { ttl: "12h" }, tools: [{ type: "function", name: "look", parameters: {}, strict: false }] } as const;
  await responses.create({ ...options, tools: [...options.tools], model: "gpt-6.1-sol", input: "What is it? ".repeat(500) });
  const { dollars, fullDollars } = palimpsest.metrics();
  assert.ok((double.requests[0]?.counts?.cacheWrite12h ?? 0) > 1_000, "written for twelve hours");
  assertClose({ dollars: share(dollars, billOf(double.requests, "gpt-6.1-sol").dollars) });
  assert.ok(fullDollars > 0.5 * dollars && fullDollars <= dollars, `${fullDollars} of ${dollars}`);
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
  /** Long enough for a cache. */
  const question = "What is it? ".repeat(500);
  type Reported = Readonly<Record<"input" | "output" | "read" | "written", number | undefined>>;
  const reported = ({ requests }: ProviderDouble): Reported => {
    const sum = (value: (request: RecordedRequest) => unknown): number => requests.reduce((total, request) => total + Number(value(request) ?? 0), 0);
    return {
      input: billOf(requests, "gpt-6-sol").inputTokens,
      output: sum(({ usage = {} }) => usage["output_tokens"] ?? usage["completion_tokens"]),
      read: sum(({ counts }) => counts?.cacheRead),
      written: sum(({ counts }) => (counts?.cacheWrite5m ?? 0) + (counts?.cacheWrite30m ?? 0)),
    };
  };
  const anthropicTools: Anthropic.Tool[] = [{ name: "look", input_schema: { type: "object" } }];
  const ways: Readonly<Record<string, (double: ProviderDouble, streamed: boolean) => Promise<Reported>>> = {
    messages: async (double, streamed) => {
      const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }));
      const text = { type: "text", text: question, cache_control: { type: "ephemeral" } } as const;
      const messages: Anthropic.MessageParam[] = [{ role: "user", content: [text] }];
      const params = { model: "claude-fable-5-2", max_tokens: 9, messages, tools: anthropicTools } satisfies Params;
      const { usage } = streamed ? await client.messages.stream(params).finalMessage() : await client.messages.create(params);
      const [read, written] = [usage.cache_read_input_tokens ?? 0, usage.cache_creation_input_tokens ?? 0];
      return { input: usage.input_tokens + read + written, output: usage.output_tokens, read, written };
    },
    "chat completions": async (double, streamed) => {
      const { chat } = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }));
      const params: OpenAI.ChatCompletionCreateParamsNonStreaming = {
        model: "gpt-6-sol",
        messages: [{ role: "user", content: question }],
        tools: [{ type: "function", function: { name: "look" } }],
      };
      const { usage } = streamed
        ? await chat.completions.stream({ ...params, stream: true, stream_options: { include_usage: true } }).finalChatCompletion()
        : await chat.completions.create(params);
      const { cached_tokens: read, cache_write_tokens: written } = usage?.prompt_tokens_details ?? {};
      return { input: usage?.prompt_tokens, output: usage?.completion_tokens, read, written };
    },
    responses: async (double, streamed) => {
      const { responses } = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }));
      const params: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
        model: "gpt-6-sol",
        input: question,
        store: false,
        tools: [{ type: "function", name: "look", parameters: {}, strict: false }],
      };
      const { usage } = streamed ? await responses.stream({ ...params, stream: true }).finalResponse() : await responses.create(params);
      const { cached_tokens: read, cache_write_tokens: written } = usage?.input_tokens_details ?? {};
      return { input: usage?.input_tokens, output: usage?.output_tokens, read, written };
    },
    "AI SDK": async (double, streamed) => {
      const model = createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).chat("gpt-6-sol");
      const call = {
        model: wrapLanguageModel({ model, middleware: palimpsestMiddleware() }),
        prompt: question,
        tools: { look: tool({ inputSchema }) } as ToolSet,
      };
      const usage = streamed ? await streamText(call).usage : (await generateText(call)).usage;
      const { cacheReadTokens: read, cacheWriteTokens: written } = usage.inputTokenDetails;
      return { input: usage.inputTokens, output: usage.outputTokens, read, written };
    },
  };
  for (const [way, run] of Object.entries(ways))
    for (const streamed of [false, true])
      test(`${way}, ${streamed ? "streamed" : "whole"}`, async () => {
        const double = await startDouble({ script });
        const usage = await run(double, streamed);
        assert.equal(double.requests.length, 2);
        assert.ok(Number(usage.read) > 1_000 && Number(usage.written) > 1_000, "the cache is used");
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
