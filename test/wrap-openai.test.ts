/** The wrapper around OpenAI's own SDK, over HTTP, against a provider that refuses what the real one refuses. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import OpenAI from "openai";
import type { FrontEndEvent, FrontEndOptions } from "../src/agent/clients/anthropic.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import { PalimpsestError } from "../src/index.ts";
import { reader, readerPage, type ProviderDouble } from "../src/testing/index.ts";
import type { LoopOptions } from "./support/agents/anthropic-loop.ts";
import { BUSY_POLICY, busyAgent, runTool, TOOL_NAMES, type Deeds } from "./support/agents/busy-agent.ts";
import { chatLoop } from "./support/agents/chat-loop.ts";
import { responsesLoop } from "./support/agents/responses-loop.ts";
import { startDouble } from "./support/agents/start-double.ts";

/** Whole answers differ from streamed ones in how they are read, which half as many turns show. */
const turnsOf = (streamed: boolean): number => (streamed ? 200 : 100);
const LOOPS = { "chat completions": chatLoop, responses: responsesLoop } as const;
const SETTINGS: Readonly<Record<string, FrontEndOptions>> = {
  "a policy": { policy: BUSY_POLICY },
  "everything at once": {
    compress: { maxToolResultTokens: 150 },
    collapse: { collapseAfterTurns: 60, collapseMultiToolTurns: true },
    prune: { strategy: "summarize", maxTurns: 150 },
    budget: { inputTokenBudget: 6_000 },
  },
};

const busy: LoopOptions = { streamed: false, task: "Find the needle.", tools: TOOL_NAMES, run: runTool };
const clientOf = (double: ProviderDouble, more: object = {}): OpenAI => new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0, ...more });
const refusals = (double: ProviderDouble): unknown[] => double.rejected.map(({ rule, error }) => [rule, error]);
const deeds = (): Deeds => ({ compactions: 0, recalls: 0, answered: 0 });

for (const [api, loop] of Object.entries(LOOPS)) {
  for (const [name, options] of Object.entries(SETTINGS)) {
    for (const streamed of [false, true]) {
      const turns = turnsOf(streamed);
      test(`${turns} turns, ${api}, ${name}, ${streamed ? "streamed" : "whole"}: nothing is refused, and the client sees its own tools only`, async () => {
        const done = deeds();
        const double = await startDouble({ script: busyAgent(turns, done), windowTokens: 10_000_000 });
        const failed: FrontEndEvent[] = [];
        const client = wrapOpenAI(clientOf(double), { compact: true, ...options, onEvent: (event) => (event.type === "failed" ? failed.push(event) : 0) });
        const { text, messages } = await loop(client, { ...busy, streamed });
        assert.equal(text, `Done after ${turns} turns.`);
        assert.deepEqual([refusals(double), failed], [[], []]);
        assert.doesNotMatch(JSON.stringify(messages), /"name":"(compact|recall)"|<checkpoint:/);
        assert.ok(done.compactions > 0.1 * turns && done.recalls > 0.075 * turns, JSON.stringify(done));
        const { requests, inputTokens, dollars } = client.palimpsest.metrics();
        assert.ok(requests === double.requests.length && inputTokens > 0 && dollars > 0);
      });
    }
  }

  test(`${api}: the same loop with a broken view is refused`, async () => {
    const double = await startDouble({ script: busyAgent(60, deeds()), windowTokens: 10_000_000 });
    let turn = 0;
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      const body = JSON.parse(init.body as string) as Record<string, unknown[]>;
      const field = "input" in body ? "input" : "messages";
      const messages = body[field] ?? [];
      // The results of the last round are lost.
      const cut = turn++ < 40 ? messages : messages.filter((_, number) => number < messages.length - 4);
      return globalThis.fetch(url, { ...init, body: JSON.stringify({ ...body, [field]: cut }) });
    };
    await assert.rejects(loop(wrapOpenAI(clientOf(double, { fetch })), busy), OpenAI.BadRequestError);
    assert.match(double.rejected[0]?.rule ?? "", /^(B1|B2|C1|C2|C3)$/);
  });

  describe(`${api}: a reader, who needs what it read long ago`, () => {
    const run = (name: string, input: unknown): { text: string; isError: boolean } => {
      const { page } = input as { page: number };
      return { text: name === "read_page" ? readerPage(page) : `opened ${page}`, isError: false };
    };
    const finalWith = async (options: FrontEndOptions | false, streamed = false): Promise<string> => {
      const double = await startDouble({ script: reader({ pages: 8 }) });
      const { text } = await loop(wrapOpenAI(clientOf(double), options), {
        streamed,
        task: "Open all vaults.",
        tools: ["read_page", "open_vault"],
        run,
      });
      assert.deepEqual(refusals(double), []);
      return text;
    };
    const cut: FrontEndOptions = { compress: { maxToolResultTokens: 200 } };

    test("reaches the same answer with and without", async () => {
      const without = await finalWith(false);
      assert.doesNotMatch(without, /unknown/);
      assert.equal(await finalWith(cut), without);
      assert.equal(await finalWith(cut, true), without);
    });
    test("does not where results are cut and nothing can be recalled", async () => {
      assert.match(await finalWith({ ...cut, recall: false }), /unknown/);
    });
  });
}

test("false: the client itself", () => {
  const client = new OpenAI({ apiKey: "test" });
  assert.equal(wrapOpenAI(client, false), client);
});

test("not a client", () => {
  for (const wrong of [undefined, {}, OpenAI, { withOptions: (): void => undefined }])
    assert.throws(
      () => wrapOpenAI(wrong as object),
      (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT" && error.data["path"] === "client",
    );
});

test("a request that is too long is shortened and sent once more", async () => {
  const double = await startDouble({ script: () => ({ text: "done" }), windowTokens: 12_000 });
  const client = wrapOpenAI(clientOf(double));
  const rounds = Array.from({ length: 20 }, (_, turn): OpenAI.ChatCompletionMessageParam[] => [
    { role: "user", content: `question ${turn}` },
    { role: "assistant", content: null, tool_calls: [{ id: `call_${turn}`, type: "function", function: { name: "read", arguments: "{}" } }] },
    { role: "tool", tool_call_id: `call_${turn}`, content: "long ".repeat(1_000) },
    { role: "assistant", content: `answer ${turn}` },
  ]).flat();
  const { choices } = await client.chat.completions.create({ model: "gpt-5.5", messages: [...rounds, { role: "user", content: "and now?" }] });
  assert.equal(choices[0]?.message.content, "done");
  assert.deepEqual(
    double.requests.map(({ status }) => status),
    [400, 200],
  );
});

test("other requests of the client go on as they are", async () => {
  const double = await startDouble({ script: () => ({ text: "done" }) });
  await assert.rejects(wrapOpenAI(clientOf(double)).embeddings.create({ model: "text-embedding-3-small", input: "a" }), OpenAI.NotFoundError);
});
