/** Responses that the provider keeps: clients that send all of their input again, and clients that go on from an answer by its id. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import OpenAI from "openai";
import type { FrontEndEvent, FrontEndOptions } from "../src/agent/clients/anthropic.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import { openStore } from "../src/store/open-store.ts";
import { reader, readerPage, type ProviderDouble, type SeenRequest, type Turn } from "../src/testing/index.ts";
import type { LoopOptions } from "./support/agents/anthropic-loop.ts";
import { BUSY_POLICY, busyAgent, runTool, TOOL_NAMES, type Deeds } from "./support/agents/busy-agent.ts";
import { chainedLoop } from "./support/agents/chained-loop.ts";
import { responsesLoop } from "./support/agents/responses-loop.ts";
import { startDouble } from "./support/agents/start-double.ts";

const TURNS = 50;
const busy: LoopOptions = { streamed: false, task: "Find the needle.", tools: TOOL_NAMES, run: runTool };
const clientOf = (double: ProviderDouble): OpenAI => new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 });
const refusals = (double: ProviderDouble): unknown[] => double.rejected.map(({ rule, error }) => [rule, error]);
const deeds = (): Deeds => ({ compactions: 0, recalls: 0, answered: 0 });
const readAll = (name: string, input: unknown): { text: string; isError: boolean } => {
  const { page } = input as { page: number };
  return { text: name === "read_page" ? readerPage(page) : `opened ${page}`, isError: false };
};
const vaults = { task: "Open all vaults.", tools: ["read_page", "open_vault"], run: readAll };
const POLICY: FrontEndOptions = { policy: { preset: "tight", firstSightTokens: 200, firstSightFileTokens: 200 } };

interface Sent {
  readonly previous_response_id?: string;
  readonly input: string | readonly { readonly type?: string; readonly call_id?: string; readonly output?: string }[];
  readonly tools: readonly { readonly name: string }[];
}
const sentOf = (double: ProviderDouble): Sent[] => double.requests.map(({ body }) => body as unknown as Sent);

function listening(options: FrontEndOptions): { options: FrontEndOptions; failed: FrontEndEvent[] } {
  const failed: FrontEndEvent[] = [];
  return { failed, options: { ...options, onEvent: (event) => (event.type === "failed" ? failed.push(event) : 0) } };
}

for (const streamed of [false, true]) {
  const how = streamed ? "streamed" : "whole";

  test(`${TURNS} turns that go on by previous_response_id, ${how}, with recalls alone and beside other calls: nothing is refused`, async () => {
    const done = deeds();
    const double = await startDouble({ script: busyAgent(TURNS, done), windowTokens: 10_000_000 });
    const { options, failed } = listening({ policy: BUSY_POLICY, compact: true });
    const client = wrapOpenAI(clientOf(double), options);
    const { text, answers } = await chainedLoop(client, { ...busy, streamed });
    assert.equal(text, `Done after ${TURNS} turns.`);
    assert.deepEqual([refusals(double), failed], [[], []]);
    assert.ok(done.recalls >= 5, JSON.stringify(done));
    assert.doesNotMatch(JSON.stringify(answers.map(({ output }) => output)), /"name":"(compact|recall)"/);
    const [first, ...later] = sentOf(double);
    // A summary could not reach what the provider keeps: the tool is in the first request only, which might have been one of many whole ones.
    assert.deepEqual(first?.tools.slice(0, 2).map(({ name }) => name), ["compact", "recall"]); // prettier-ignore
    const chained = later.filter(({ previous_response_id: id }) => id !== undefined);
    assert.ok(chained.length >= TURNS - 2);
    for (const { tools } of chained) assert.deepEqual(tools.map(({ name }) => name), ["recall", ...TOOL_NAMES]); // prettier-ignore
    // Only what is new is sent, and of it what is long is shortened with a handle.
    const outputs = chained.flatMap(({ input }) => (typeof input === "string" ? [] : input));
    assert.ok(outputs.every(({ type }) => type?.endsWith("_output")), JSON.stringify(outputs.find(({ type }) => type?.endsWith("_output") !== true))); // prettier-ignore
    assert.ok(outputs.filter(({ output }) => output?.includes("[recall handle")).length > 20);
    const ids = outputs.map(({ call_id: id }) => id);
    assert.equal(new Set(ids).size, ids.length, "no output is sent twice");
    // Nothing that the provider has already was edited.
    const [conversation, ...others] = client.palimpsest.conversations();
    assert.equal(others.length, 1);
    const edits = conversation?.edits() ?? [];
    assert.ok(edits.length > 20);
    for (const edit of edits) assert.ok(edit.kind === "replace-result" && edit.at.position === edit.madeAt - 1, JSON.stringify(edit));
  });

  describe(`a reader, who needs what it read long ago, ${how}`, () => {
    const finalWith = async (loop: typeof chainedLoop | typeof whole, options: FrontEndOptions | false): Promise<{ text: string; recalls: number }> => {
      let recalls = 0;
      const script = reader({ pages: 8 });
      const counted = (request: SeenRequest): Turn => {
        const turn = script(request);
        if ("calls" in turn && turn.calls?.some(({ name }) => name === "recall")) recalls++;
        return turn;
      };
      const double = await startDouble({ script: counted });
      const { text } = await loop(wrapOpenAI(clientOf(double), options), { ...vaults, streamed });
      assert.deepEqual(refusals(double), []);
      return { text, recalls };
    };
    const whole = (client: OpenAI, options: LoopOptions): Promise<{ text: string }> => responsesLoop(client, { ...options, store: true });
    for (const [name, loop] of Object.entries({ "goes on by previous_response_id": chainedLoop, "sends all of its input": whole }))
      test(`reaches the same answer with and without: a client that ${name}`, async () => {
        const without = await finalWith(loop, false);
        assert.doesNotMatch(without.text, /unknown/);
        const recalled = await finalWith(loop, POLICY);
        assert.equal(recalled.text, without.text);
        assert.ok(recalled.recalls >= 6, `${recalled.recalls} recalls`);
      });
  });
}

const tools: OpenAI.Responses.FunctionTool[] = [{ type: "function", name: "read", parameters: {}, strict: false }];
const LONG = Array.from({ length: 300 }, (_, line) => `line ${line + 1}: ${line * 7919}`).join("\n");

describe("a client that goes on by previous_response_id", () => {
  test("is told the provider's own error for an answer that was deleted, or never was, and is sent no second time", async () => {
    const double = await startDouble({ script: () => ({ text: "ok" }) });
    const { options, failed } = listening(POLICY);
    const client = wrapOpenAI(clientOf(double), options);
    const asked = client.responses.create({ model: "gpt-6-sol", input: "b", tools, previous_response_id: "resp_none" });
    await assert.rejects(asked, (error) => error instanceof OpenAI.BadRequestError && error.code === "previous_response_not_found");
    assert.equal(double.requests.length, 1);
    assert.deepEqual(double.requests[0]?.body["tools"], tools);

    const first = await client.responses.create({ model: "gpt-6-sol", input: "a", tools });
    // Another provider has not got it: to this one it is as good as deleted.
    const other = await startDouble({ script: () => ({ text: "ok" }) });
    double.close().catch(() => undefined);
    const moved = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${other.url}/v1`, maxRetries: 0 }), options);
    await assert.rejects(moved.responses.create({ model: "gpt-6-sol", input: "b", tools, previous_response_id: first.id }), {
      code: "previous_response_not_found",
    });
    assert.deepEqual([other.requests.length, failed], [1, []]);
  });

  test("is told it for a known conversation too, and can go on from an earlier answer", async () => {
    let deleted = "";
    const double = await startDouble({ script: (request) => ({ text: `answer ${request.turn}` }) });
    const fetch = (url: string, init: RequestInit): Promise<Response> => {
      const id = (JSON.parse(init.body as string) as Sent).previous_response_id;
      // The provider has dropped it since.
      const body = id === deleted && id !== "" ? (init.body as string).replace(deleted, "resp_gone") : init.body;
      return globalThis.fetch(url, { ...init, ...(body === undefined ? {} : { body }) });
    };
    const { options, failed } = listening(POLICY);
    const client = wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0, fetch: fetch as never }), options);
    const first = await client.responses.create({ model: "gpt-6-sol", input: "a", tools });
    const second = await client.responses.create({ model: "gpt-6-sol", input: "b", tools, previous_response_id: first.id });
    deleted = second.id;
    const asked = client.responses.create({ model: "gpt-6-sol", input: "c", tools, previous_response_id: second.id });
    await assert.rejects(asked, { code: "previous_response_not_found" });
    assert.equal(double.requests.length, 3);
    const third = await client.responses.create({ model: "gpt-6-sol", input: "d", tools, previous_response_id: first.id });
    assert.equal(third.status, "completed");
    assert.deepEqual(failed, []);
  });

  test("from an answer that nobody here has seen goes on as it came", async () => {
    const double = await startDouble({ script: (request) => ({ text: `answer ${request.turn}` }) });
    const first = await clientOf(double).responses.create({ model: "gpt-6-sol", input: "a", tools });
    const client = wrapOpenAI(clientOf(double), POLICY);
    await client.responses.create({ model: "gpt-6-sol", input: "b", tools, previous_response_id: first.id });
    assert.deepEqual(double.requests[1]?.body, { model: "gpt-6-sol", input: "b", tools, previous_response_id: first.id });
    await assert.rejects(client.responses.create({ model: "gpt-6-sol", input: "b", tools, conversation: "conv_1" }), OpenAI.NotFoundError);
    assert.deepEqual(double.requests.at(-1)?.body, { model: "gpt-6-sol", input: "b", tools, conversation: "conv_1" });
  });

  for (const streamed of [false, true])
    test(`has a call of ours beside its own answered with its own, and goes on from the id that it knows, ${streamed ? "streamed" : "whole"}`, async () => {
      const turns: ((request: SeenRequest) => Turn)[] = [
        () => ({ calls: [{ name: "read", input: {} }] }),
        (request) => ({ calls: [{ name: "recall", input: { handle: handleIn(request), lines: "7" } }, { name: "read", input: {} }] }), // prettier-ignore
        (request) => ({ calls: [{ name: "recall", input: { handle: handleIn(request), lines: "8" } }] }),
        () => ({ calls: [{ name: "recall", input: { handle: "none" } }] }),
        () => ({ text: "so it is" }),
        () => ({ text: "done" }),
      ];
      let turn = 0;
      const double = await startDouble({ script: (request) => (turns[turn++] ?? assert.fail("too many"))(request) });
      const { options, failed } = listening(POLICY);
      const client = wrapOpenAI(clientOf(double), options);
      const ask = async (parameters: object): Promise<OpenAI.Responses.Response> => {
        const body = { model: "gpt-6-sol", tools, ...parameters };
        return streamed ? client.responses.stream(body).finalResponse() : client.responses.create(body);
      };
      const outputs = (response: OpenAI.Responses.Response, output: string): object[] =>
        response.output.flatMap((item) => (item.type === "function_call" ? [{ type: "function_call_output", call_id: item.call_id, output }] : []));
      const first = await ask({ input: "a" });
      const second = await ask({ input: outputs(first, LONG), previous_response_id: first.id });
      assert.equal(outputs(second, "x").length, 1);
      const third = await ask({ input: outputs(second, "short"), previous_response_id: second.id });
      assert.equal(third.output_text, "so it is");
      const fourth = await ask({ input: [{ role: "user", content: "On." }], previous_response_id: third.id });
      assert.equal(fourth.output_text, "done");
      assert.deepEqual([refusals(double), failed], [[], []]);
      const sent = sentOf(double);
      const given = sent.map(({ input }) => (typeof input === "string" ? [] : input.map(({ output }) => output ?? "")));
      assert.match(given[1]?.[0] ?? "", /\[recall handle/);
      assert.match(given[2]?.[0] ?? "", /^\[lines 7-7 of 300\]\n7: line 7: /);
      assert.equal(given[2]?.[1], "short");
      assert.match(given[3]?.[0] ?? "", /^\[lines 8-8 of 300\]/);
      assert.match(given[4]?.[0] ?? "", /^HANDLE_UNKNOWN: /);
      assert.deepEqual(sent.map(({ input }) => input.length), [1, 1, 2, 1, 1, 1]); // prettier-ignore
      // Each goes on from the very last answer, whatever the client calls it.
      assert.equal(new Set(sent.slice(1).map(({ previous_response_id: id }) => id)).size, 5);
    });

  test("may go on twice from one answer, and each way has what was shortened before", async () => {
    const double = await startDouble({
      script: (request) => {
        const last = request.messages.at(-1)?.text ?? "";
        if (last === "begin") return { calls: [{ name: "read", input: {} }] };
        if (last.startsWith("ask")) return { calls: [{ name: "recall", input: { handle: handleIn(request), lines: last.slice(4) } }] };
        return { text: request.messages.at(-1)?.results.map(({ text }) => text).join() || "ok" }; // prettier-ignore
      },
    });
    const client = wrapOpenAI(clientOf(double), POLICY);
    const first = await client.responses.create({ model: "gpt-6-sol", input: "begin", tools });
    const [call] = first.output.filter((item) => item.type === "function_call");
    const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: LONG };
    const second = await client.responses.create({ model: "gpt-6-sol", input: [output], tools, previous_response_id: first.id });
    const ask = (line: number): Promise<OpenAI.Responses.Response> =>
      client.responses.create({ model: "gpt-6-sol", input: `ask ${line}`, tools, previous_response_id: second.id });
    const answers = await Promise.all([ask(3), ask(4), ask(5)]);
    assert.deepEqual(refusals(double), []);
    assert.deepEqual(
      answers.map(({ output_text: text }) => /(\d+): line/.exec(text)?.[1]),
      ["3", "4", "5"],
    );
  });

  for (const streamed of [false, true])
    test(`goes on in another process at every turn, from its store, ${streamed ? "streamed" : "whole"}`, async () => {
      const done = deeds();
      const double = await startDouble({ script: busyAgent(20, done), windowTokens: 10_000_000 });
      const store = await openStore("memory");
      const { options, failed } = listening({ policy: BUSY_POLICY, store });
      const client = wrapOpenAI(clientOf(double), options);
      const { text } = await chainedLoop(client, { ...busy, streamed, between: () => wrapOpenAI(clientOf(double), options) });
      assert.equal(text, "Done after 20 turns.");
      assert.deepEqual([refusals(double), failed], [[], []]);
      const alone = await startDouble({ script: busyAgent(20, deeds()), windowTokens: 10_000_000 });
      await chainedLoop(wrapOpenAI(clientOf(alone), { policy: BUSY_POLICY }), { ...busy, streamed });
      const plain = (each: ProviderDouble): unknown[] => sentOf(each).map(({ input }) => JSON.stringify(input).replaceAll(/call_[0-9a-z]+/g, "call"));
      assert.deepEqual(plain(double), plain(alone));
    });

  test("what a hidden round has sent is not shortened after it", async () => {
    const double = await startDouble({ script: busyAgent(TURNS, deeds()), windowTokens: 10_000_000 });
    const client = wrapOpenAI(clientOf(double), { compress: { maxToolResultTokens: 150 }, budget: { inputTokenBudget: 3_000 } });
    await chainedLoop(client, busy);
    const edits = client.palimpsest.conversations()[0]?.edits() ?? [];
    assert.ok(edits.length > 20);
    for (const edit of edits) assert.ok(edit.kind === "replace-result" && edit.at.position === edit.madeAt - 1, JSON.stringify(edit));
  });

  test("changes to one that sends all of it again, and what was shortened stays so", async () => {
    const double = await startDouble({ script: (request) => (request.turn === 0 ? { calls: [{ name: "read", input: {} }] } : { text: "ok" }) });
    const client = wrapOpenAI(clientOf(double), POLICY);
    const first = await client.responses.create({ model: "gpt-6-sol", input: "a", tools });
    const [call] = first.output.filter((item) => item.type === "function_call");
    const output = { type: "function_call_output" as const, call_id: call?.call_id ?? "", output: LONG };
    const second = await client.responses.create({ model: "gpt-6-sol", input: [output], tools, previous_response_id: first.id });
    const whole: OpenAI.Responses.ResponseInput = [{ role: "user", content: "a" }, ...first.output, output, ...second.output, { role: "user", content: "On." }] as never; // prettier-ignore
    await client.responses.create({ model: "gpt-6-sol", input: whole, tools });
    const [, chained, last] = sentOf(double).map(({ input }) => input as readonly { output?: string }[]);
    assert.deepEqual(refusals(double), []);
    assert.equal(last?.find((item) => item.output !== undefined)?.output, chained?.[0]?.output);
    assert.equal(client.palimpsest.conversations().length, 1);
  });
});

function handleIn(request: SeenRequest): string {
  return /\[recall handles?: (\w+)/.exec(JSON.stringify(request.messages))?.[1] ?? "none";
}
