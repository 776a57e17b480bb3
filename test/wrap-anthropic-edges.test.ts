/** What a client may do besides a plain loop, and what may go wrong on the way. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { wrapAnthropic, type FrontEndEvent, type FrontEndOptions, type Palimpsest } from "../src/agent/clients/anthropic.ts";
import { PalimpsestError } from "../src/index.ts";
import { type ProviderDouble, type RecordedRequest, type Script, type Turn } from "../src/testing/index.ts";
import { startDouble } from "./support/agents/start-double.ts";

const TOOL: Anthropic.Tool = { name: "read", description: "Reads.", input_schema: { type: "object" } };
const parameters = (messages: Anthropic.MessageParam[], more: object = {}): Anthropic.MessageCreateParamsNonStreaming => ({
  model: "claude-fable-5-2",
  max_tokens: 100,
  messages,
  tools: [TOOL],
  thinking: { type: "adaptive" },
  ...more,
});
const user = (content: string): Anthropic.MessageParam => ({ role: "user", content });

interface Setting {
  readonly double: ProviderDouble;
  readonly client: Anthropic & Palimpsest;
  readonly events: FrontEndEvent[];
}

async function withDouble(script: Script, run: (setting: Setting) => Promise<void>, options: FrontEndOptions = {}, more: object = {}): Promise<void> {
  const double = await startDouble({ script, windowTokens: 10_000_000, ...more });
  const events: FrontEndEvent[] = [];
  const base = new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 2 });
  await run({ double, client: wrapAnthropic(base, { compact: true, ...options, onEvent: (event) => void events.push(event) }), events });
}

const bodyOf = (request: RecordedRequest | undefined): Anthropic.MessageCreateParams => request?.body as unknown as Anthropic.MessageCreateParams;
const toolNames = (request: RecordedRequest | undefined): string[] => (bodyOf(request).tools ?? []).map((tool) => ("name" in tool ? tool.name : "?"));
const refusals = (double: ProviderDouble): unknown[] => double.rejected.map(({ rule, error }) => [rule, error]);
const echo: Script = (request) => ({ thinking: "hm", text: `answer ${request.turn}` });
const checkpointsIn = (request: { body: unknown }): string[] =>
  [...JSON.stringify(request.body).matchAll(/<checkpoint:([a-z0-9]{6})>/g)].map(([, id]) => id ?? "");

test("false: the client itself", () => {
  const client = new Anthropic({ apiKey: "test" });
  assert.equal(wrapAnthropic(client, false), client);
});

for (const [name, wrong] of Object.entries({
  nothing: undefined,
  "an object": {},
  "the class": Anthropic,
  "another client": { withOptions: 1, messages: {} },
})) {
  test(`not a client: ${name}`, () => {
    assert.throws(
      () => wrapAnthropic(wrong as object),
      (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_INPUT" && error.data["path"] === "client",
    );
  });
}

test("an unknown option is refused", () => {
  assert.throws(
    () => wrapAnthropic(new Anthropic({ apiKey: "test" }), { compat: true } as object),
    (error) => PalimpsestError.isInstance(error) && error.code === "INVALID_OPTION",
  );
});

describe("tools of ours", () => {
  test("come with the first request, before the client's, and stay the same", () =>
    withDouble(echo, async ({ double, client }) => {
      const messages = [user("a")];
      for (let turn = 0; turn < 3; turn++) {
        messages.push({ role: "assistant", content: (await client.messages.create(parameters(messages))).content }, user(`more ${turn}`));
      }
      assert.deepEqual(double.requests.map(toolNames), [
        ["compact", "recall", "read"],
        ["compact", "recall", "read"],
        ["compact", "recall", "read"],
      ]);
      assert.deepEqual(refusals(double), []);
    }));
  test("never come later: a conversation that is first seen in its middle goes without", () =>
    withDouble(echo, async ({ double, client }) => {
      const messages = [user("a"), { role: "assistant", content: "b" } as const, user("c")];
      await client.messages.create(parameters(messages));
      await client.messages.create(parameters([...messages, { role: "assistant", content: "answer 0" }, user("d")]));
      assert.deepEqual(double.requests.map(toolNames), [["read"], ["read"]]);
      assert.doesNotMatch(JSON.stringify(double.requests.map(({ body }) => body)), /checkpoint/);
    }));
  test("not for a conversation without tools", () =>
    withDouble(echo, async ({ double, client }) => {
      await client.messages.create(parameters([user("a")], { tools: [] }));
      assert.deepEqual(toolNames(double.requests[0]), []);
      assert.deepEqual(bodyOf(double.requests[0]).messages, [user("a")]);
    }));
  test("not where the client has one of that name", () =>
    withDouble(echo, async ({ double, client }) => {
      await client.messages.create(parameters([user("a")], { tools: [{ ...TOOL, name: "compact" }] }));
      assert.deepEqual(toolNames(double.requests[0]), ["recall", "compact"]);
    }));
  test("each can be switched off", () =>
    withDouble(
      echo,
      async ({ double, client }) => {
        await client.messages.create(parameters([user("a")]));
        assert.deepEqual(toolNames(double.requests[0]), ["read"]);
        assert.deepEqual(bodyOf(double.requests[0]).messages, [user("a")]);
      },
      { compact: false, recall: false, cache: false },
    ));
});

describe("which conversation", () => {
  test("two at the same time, with the same beginning, do not mix", () =>
    withDouble(
      (request) => ({ thinking: "hm", text: `echo ${request.messages.findLast(({ role }) => role === "user")?.text.replaceAll(/\s*<[^>]*>/g, "") ?? ""}` }),
      async ({ double, client }) => {
        const run = async (name: string): Promise<string[]> => {
          const messages = [user("the same start")];
          const said: string[] = [];
          for (let turn = 0; turn < 6; turn++) {
            const { content } = await client.messages.create(parameters(messages));
            said.push(content.map((block) => (block.type === "text" ? block.text : "")).join(""));
            messages.push({ role: "assistant", content }, user(`${name} ${turn}`));
          }
          return said;
        };
        const [a, b] = await Promise.all([run("a"), run("b")]);
        assert.deepEqual(a, ["echo the same start", "echo a 0", "echo a 1", "echo a 2", "echo a 3", "echo a 4"]);
        assert.deepEqual(b, ["echo the same start", "echo b 0", "echo b 1", "echo b 2", "echo b 3", "echo b 4"]);
        assert.deepEqual(refusals(double), []);
        for (const { body } of double.requests) assert.doesNotMatch(JSON.stringify(body), /echo a[^]*echo b|echo b[^]*echo a/);
      },
    ));
  test("a client that goes back and says something else goes on from there", () =>
    withDouble(echo, async ({ double, client }) => {
      const messages = [user("a")];
      for (let turn = 0; turn < 3; turn++) {
        messages.push({ role: "assistant", content: (await client.messages.create(parameters(messages))).content }, user(`more ${turn}`));
      }
      const back = [...messages.slice(0, 4), user("something else")];
      await client.messages.create(parameters(back));
      await client.messages.create(parameters(messages));
      assert.deepEqual(refusals(double), []);
      const last = JSON.stringify(double.requests.map(({ body }) => body).slice(-2));
      assert.match(last, /something else/);
      assert.match(last, /more 2/);
    }));
  test("thinking that the client leaves out is still there", () =>
    withDouble(echo, async ({ double, client }) => {
      const first = await client.messages.create(parameters([user("a")]));
      const spoken = first.content.filter((block) => block.type === "text");
      await client.messages.create(parameters([user("a"), { role: "assistant", content: spoken }, user("b")]));
      assert.match(JSON.stringify(double.requests[1]?.body), /"thinking":"hm"/);
      assert.deepEqual(refusals(double), []);
    }));
  test("the same words were said twice, once with thinking: a client that sends it keeps it, however often it goes on from there", () =>
    withDouble(
      ({ turn }) => (turn === 1 ? { thinking: "hm", text: "Done." } : { text: "Done." }),
      async ({ double, client }) => {
        await client.messages.create(parameters([user("a")]));
        const { content } = await client.messages.create(parameters([user("a")]));
        for (const next of ["b", "c"]) {
          await client.messages.create(parameters([user("a"), { role: "assistant", content }, user(next)]));
          assert.match(JSON.stringify(double.requests.at(-1)?.body), /"thinking":"hm"/, next);
        }
        assert.deepEqual(refusals(double), []);
      },
    ));
  test("memory is limited: the least recently used are forgotten, and go on without what only we knew", () =>
    withDouble(
      echo,
      async ({ double, client }) => {
        const long = `a ${"long ".repeat(150_000)}`;
        const first = await client.messages.create(parameters([user(long)]));
        await client.messages.create(parameters([user(`b ${"long ".repeat(150_000)}`)]));
        assert.deepEqual(
          client.palimpsest.conversations().map(({ title }) => title.slice(0, 1)),
          ["b"],
        );
        await client.messages.create(parameters([user(long), { role: "assistant", content: first.content }, user("c")]));
        assert.deepEqual(refusals(double), []);
      },
      { maxMemoryMb: 1 },
    ));
});

describe("cache markers", () => {
  const marker = { cache_control: { type: "ephemeral" } } as const;
  const countMarkers = (request: RecordedRequest | undefined): number => JSON.stringify(request?.body).split('"cache_control"').length - 1;
  test("never more than four, with all of the client's", () =>
    withDouble(echo, async ({ double, client }) => {
      const marked = (text: string): Anthropic.MessageParam => ({ role: "user", content: [{ type: "text", text, ...marker }] });
      const messages: Anthropic.MessageParam[] = [marked("a"), { role: "assistant", content: "b" }, marked("c")];
      const system = [{ type: "text", text: "Be brief.", ...marker }];
      await client.messages.create(parameters(messages, { system, tools: [{ ...TOOL, ...marker }] }));
      assert.deepEqual([countMarkers(double.requests[0]), refusals(double)], [4, []]);
    }));
  test("a marker that moves does not make it another conversation", () =>
    withDouble(echo, async ({ double, client }) => {
      const messages: Anthropic.MessageParam[] = [];
      for (let turn = 0; turn < 4; turn++) {
        const text = { type: "text", text: `part ${turn}` } as const;
        const { content } = await client.messages.create(parameters([...messages, { role: "user", content: [{ ...text, ...marker }] }]));
        messages.push({ role: "user", content: [text] }, { role: "assistant", content });
      }
      assert.deepEqual(refusals(double), []);
      assert.equal(new Set(double.requests.map(({ body }) => checkpointsIn({ body })[0])).size, 1);
    }));
  test("what one request writes, the next one reads", () =>
    withDouble(echo, async ({ double, client }) => {
      const messages = [user("x".repeat(8_000))];
      for (let turn = 0; turn < 3; turn++) {
        messages.push({ role: "assistant", content: (await client.messages.create(parameters(messages))).content }, user("more"));
      }
      const read = double.requests.map(({ counts }) => counts?.cacheRead ?? 0);
      assert.ok(read[0] === 0 && (read[1] ?? 0) > 1_500 && (read[2] ?? 0) >= (read[1] ?? 0), JSON.stringify(read));
      const { cacheReadTokens, dollars, dollarsSaved } = client.palimpsest.metrics();
      assert.ok(cacheReadTokens > 3_000 && dollars > 0 && Number.isFinite(dollarsSaved));
    }));
});

describe("when the provider fails", () => {
  const compactThen = (after: Turn): Script => {
    let calls = 0;
    return (request) => (calls++ === 0 ? { calls: [{ name: "compact", input: { replacements: [{ to: checkpointsIn(request)[0], summary: "s" }] } }] } : after);
  };
  test("the SDK tries again, and the thread has everything once", () =>
    withDouble(echo, async ({ double, client }) => {
      double.failNext(529, 2);
      const { content } = await client.messages.create(parameters([user("a")]));
      await client.messages.create(parameters([user("a"), { role: "assistant", content }, user("b")]));
      const { messages } = bodyOf(double.requests.at(-1));
      assert.equal(JSON.stringify(messages).split("checkpoint:").length - 1, 2);
      assert.deepEqual(refusals(double), []);
    }));
  test("also between hidden rounds", () =>
    withDouble(compactThen({ text: "done" }), async ({ double, client }) => {
      const original = double.requests.length;
      const promise = client.messages.create(parameters([user("a")]));
      const { content } = await promise;
      assert.deepEqual(content, [{ type: "text", text: "done" }]);
      assert.equal(double.requests.length - original, 2);
      double.failNext(500);
      await client.messages.create(parameters([user("a"), { role: "assistant", content }, user("b")]));
      assert.deepEqual(refusals(double), []);
    }));
  test("a refusal between hidden rounds of a stream is an error of the SDK's, in the provider's words", async () => {
    let calls = 0;
    let fail = (): void => undefined;
    const script: Script = (request) => {
      if (calls++ > 0) return { text: "done" };
      fail();
      return { calls: [{ name: "compact", input: { replacements: [{ to: checkpointsIn(request)[0], summary: "s" }] } }] };
    };
    await withDouble(script, async ({ double, client }) => {
      fail = () => double.failNext(529);
      await assert.rejects(
        client.messages.stream(parameters([user("a")])).finalMessage(),
        (error) => error instanceof Anthropic.APIError && /overloaded/i.test(error.message),
      );
    });
  });
  for (const fault of ["reset", "half-event", "error-event"] as const) {
    test(`a stream that ends with ${fault} is an error for the client, and the next try works`, () =>
      withDouble(echo, async ({ double, client }) => {
        double.failNext(fault);
        await assert.rejects(client.messages.stream(parameters([user("a")]), { maxRetries: 0 }).finalMessage());
        const message = await client.messages.stream(parameters([user("a")])).finalMessage();
        assert.equal(message.content.at(-1)?.type, "text");
        assert.deepEqual(refusals(double), []);
      }));
  }
  test("a hang ends when the client gives up", () =>
    withDouble(echo, async ({ double, client }) => {
      double.failNext("hang");
      await assert.rejects(client.messages.create(parameters([user("a")]), { maxRetries: 0, timeout: 200 }), Anthropic.APIConnectionTimeoutError);
      await client.messages.create(parameters([user("a")]));
      assert.deepEqual(refusals(double), []);
    }));
  for (const streamed of [false, true])
    test(`thinking that is bound to another prefix is left out, and the client hears nothing of it${streamed ? ", streamed" : ""}`, () =>
      withDouble(echo, async ({ double, client, events }) => {
        const elsewhere = new Anthropic({ apiKey: "test", baseURL: double.url });
        const { content } = await elsewhere.messages.create(parameters([user("hello")]));
        const messages = [user("hello, in other words"), { role: "assistant" as const, content }, user("go on")];
        const answer = await (streamed ? client.messages.stream(parameters(messages)).finalMessage() : client.messages.create(parameters(messages)));
        assert.equal(answer.content.at(-1)?.type, "text");
        assert.deepEqual(
          double.requests.map(({ status }) => status),
          [200, 400, 200],
        );
        assert.deepEqual(
          events.flatMap((event) => (event.type === "failed" ? [event.sent] : [])),
          ["view-without-thinking"],
        );
      }));
  test("what it refuses, the client is told", () =>
    withDouble(echo, async ({ client }) => {
      await assert.rejects(client.messages.create(parameters([user("")])), /text content blocks must be non-empty|non-empty content/);
    }));
});

describe("a request that is too long", () => {
  const long = (turns: number): Anthropic.MessageParam[] =>
    Array.from({ length: turns }, (_, turn): Anthropic.MessageParam[] => [
      user(`question ${turn}`),
      { role: "assistant", content: [{ type: "tool_use", id: `toolu_${turn}`, name: "read", input: { turn } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${turn}`, content: "long ".repeat(1_000) }] },
      { role: "assistant", content: `answer ${turn}` },
    ]).flat();
  test("is shortened and sent once more", () =>
    withDouble(
      echo,
      async ({ double, client, events }) => {
        const { content } = await client.messages.create(parameters([...long(20), user("and now?")]));
        assert.equal(content.at(-1)?.type, "text");
        assert.deepEqual(
          double.requests.map(({ status }) => status),
          [400, 200],
        );
        assert.ok(events.some(({ type }) => type === "rescued"));
        assert.match(JSON.stringify(double.requests[1]?.body), /and now\?/);
      },
      {},
      { windowTokens: 12_000 },
    ));
  test("once only", () =>
    withDouble(
      echo,
      async ({ double, client }) => {
        await assert.rejects(client.messages.create(parameters([user("x ".repeat(20_000))])), /prompt is too long/);
        assert.ok(double.requests.length <= 2);
      },
      {},
      { windowTokens: 1_000 },
    ));
  test("not if that is switched off", () =>
    withDouble(
      echo,
      async ({ double, client }) => {
        await assert.rejects(client.messages.create(parameters([...long(20), user("and now?")])), /prompt is too long/);
        assert.equal(double.requests.length, 1);
      },
      { rescue: false },
      { windowTokens: 12_000 },
    ));
});

describe("other ways of the SDK", () => {
  test("count_tokens goes on as it is", () =>
    withDouble(echo, async ({ double, client }) => {
      const { input_tokens } = await client.messages.countTokens({ model: "claude-fable-5-2", messages: [user("a")], tools: [TOOL] });
      assert.ok(input_tokens > 0);
      assert.deepEqual(toolNames(double.requests[0]), ["read"]);
    }));
  test("the tool runner", () =>
    withDouble(
      (request) => {
        const ids = checkpointsIn(request);
        if (request.turn === 2) return { calls: [{ name: "compact", input: { replacements: [{ from: ids[0], to: ids[1], summary: "Read it." }] } }] };
        return request.turn < 5 ? { thinking: "hm", calls: [{ name: "read", input: { turn: request.turn } }] } : { text: "The end." };
      },
      async ({ double, client }) => {
        const ran: unknown[] = [];
        const runner = client.beta.messages.toolRunner({
          model: "claude-fable-5-2",
          max_tokens: 100,
          messages: [{ role: "user", content: "Go." }],
          tools: [
            {
              ...TOOL,
              type: "custom",
              input_schema: { type: "object" },
              parse: (input: unknown) => input,
              run: (input: unknown) => {
                ran.push(input);
                return "read";
              },
            },
          ],
        });
        const message = await runner;
        assert.deepEqual([message.content.at(-1), ran.length, refusals(double)], [{ type: "text", text: "The end." }, 4, []]);
        assert.match(JSON.stringify(double.requests.at(-1)?.body), /Read it\./);
      },
    ));
  test("a stream that the client leaves", () =>
    withDouble(echo, async ({ double, client }) => {
      for await (const _event of client.messages.stream(parameters([user("a")]))) break;
      await client.messages.create(parameters([user("a")]));
      assert.deepEqual(refusals(double), []);
    }));
  test("text comes through a stream before the answer is complete", () =>
    withDouble(
      () => ({ text: "one two three four five six", calls: [{ name: "compact", input: {} }] }),
      async ({ client }) => {
        const types: string[] = [];
        for await (const event of client.messages.stream(parameters([user("a")]))) {
          types.push(event.type);
          if (types.filter((type) => type === "content_block_delta").length > 2) break;
        }
        assert.equal(types[0], "message_start");
      },
    ));
});

test("metrics per call add up to those in sum, hidden rounds included, and cutting results saves dollars", () =>
  withDouble(
    (request) => {
      if (request.turn === 3) return { calls: [{ name: "recall", input: { handle: "none" } }] };
      return request.turn < 8 ? { calls: [{ name: "read", input: { turn: request.turn } }] } : { text: "done" };
    },
    async ({ double, client, events }) => {
      const messages = [user("x".repeat(8_000))];
      for (;;) {
        const { content } = await client.messages.create(parameters(messages));
        const calls = content.filter((block) => block.type === "tool_use");
        if (calls.length === 0) break;
        const results = calls.map(({ id }): Anthropic.ToolResultBlockParam => ({
          type: "tool_result",
          tool_use_id: id,
          content: "a long line of output\n".repeat(800),
        }));
        messages.push({ role: "assistant", content }, { role: "user", content: results });
      }
      const calls = events.flatMap((event) => (event.type === "answered" ? [event.metrics] : []));
      const sum = client.palimpsest.metrics();
      assert.deepEqual([sum.calls, sum.requests, calls.length], [8, 9, 8]);
      for (const name of ["requests", "inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens", "dollars", "fullTokens", "dollarsSaved"] as const)
        assert.ok(Math.abs(calls.reduce((total, metrics) => total + metrics[name], 0) - sum[name]) < 1e-9, name);
      const read = double.requests.reduce(
        (total, { counts }) => total + (counts === undefined ? 0 : counts.uncached + counts.cacheRead + counts.cacheWrite5m),
        0,
      );
      assert.equal(sum.inputTokens, read);
      assert.ok(sum.dollarsSaved > 0 && sum.fullTokens > sum.inputTokens);
    },
    { compress: { maxToolResultTokens: 100 } },
  ));

test("at most eight hidden rounds for a call; then the client gets what there is", () =>
  withDouble(
    () => ({ text: "again", calls: [{ name: "recall", input: { handle: "none" } }] }),
    async ({ double, client }) => {
      const message = await client.messages.create(parameters([user("a")]));
      assert.equal(double.requests.length, 9);
      assert.deepEqual([message.stop_reason, message.content.every(({ type }) => type === "text")], ["end_turn", true]);
      await client.messages.create(parameters([user("a"), { role: "assistant", content: message.content }, user("b")]));
      assert.deepEqual(refusals(double), []);
    },
  ));

test("a turn that mixes a hidden call with the client's: the client sees its own, and both results reach the model", () =>
  withDouble(
    (request) =>
      request.turn === 0
        ? {
            calls: [
              { name: "recall", input: { handle: "none" } },
              { name: "read", input: {} },
            ],
          }
        : { text: "done" },
    async ({ double, client }) => {
      const first = await client.messages.create(parameters([user("a")]));
      assert.deepEqual(
        first.content.map((block) => (block.type === "tool_use" ? block.name : block.type)),
        ["read"],
      );
      const [call] = first.content.filter((block) => block.type === "tool_use");
      assert.ok(call !== undefined);
      const result: Anthropic.MessageParam = { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "it" }] };
      await client.messages.create(parameters([user("a"), { role: "assistant", content: first.content }, result]));
      assert.deepEqual(refusals(double), []);
      assert.match(JSON.stringify(double.requests[1]?.body), /HANDLE_UNKNOWN[^]*"it"/);
    },
  ));
