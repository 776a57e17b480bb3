/** The middleware and `prepareStep` with the real AI SDK, over HTTP, against a provider that refuses what the real ones refuse. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import {
  asSchema,
  generateText,
  jsonSchema,
  stepCountIs,
  streamText,
  tool,
  wrapLanguageModel,
  type LanguageModel,
  type ModelMessage,
  type PrepareStepFunction,
  type ToolSet,
} from "ai";
import { PalimpsestError } from "../src/index.ts";
import {
  palimpsestMiddleware,
  palimpsestPrepareStep,
  type FrontEndEvent,
  type FrontEndOptions,
  type PrepareStep,
  type PrepareStepOptions,
} from "../src/agent/clients/ai-sdk.ts";
import { reader, readerPage, type ProviderDouble } from "../src/testing/index.ts";
import { busyAgent, runTool, TOOL_NAMES, type Deeds } from "./support/agents/busy-agent.ts";
import { startDouble } from "./support/agents/start-double.ts";

type Model = Parameters<typeof wrapLanguageModel>[0]["model"];

/** Whole answers differ from streamed ones in how they are read, which half as many turns show. */
const turnsOf = (streamed: boolean): number => (streamed ? 200 : 100);
const MODELS: Readonly<Record<string, (double: ProviderDouble) => Model>> = {
  anthropic: (double) => createAnthropic({ apiKey: "test", baseURL: `${double.url}/v1` })("claude-fable-5-2"),
  "openai chat": (double) => createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).chat("gpt-5.5"),
  "openai responses": (double) => createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).responses("gpt-6-sol"),
};
const providerOptions = { anthropic: { thinking: { type: "adaptive" } }, openai: { store: false } } as const;

const inputSchema = jsonSchema<Record<string, unknown>>({ type: "object", additionalProperties: true });
const busyTools: ToolSet = Object.fromEntries(
  TOOL_NAMES.map((name) => [
    name,
    tool({
      inputSchema,
      execute: (input) => {
        const { text, isError } = runTool(name, input);
        if (isError) throw new Error(text);
        return text;
      },
    }),
  ]),
);
const deeds = (): Deeds => ({ compactions: 0, recalls: 0, answered: 0 });
const refusals = (double: ProviderDouble): unknown[] => double.rejected.map(({ rule, error }) => [rule, error]);

async function run(model: LanguageModel, streamed: boolean, tools: ToolSet, prompt: string, more: object = {}): Promise<string> {
  const options = { model, prompt, tools, stopWhen: stepCountIs(300), maxRetries: 0, providerOptions, ...more };
  if (!streamed) return (await generateText(options)).text;
  const result = streamText({ ...options, onError: () => undefined });
  await result.consumeStream();
  return result.text;
}

for (const [name, modelOf] of Object.entries(MODELS)) {
  for (const streamed of [false, true]) {
    const turns = turnsOf(streamed);
    test(`${turns} turns, ${name}, ${streamed ? "streamed" : "whole"}: nothing is refused, and the agent sees its own tools only`, async () => {
      const done = deeds();
      const double = await startDouble({ script: busyAgent(turns, done), windowTokens: 10_000_000 });
      const failed: FrontEndEvent[] = [];
      const middleware = palimpsestMiddleware({
        compact: true,
        compress: { maxToolResultTokens: 150 },
        budget: { inputTokenBudget: 6_000 },
        onEvent: (event) => (event.type === "failed" ? failed.push(event) : 0),
      });
      const text = await run(wrapLanguageModel({ model: modelOf(double), middleware }), streamed, busyTools, "Find the needle.");
      assert.equal(text, `Done after ${turns} turns.`);
      assert.deepEqual([refusals(double), failed], [[], []]);
      assert.ok(done.compactions > 10 && done.recalls > 8, JSON.stringify(done));
      assert.equal(middleware.palimpsest.metrics().requests, double.requests.length);
    });
  }

  describe(`${name}: a reader, who needs what it read long ago`, () => {
    const pageSchema = jsonSchema<{ page: number }>({ type: "object", properties: { page: { type: "number" } }, additionalProperties: true });
    const tools = {
      read_page: tool({ inputSchema: pageSchema, execute: ({ page }) => readerPage(page) }),
      open_vault: tool({ inputSchema: pageSchema, execute: ({ page }) => `opened ${page}` }),
    };
    const finalWith = async (options: FrontEndOptions | undefined): Promise<string> => {
      const double = await startDouble({ script: reader({ pages: 6 }) });
      const model = modelOf(double);
      const wrapped = options === undefined ? model : wrapLanguageModel({ model, middleware: palimpsestMiddleware(options) });
      const text = await run(wrapped, false, tools, "Open all vaults.");
      assert.deepEqual(refusals(double), []);
      return text;
    };
    test("reaches the same answer with and without", async () => {
      const without = await finalWith(undefined);
      assert.doesNotMatch(without, /unknown/);
      assert.equal(await finalWith({ compress: { maxToolResultTokens: 200 } }), without);
    });
    test("does not where results are cut and nothing can be recalled", async () => {
      assert.match(await finalWith({ compress: { maxToolResultTokens: 200 }, recall: false }), /unknown/);
    });
  });

  test(`${name}: prepareStep shortens what each step sends`, async () => {
    const double = await startDouble({ script: busyAgent(60, deeds()), windowTokens: 10_000_000 });
    const failed: FrontEndEvent[] = [];
    const prepareStep: PrepareStepFunction<ToolSet> = palimpsestPrepareStep({
      budget: { inputTokenBudget: 5_000, toolResultRetentionChars: 100 },
      onEvent: (event) => (event.type === "failed" ? failed.push(event) : 0),
    });
    assert.equal(await run(modelOf(double), false, busyTools, "Find the needle.", { prepareStep }), "Done after 60 turns.");
    assert.deepEqual([refusals(double), failed], [[], []]);
    const last = JSON.stringify(double.requests.at(-1)?.body);
    assert.match(last, /\[truncated for context management\]/);
    assert.match(last, /part-59/);
  });
}

describe("prepareStep.recall, in a loop whose model cannot be wrapped", () => {
  const pageSchema = jsonSchema<{ page: number }>({ type: "object", properties: { page: { type: "number" } }, additionalProperties: true });
  const tools = {
    read_page: tool({ inputSchema: pageSchema, execute: ({ page }) => readerPage(page) }),
    open_vault: tool({ inputSchema: pageSchema, execute: ({ page }) => `opened ${page}` }),
  };
  const policy = { preset: "tight", firstSightTokens: 200, firstSightFileTokens: 200 } as const;
  interface Finished {
    readonly text: string;
    readonly last: string;
    readonly calls: readonly string[];
  }
  const finish = async (
    name: string,
    options: PrepareStepOptions | undefined,
    withRecall: boolean,
    streamed = false,
    pages = 6,
    script = reader({ pages }),
  ): Promise<Finished> => {
    const double = await startDouble({ script });
    const failed: FrontEndEvent[] = [];
    const onEvent = (event: FrontEndEvent): unknown => (event.type === "failed" ? failed.push(event) : 0);
    const prepareStep = options === undefined ? undefined : palimpsestPrepareStep({ ...options, onEvent });
    const own: ToolSet = withRecall && prepareStep !== undefined ? { ...tools, recall: prepareStep.recall } : tools;
    const text = await run((MODELS[name] ?? assert.fail())(double), streamed, own, "Open all vaults.", prepareStep === undefined ? {} : { prepareStep });
    assert.deepEqual([refusals(double), failed], [[], []]);
    const last = JSON.stringify(double.requests.at(-1)?.body);
    return { text, last, calls: [...last.matchAll(/"(?:name|function)":"?(read_page|open_vault|recall)"/g)].map(([, called = ""]) => called) };
  };

  for (const name of Object.keys(MODELS)) {
    for (const streamed of [false, true])
      test(`${name}, ${streamed ? "streamed" : "whole"}: a preset cuts, the reader recalls, and reaches the same answer`, async () => {
        const without = await finish(name, undefined, false);
        assert.doesNotMatch(without.text, /unknown/);
        const recalled = await finish(name, { policy }, true, streamed);
        assert.equal(recalled.text, without.text);
        assert.match(recalled.last, /\[recall handles?: [a-z0-9]/);
        assert.ok(recalled.calls.filter((call) => call === "recall").length >= 6, recalled.calls.join(" "));
      });
    test(`${name}: where it is not taken, the presets lose nothing`, async () => {
      const { text, last } = await finish(name, { policy }, false);
      assert.equal(text, (await finish(name, undefined, false)).text);
      assert.doesNotMatch(last, /recall handle|lines cut/);
    });
    test(`${name}: unless lossy is true`, async () => {
      const { text, last } = await finish(name, { policy, lossy: true }, false);
      assert.match(text, /unknown/);
      assert.match(last, /lines cut/);
      assert.doesNotMatch(last, /recall handle/);
    });
    test(`${name}: what is asked for part by part is done as asked`, async () => {
      assert.match((await finish(name, { compress: { maxToolResultTokens: 200 } }, false)).text, /unknown/);
      assert.doesNotMatch((await finish(name, { compress: { maxToolResultTokens: 200 } }, true)).text, /unknown/);
    });
  }

  test("gives the model its schema, and tells it its mistakes in words", async () => {
    let turn = 0;
    const inputs = [{ handle: "none" }, { lines: "1" }, { handle: "none", limit: 1 }];
    const double = await startDouble({
      script: () => (turn < inputs.length ? { calls: [{ name: "recall", input: inputs[turn++] ?? {} }] } : { text: "done" }),
    });
    const prepareStep = palimpsestPrepareStep({ policy });
    assert.equal(await run((MODELS["anthropic"] ?? assert.fail())(double), false, { recall: prepareStep.recall }, "Go.", { prepareStep }), "done");
    const [declared] = (double.requests[0]?.body as { tools: { name: string; input_schema: { properties: object; required: string[] } }[] }).tools;
    assert.deepEqual([declared?.name, declared?.input_schema.required], ["recall", ["handle"]]);
    assert.deepEqual(Object.keys(declared?.input_schema.properties ?? {}), ["handle", "lines", "records", "grep", "maxTokens"]);
    const last = JSON.stringify(double.requests.at(-1)?.body);
    for (const words of ["HANDLE_UNKNOWN: ", "INVALID_INPUT: input.handle: ", "INVALID_INPUT: input.limit: "]) assert.ok(last.includes(words), words);
  });

  describe("looks in the conversation of its step, and in those that it came from", () => {
    const page = (number: number): ModelMessage[] => [
      { role: "assistant", content: [{ type: "tool-call", toolCallId: `c${number}`, toolName: "read_page", input: { page: number } }] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: `c${number}`, toolName: "read_page", output: { type: "text", value: readerPage(number) } }],
      },
    ];
    const asked = (question: string, ...pages: number[]): ModelMessage[] => [{ role: "user", content: question }, ...pages.flatMap(page)];
    const handlesIn = (messages: unknown): string[] => [...JSON.stringify(messages).matchAll(/recall handles?: ([a-z0-9]+)/g)].map(([, handle = ""]) => handle);
    const whole = (handle: string): { handle: string; maxTokens: number } => ({ handle, maxTokens: 50_000 });
    const prepared = async (): Promise<{ recall: PrepareStep["recall"]; step: (messages: ModelMessage[]) => Promise<ModelMessage[]> }> => {
      const prepareStep = palimpsestPrepareStep({ policy });
      const { recall } = prepareStep;
      const step = async (messages: ModelMessage[]): Promise<ModelMessage[]> => (await prepareStep({ messages })).messages ?? assert.fail();
      for (const question of ["A?", "B?"]) await step(asked(question));
      return { recall, step };
    };

    test("another conversation of the same object is a stranger", async () => {
      const { recall, step } = await prepared();
      const [a, b] = [await step(asked("A?", 1)), await step(asked("B?", 2))];
      const [[handle = ""], [other = ""]] = [handlesIn(a), handlesIn(b)];
      assert.equal(recall.execute(whole(handle), { messages: a }), readerPage(1));
      assert.equal(recall.execute(whole(other), { messages: b }), readerPage(2));
      assert.match(recall.execute(whole(handle), { messages: b }), /^HANDLE_UNKNOWN: /);
      assert.match(recall.execute(whole(other), { messages: a }), /^HANDLE_UNKNOWN: /);
      // Nobody says which: then none of several.
      assert.match(recall.execute(whole(handle)), /^HANDLE_UNKNOWN: /);
    });

    test("found by what was sent, with more after it; and by the messages themselves, where no step was prepared for a call", async () => {
      const { recall, step } = await prepared();
      const a = await step(asked("A?", 1));
      await step(asked("B?", 2));
      const [handle = ""] = handlesIn(a);
      for (const messages of [[...a, { role: "user", content: "callers" }], asked("A?", 1), [...asked("A?", 1), ...page(3)]])
        assert.equal(recall.execute(whole(handle), { messages }), readerPage(1));
      assert.match(recall.execute(whole(handle), { messages: asked("C?", 1) }), /^HANDLE_UNKNOWN: /);
      assert.match(recall.execute(whole(handle), { messages: [{ role: "user", content: "A?" }] }), /^HANDLE_UNKNOWN: /);
    });

    test("a branch has what it left, and what that one cut since", async () => {
      const { recall, step } = await prepared();
      const first = await step(asked("A?", 1));
      const went = await step(asked("A?", 1, 2));
      const branch = await step(asked("A?", 1, 3));
      const [handle = ""] = handlesIn(first);
      const since = handlesIn(went).at(-1) ?? "";
      assert.notEqual(since, handle);
      assert.equal(recall.execute(whole(handle), { messages: branch }), readerPage(1));
      assert.equal(recall.execute(whole(since), { messages: branch }), readerPage(2));
      assert.match(recall.execute(whole(handlesIn(branch).at(-1) ?? ""), { messages: went }), /^HANDLE_UNKNOWN: /);
    });

    test("alone in its object, it needs no messages", async () => {
      const prepareStep = palimpsestPrepareStep({ policy });
      const { recall } = prepareStep;
      assert.match(recall.execute({ handle: "none" }), /^HANDLE_UNKNOWN: /);
      await prepareStep({ messages: asked("A?") });
      const [handle = ""] = handlesIn((await prepareStep({ messages: asked("A?", 1) })).messages);
      assert.equal(recall.execute(whole(handle)), readerPage(1));
    });
  });

  test("is a tool of the AI SDK to its types, and copying prepareStep does not take it", async () => {
    const prepareStep = palimpsestPrepareStep({ policy });
    assert.deepEqual(Object.keys({ ...prepareStep }), []);
    const { recall } = prepareStep;
    const typed: ToolSet = { ...tools, recall };
    assert.equal(typed["recall"], prepareStep.recall);
    const { value } = (await asSchema(recall.inputSchema).validate?.({ handle: "x" })) as { value: { handle: string } };
    assert.deepEqual(value, { handle: "x" });
  });

  for (const [name, lossy] of Object.entries({ text: "yes", number: 1, null: null }))
    test(`a lossy that is no boolean is refused with its path: ${name}`, () => {
      const refused = (error: unknown): boolean =>
        PalimpsestError.isInstance(error) && error.code === "INVALID_OPTION" && error.data["path"] === "options.lossy";
      assert.throws(() => palimpsestPrepareStep({ policy, lossy: lossy as never }), refused);
      assert.throws(() => palimpsestMiddleware({ policy, lossy: lossy as never }), refused);
    });
});

test("a refusal as too long is rescued once, any other reaches the caller", async () => {
  const double = await startDouble({ script: () => ({ text: "done" }), windowTokens: 9_000 });
  const model = wrapLanguageModel({ model: (MODELS["anthropic"] ?? assert.fail())(double), middleware: palimpsestMiddleware() });
  const rounds = Array.from({ length: 12 }, (_, turn): ModelMessage[] => [
    { role: "user", content: `question ${turn}` },
    { role: "assistant", content: [{ type: "tool-call", toolCallId: `c${turn}`, toolName: "read", input: { turn } }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: `c${turn}`, toolName: "read", output: { type: "text", value: "long ".repeat(1_000) } }] },
    { role: "assistant", content: `answer ${turn}` },
  ]).flat();
  const ask = (content: string): Promise<{ text: string }> =>
    generateText({ model, messages: [...rounds, { role: "user", content }], maxRetries: 0, tools: { read: tool({ inputSchema }) } });
  assert.equal((await ask("and now?")).text, "done");
  assert.deepEqual(
    double.requests.map(({ status }) => status),
    [400, 200],
  );
  await assert.rejects(ask(" "), /non-whitespace|non-empty/);
});

test("thinking that is bound to another prefix is left out, and the caller hears nothing of it", async () => {
  const double = await startDouble({ script: () => ({ thinking: "hm", text: "done" }), windowTokens: 100_000 });
  const modelOf = MODELS["anthropic"] ?? assert.fail();
  const tools: ToolSet = { read: tool({ inputSchema }) };
  const more = { tools, providerOptions, maxRetries: 0 };
  const { responseMessages } = await generateText({ model: modelOf(double), prompt: "hello", ...more });
  const sent: string[] = [];
  const onEvent = (event: FrontEndEvent): unknown => event.type === "failed" && sent.push(event.sent);
  const model = wrapLanguageModel({ model: modelOf(double), middleware: palimpsestMiddleware({ onEvent }) });
  const messages: ModelMessage[] = [{ role: "user", content: "hello, in other words" }, ...responseMessages, { role: "user", content: "go on" }];
  assert.equal((await generateText({ model, messages, ...more })).text, "done");
  assert.deepEqual(sent, ["view-without-thinking"]);
});
