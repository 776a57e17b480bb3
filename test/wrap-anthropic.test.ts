/** The wrapper around Anthropic's own SDK, over HTTP, against a provider that refuses what the real one refuses. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { wrapAnthropic, type FrontEndEvent, type FrontEndOptions } from "../src/agent/clients/anthropic.ts";
import { reader, readerKey, readerPage, type ProviderDouble, type Script } from "../src/testing/index.ts";
import { anthropicLoop, type LoopOptions } from "./support/agents/anthropic-loop.ts";
import { BUSY_POLICY, busyAgent, runTool, TOOL_NAMES, type Deeds } from "./support/agents/busy-agent.ts";
import { startDouble } from "./support/agents/start-double.ts";

/** Whole answers differ from streamed ones in how they are read, which half as many turns show. */
const turnsOf = (streamed: boolean): number => (streamed ? 200 : 100);
/** Broken views begin at the fortieth turn. */
const BROKEN_TURNS = 60;

const SETTINGS: Readonly<Record<string, FrontEndOptions>> = {
  "tools only": {},
  "cut at ingest": { compress: { maxToolResultTokens: 120 } },
  "everything at once": {
    compress: { maxToolResultTokens: 200 },
    collapse: { collapseAfterTurns: 60, collapseMultiToolTurns: true },
    prune: { strategy: "sliding-window", maxTurns: 200 },
    budget: { inputTokenBudget: 6_000 },
  },
  "a policy": { policy: BUSY_POLICY },
  "no tools of ours": { compact: false, recall: false, budget: { inputTokenBudget: 8_000, toolResultRetentionChars: 100 } },
};

const busy: LoopOptions = { streamed: false, task: "Find the needle.", tools: TOOL_NAMES, run: runTool };

function deeds(): Deeds {
  return { compactions: 0, recalls: 0, answered: 0 };
}

function clientOf(double: ProviderDouble, more: object = {}): Anthropic {
  return new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0, ...more });
}

for (const [name, options] of Object.entries(SETTINGS)) {
  for (const streamed of [false, true]) {
    const turns = turnsOf(streamed);
    test(`${turns} turns, ${name}, ${streamed ? "streamed" : "whole"}: nothing is refused, and the client sees its own tools only`, async () => {
      const done = deeds();
      const double = await startDouble({ script: busyAgent(turns, done), windowTokens: 10_000_000 });
      const failed: FrontEndEvent[] = [];
      const client = wrapAnthropic(clientOf(double), { compact: true, ...options, onEvent: (event) => (event.type === "failed" ? failed.push(event) : 0) });
      const { text, messages } = await anthropicLoop(client, { ...busy, streamed });
      assert.equal(text, `Done after ${turns} turns.`);
      assert.deepEqual([double.rejected.map(({ rule, error }) => [rule, error]), failed], [[], []]);
      assert.doesNotMatch(JSON.stringify(messages), /"name":"(compact|recall)"|<checkpoint:/);
      if (options.compact !== false) assert.ok(done.compactions > 0.1 * turns && done.recalls > 0.075 * turns, JSON.stringify(done));
      const { calls, requests, inputTokens } = client.palimpsest.metrics();
      assert.equal(requests, double.requests.length);
      assert.ok(calls <= requests && inputTokens > 0);
    });
  }
}

/** What a broken render would send: the zero above means something only if these are refused. */
const BREAKS: Readonly<
  Record<string, { readonly rules: RegExp; readonly breaks: (messages: Anthropic.MessageParam[], turn: number) => Anthropic.MessageParam[] }>
> = {
  "a result is lost": {
    rules: /^A2\.1$/,
    breaks: (messages, turn) => (turn < 40 ? messages : messages.toSpliced(messages.length - 1, 1, { role: "user", content: "go on" })),
  },
  "a call is lost": {
    rules: /^A2\.2$/,
    breaks: (messages, turn) => (turn < 40 ? messages : messages.toSpliced(messages.length - 2, 1)),
  },
  "an old message is changed under thinking": {
    rules: /^A4\.8$/,
    breaks: (messages, turn) => (turn < 40 ? messages : messages.toSpliced(0, 1, { role: "user", content: `Something else, ${turn}.` })),
  },
  "it begins with the assistant": { rules: /^A1\.2$/, breaks: (messages, turn) => (turn < 40 ? messages : messages.slice(1)) },
};

const RECOVERS = "an old message is changed under thinking";

for (const [name, { rules, breaks }] of Object.entries(BREAKS)) {
  test(`the same loop with a broken view is refused: ${name}`, async () => {
    const double = await startDouble({ script: busyAgent(BROKEN_TURNS, deeds()), windowTokens: 10_000_000 });
    let turn = 0;
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      const body = JSON.parse(init.body as string) as { messages: Anthropic.MessageParam[] };
      return globalThis.fetch(url, { ...init, body: JSON.stringify({ ...body, messages: breaks(body.messages, turn++) }) });
    };
    const loop = anthropicLoop(wrapAnthropic(clientOf(double, { fetch })), busy);
    // Thinking that is bound elsewhere is left out, and the loop goes on.
    if (name === RECOVERS) await loop;
    else await assert.rejects(loop, Anthropic.BadRequestError);
    assert.match(double.rejected[0]?.rule ?? "", rules);
  });
}

describe("a reader, who needs what it read long ago", () => {
  const pages = 12;
  const answer = `FINAL: `;
  const read = (name: string, input: unknown): { text: string; isError: boolean } => {
    const { page, key } = input as { page: number; key?: string };
    return { text: name === "read_page" ? readerPage(page) : `The vault of page ${page} took ${key ?? ""}.`, isError: false };
  };
  const loop: LoopOptions = { streamed: false, task: "Open all vaults.", tools: ["read_page", "open_vault"], run: read };
  const finalWith = async (options: FrontEndOptions | false, streamed = false): Promise<string> => {
    const script: Script = reader({ pages, thinks: true });
    const double = await startDouble({ script });
    const { text } = await anthropicLoop(wrapAnthropic(clientOf(double), options), { ...loop, streamed });
    assert.deepEqual(
      double.rejected.map(({ error }) => error),
      [],
    );
    return text;
  };
  const cut: FrontEndOptions = { compress: { maxToolResultTokens: 200 } };

  test("reaches the same answer with and without", async () => {
    const without = await finalWith(false);
    assert.ok(without.startsWith(answer));
    for (let page = 1; page <= pages; page++) assert.ok(without.includes(readerKey(page)), without);
    assert.equal(await finalWith(cut), without);
    assert.equal(await finalWith(cut, true), without);
    assert.equal(
      await finalWith({ policy: { preset: "tight", firstSightTokens: 300, firstSightFileTokens: 300, tailTokens: 500, tailTurns: 2, horizonPercent: 1_000 } }),
      without,
    );
    assert.equal(
      await finalWith({
        policy: { preset: "tight", firstSightTokens: 0, firstSightFileTokens: 0, digestTokens: 20_000, digestTailTokens: 500, digestTailTurns: 1 },
      }),
      without,
    );
    assert.equal(await finalWith({ ...cut, budget: { inputTokenBudget: 3_000, toolResultRetentionChars: 100 } }), without);
  });

  test("does not where results are cut and nothing can be recalled", async () => {
    assert.notEqual(await finalWith({ ...cut, recall: false }), await finalWith(false));
  });
});
