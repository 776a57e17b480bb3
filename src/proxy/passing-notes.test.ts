/** Clients that put a note at the end of each request, such as the time or open files, and take it back with the next. */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import OpenAI from "openai";
import { startDouble } from "../../test/support/agents/start-double.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import { openStore } from "../store/open-store.ts";
import type { ProviderDouble, Script } from "../testing/index.ts";

const ROUNDS = 60;
const RESTARTED = 50;
const pageOf = (number: number): string =>
  Array.from({ length: 240 }, (_, line) => `page ${number}, line ${line}: value_${(line * 7919 + number * 31) % 1_000}`).join("\n");

/** Reads one page after the other. The id of the last call says which one is next, also where a digest hides the others. */
const reading: Script = ({ messages }) => {
  const ids = messages.flatMap(({ results }) => results.map(({ callId }) => callId));
  const next = Math.max(0, ...ids.map((id) => Number(/call_number_(\d+)/.exec(id)?.[1] ?? -1) + 1));
  return next === ROUNDS ? { text: "Done." } : { calls: [{ name: "read", input: { page: next }, id: `call_number_${String(next).padStart(4, "0")}` }] };
};

const openAi = (base: string): OpenAI => new OpenAI({ apiKey: "key", baseURL: `${base}/v1`, maxRetries: 0 });
type Loop = (base: () => string, afterRound: (round: number) => Promise<void>) => Promise<void>;

const SCHEMA = { type: "object", properties: { page: { type: "integer" } } } as const;

/** `isBeside`: the note is in the message with the results, not one of its own. */
const messagesLoop =
  (isBeside: boolean): Loop =>
  async (base, afterRound) => {
    const kept: Anthropic.MessageParam[] = [{ role: "user", content: "Read all pages." }];
    for (let round = 0; ; round++) {
      const note = { type: "text" as const, text: `Note ${round}` };
      const last = kept.at(-1);
      const beside = isBeside && Array.isArray(last?.content) ? last.content : undefined;
      const sent: Anthropic.MessageParam[] =
        beside === undefined ? [...kept, { role: "user", content: [note] }] : [...kept.slice(0, -1), { role: "user", content: [...beside, note] }];
      const { content } = await new Anthropic({ apiKey: "key", baseURL: base(), maxRetries: 0 }).messages.create({
        model: "claude-opus-4-5",
        max_tokens: 100,
        tools: [{ name: "read", input_schema: SCHEMA }],
        messages: sent,
      });
      const results = content.flatMap((block) =>
        block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: pageOf(round) }] : [],
      );
      if (results.length === 0) return;
      kept.push({ role: "assistant", content }, { role: "user", content: results });
      await afterRound(round);
    }
  };

const chatLoop: Loop = async (base, afterRound) => {
  const kept: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Read all pages." }];
  for (let round = 0; ; round++) {
    const { choices } = await openAi(base()).chat.completions.create({
      model: "gpt-5.2",
      tools: [{ type: "function", function: { name: "read", parameters: SCHEMA } }],
      messages: [...kept, { role: "user", content: `Note ${round}` }],
    });
    const message = choices[0]?.message;
    if (message?.tool_calls === undefined) return;
    kept.push(message, ...message.tool_calls.map(({ id }) => ({ role: "tool" as const, tool_call_id: id, content: pageOf(round) })));
    await afterRound(round);
  }
};

const responsesLoop: Loop = async (base, afterRound) => {
  const kept: OpenAI.Responses.ResponseInputItem[] = [{ role: "user", content: "Read all pages." }];
  for (let round = 0; ; round++) {
    const { output } = await openAi(base()).responses.create({
      model: "gpt-5.2",
      store: false,
      tools: [{ type: "function", name: "read", parameters: SCHEMA, strict: false }],
      input: [...kept, { role: "developer", content: `Note ${round}` }],
    });
    const outputs = output.flatMap((item) =>
      item.type === "function_call" ? [{ type: "function_call_output" as const, call_id: item.call_id, output: pageOf(round) }] : [],
    );
    if (outputs.length === 0) return;
    kept.push(...(output as OpenAI.Responses.ResponseInputItem[]), ...outputs);
    await afterRound(round);
  }
};

const notRead = ({ requests }: ProviderDouble): number =>
  requests.reduce((sum, { counts }) => sum + (counts === undefined ? 0 : counts.uncached + counts.cacheWrite5m), 0);
/** What the model read, where a token from the cache costs a tenth. */
const billed = ({ requests }: ProviderDouble): number =>
  requests.reduce((sum, { counts }) => sum + (counts === undefined ? 0 : counts.uncached + 0.1 * counts.cacheRead), 0);
const sentBytes = ({ requests }: ProviderDouble): number => requests.reduce((sum, { raw }) => sum + raw.length, 0);

describe("a note at the end of each request that is taken back with the next", () => {
  const rows: readonly [api: string, loop: Loop, count: (double: ProviderDouble) => number, most: number][] = [
    // Without us, nothing is cached: the client sets no markers.
    ["Messages, in a message of its own", messagesLoop(false), notRead, 0.2],
    ["Messages, beside the results", messagesLoop(true), notRead, 0.2],
    // A digest now and then costs less than it saves. One at every call would cost twice as much as no digest.
    ["Chat", chatLoop, billed, 1],
    ["Responses", responsesLoop, billed, 1],
  ];
  for (const [api, loop, count, most] of rows) {
    for (const restarts of count === billed ? [false, true] : [false]) {
      it(`${api}${restarts ? ", restarted in the middle" : ""}: the cache is read as far as it was, and no digest is made again`, async () => {
        const alone = await startDouble({ script: reading, windowTokens: 10_000_000 });
        await loop(
          () => alone.url,
          () => Promise.resolve(),
        );
        const double = await startDouble({ script: reading, windowTokens: 10_000_000 });
        const store = await openStore("memory");
        let { url, proxy } = await startProxy(double.url, { store });
        await loop(
          () => url,
          async (round) => {
            if (!restarts || round !== RESTARTED) return;
            await proxy.close();
            ({ url, proxy } = await startProxy(double.url, { store }));
          },
        );
        assert.deepEqual(double.rejected, []);
        const ratio = count(double) / count(alone);
        assert.ok(ratio <= most, `${ratio.toFixed(2)} times as much as without us`);
        if (count === billed) assert.ok(sentBytes(double) < sentBytes(alone) * 0.9, "it is shortened");
      });
    }
  }
});
