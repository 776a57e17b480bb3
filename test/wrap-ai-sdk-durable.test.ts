/** Loops of the AI SDK whose middleware is another one at every call, with the bytes of a single one: as if every call had a process of its own. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel, type ToolSet } from "ai";
import { palimpsestMiddleware, type FrontEndEvent, type FrontEndOptions, type PalimpsestMiddleware } from "../src/agent/clients/ai-sdk.ts";
import { reader, readerPage, type ProviderDouble, type Script } from "../src/testing/index.ts";
import { BUSY_POLICY, busyAgent, runTool, TOOL_NAMES } from "./support/agents/busy-agent.ts";
import { restartingMiddleware } from "./support/agents/restarting-middleware.ts";
import { assertSameBodies, refusals, sentBodies } from "./support/agents/sent-bodies.ts";
import { startDouble } from "./support/agents/start-double.ts";
import { kills } from "./support/run-settings.ts";

const CALLS = 100;
/** Only where thinking is bound to what comes before it are all of them played by default. */
const callsOf = (name: string): number => (name === "anthropic" ? CALLS : Math.min(CALLS, 4 * kills()));
const folder = mkdtempSync(join(tmpdir(), "palimpsest-middleware-"));
after(() => rmSync(folder, { recursive: true }));

type Model = Parameters<typeof wrapLanguageModel>[0]["model"];
type Middleware = Omit<PalimpsestMiddleware, "palimpsest">;

const MODELS: Readonly<Record<string, (double: ProviderDouble) => Model>> = {
  anthropic: (double) => createAnthropic({ apiKey: "test", baseURL: `${double.url}/v1` })("claude-fable-5-2"),
  "openai chat": (double) => createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).chat("gpt-5.5"),
  "openai responses": (double) => createOpenAI({ apiKey: "test", baseURL: `${double.url}/v1` }).responses("gpt-6-sol"),
};
const providerOptions = { anthropic: { thinking: { type: "adaptive" } }, openai: { store: false, include: ["reasoning.encrypted_content"] } };

const inputSchema = jsonSchema<Record<string, unknown>>({ type: "object", additionalProperties: true });
const toolsThat = (names: readonly string[], execute: (name: string, input: Record<string, unknown>) => string): ToolSet =>
  Object.fromEntries(names.map((name) => [name, tool({ inputSchema, execute: (input) => execute(name, input) })]));

const busyTools = toolsThat(TOOL_NAMES, (name, input) => {
  const { text, isError } = runTool(name, input);
  if (isError) throw new Error(text);
  return text;
});
const readerTools = toolsThat(["read_page", "open_vault"], (name, { page }) => (name === "read_page" ? readerPage(Number(page)) : `opened ${Number(page)}`));

interface Loop {
  readonly script: Script;
  readonly tools: ToolSet;
  readonly streamed: boolean;
  readonly options: FrontEndOptions;
}

interface Played {
  readonly text: string;
  readonly bodies: readonly string[];
  /** What was refused, and what went wrong in the middleware. */
  readonly faults: readonly unknown[];
}

async function play(
  modelOf: (double: ProviderDouble) => Model,
  { script, tools, streamed, options }: Loop,
  make: (options: FrontEndOptions) => Middleware,
): Promise<Played> {
  const double = await startDouble({ script, windowTokens: 10_000_000, ids: "by-request" });
  const failed: FrontEndEvent[] = [];
  const onEvent = (event: FrontEndEvent): unknown => (event.type === "failed" ? failed.push(event) : 0);
  const model = wrapLanguageModel({ model: modelOf(double), middleware: make({ ...options, onEvent }) });
  const call = { model, prompt: "Do it.", tools, stopWhen: stepCountIs(2 * CALLS), maxRetries: 0, providerOptions };
  const text = streamed ? await streamText(call).text : (await generateText(call)).text;
  return { text, bodies: sentBodies(double), faults: [...refusals(double), ...failed] };
}

let stores = 0;
/** The same loop in one process, and with another one at every call. */
async function inOneAndInMany(modelOf: (double: ProviderDouble) => Model, loop: () => Loop): Promise<{ one: Played; many: Played }> {
  const store = `sqlite:${join(folder, `${stores++}.db`)}`;
  const one = await play(modelOf, loop(), palimpsestMiddleware);
  const many = await play(modelOf, loop(), (options) => restartingMiddleware(() => palimpsestMiddleware({ ...options, store })));
  return { one, many };
}

for (const [name, modelOf] of Object.entries(MODELS))
  describe(name, () => {
    const calls = callsOf(name);
    test(`${calls} calls, with thinking`, async () => {
      const { one, many } = await inOneAndInMany(modelOf, () => ({
        script: busyAgent(calls - 1, { compactions: 0, recalls: 0, answered: 0 }),
        tools: busyTools,
        streamed: true,
        options: { policy: BUSY_POLICY },
      }));
      assert.deepEqual([one.faults, many.faults], [[], []]);
      assert.deepEqual([one.text, many.text], [`Done after ${calls - 1} turns.`, one.text]);
      assertSameBodies(many.bodies, one.bodies);
    });

    test("a model that recalls what an earlier process has cut", async () => {
      const { one, many } = await inOneAndInMany(modelOf, () => ({
        script: reader({ pages: 8, thinks: true }),
        tools: readerTools,
        streamed: false,
        options: { policy: { preset: "tight", firstSightTokens: 200, firstSightFileTokens: 200 } },
      }));
      assert.deepEqual([one.faults, many.faults], [[], []]);
      const recalls = (many.bodies.at(-1) ?? "").match(/"name":"recall","(?:input|arguments)"/g) ?? [];
      assert.ok(recalls.length >= 8, `${recalls.length} recalls`);
      assert.match(many.text, /^FINAL: [0-9a-f]{8}(, [0-9a-f]{8}){7}$/);
      assertSameBodies(many.bodies, one.bodies);
    });
  });
