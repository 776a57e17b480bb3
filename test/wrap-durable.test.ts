/** Conversations of wrapped clients that outlive their process: every call by another one, with the bytes of a single one. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { wrapAnthropic, type FrontEndEvent, type FrontEndOptions, type Palimpsest } from "../src/agent/clients/anthropic.ts";
import { wrapOpenAI } from "../src/agent/clients/openai.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import type { ProviderDouble } from "../src/testing/index.ts";
import { anthropicLoop, type LoopOptions } from "./support/agents/anthropic-loop.ts";
import { BUSY_POLICY, busyAgent, runTool, TOOL_NAMES } from "./support/agents/busy-agent.ts";
import { chatLoop } from "./support/agents/chat-loop.ts";
import { responsesLoop } from "./support/agents/responses-loop.ts";
import { restartingClient } from "./support/agents/restarting-client.ts";
import { assertSameBodies, refusals, sentBodies } from "./support/agents/sent-bodies.ts";
import { startDouble } from "./support/agents/start-double.ts";
import { passTime } from "./support/pass-time.ts";

const TURNS = 30;
const folder = mkdtempSync(join(tmpdir(), "palimpsest-durable-"));
after(() => rmSync(folder, { recursive: true }));

type Client = object & Palimpsest;
type Wrap = (double: ProviderDouble, options: FrontEndOptions) => Client;
type Loop = (client: Client, options: LoopOptions) => Promise<{ text: string }>;

const APIS: Readonly<Record<string, { readonly wrap: Wrap; readonly loop: Loop }>> = {
  messages: {
    wrap: (double, options) => wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), options),
    loop: (client, options) => anthropicLoop(client as unknown as Anthropic, options),
  },
  "chat completions": {
    wrap: (double, options) => wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }), options),
    loop: (client, options) => chatLoop(client as unknown as OpenAI, options),
  },
  responses: {
    wrap: (double, options) => wrapOpenAI(new OpenAI({ apiKey: "test", baseURL: `${double.url}/v1`, maxRetries: 0 }), options),
    loop: (client, options) => responsesLoop(client as unknown as OpenAI, options),
  },
};

const LOOP: LoopOptions = { streamed: false, task: "Find the needle.", tools: TOOL_NAMES, run: runTool };

interface Played {
  readonly bodies: readonly string[];
  readonly refused: readonly unknown[];
  readonly failed: readonly FrontEndEvent[];
  readonly text: string;
}

let stores = 0;
const freshAddress = (): string => `sqlite:${join(folder, `${stores++}.db`)}`;

async function play(
  api: string,
  streamed: boolean,
  clientFor: (wrap: (options: FrontEndOptions) => Client) => Client,
  more: FrontEndOptions,
  turns = TURNS,
  ids: "unique" | "by-request" = "by-request",
): Promise<Played> {
  const double = await startDouble({ script: busyAgent(turns, { compactions: 0, recalls: 0, answered: 0 }), windowTokens: 10_000_000, ids });
  const failed: FrontEndEvent[] = [];
  const { wrap, loop } = APIS[api] ?? assert.fail();
  const options: FrontEndOptions = { policy: BUSY_POLICY, ...more, onEvent: (event) => (event.type === "failed" ? failed.push(event) : 0) };
  const client = clientFor((others) => wrap(double, { ...options, ...others }));
  const { text } = await loop(client, { ...LOOP, streamed });
  return { bodies: sentBodies(double), refused: refusals(double), failed, text };
}

for (const api of Object.keys(APIS)) {
  describe(api, () => {
    let quiet: Played | undefined;
    /** The loop in one process that has no store. */
    const inOneProcess = async (): Promise<Played> => (quiet ??= await play(api, false, (wrap) => wrap({}), {}));
    for (const [name, more] of Object.entries<FrontEndOptions>({ recall: {}, "recall and compact": { compact: true } })) {
      test(`${name}: restarted at every call, with the bytes of one process`, async () => {
        const isStreamed = name === "recall";
        const turns = isStreamed ? 100 : 40;
        const one = await play(api, isStreamed, (wrap) => wrap({}), more, turns);
        const store = freshAddress();
        const many = await play(
          api,
          isStreamed,
          (wrap) =>
            restartingClient(
              () => wrap({ store }),
              ({ palimpsest }) => palimpsest.close(),
            ),
          more,
          turns,
        );
        assert.equal(one.text, `Done after ${turns} turns.`);
        assert.deepEqual([many.refused, many.failed, many.text], [[], [], one.text]);
        assertSameBodies(many.bodies, one.bodies);
      });
    }
    test("two processes in turn", async () => {
      const one = await inOneProcess();
      const store = freshAddress();
      let turn = 0;
      const two: Client[] = [];
      const taken = await play(
        api,
        false,
        (wrap) => {
          two.push(wrap({ store }), wrap({ store }));
          return restartingClient(
            () => two[turn++ % 2] ?? assert.fail(),
            () => undefined,
          );
        },
        {},
      );
      for (const { palimpsest } of two) await palimpsest.close();
      assert.deepEqual([taken.refused, taken.failed], [[], []]);
      assertSameBodies(taken.bodies, one.bodies);
    });
    test("forgotten at every call, and nowhere stored: nothing is refused", async () => {
      const { refused, text } = await play(
        api,
        false,
        (wrap) => {
          const client = wrap({});
          return restartingClient(
            () => client,
            ({ palimpsest }) => {
              for (const conversation of palimpsest.conversations()) conversation.forget();
            },
          );
        },
        {},
      );
      assert.deepEqual([refused, text], [[], `Done after ${TURNS} turns.`]);
    });
    test("a store that goes away in the middle: the loop goes on, and what was missed is written when it is back", async () => {
      const real = await openStore(freshAddress());
      let isAway = false;
      const store: Store = new Proxy(real, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== "function") return value;
          return (...given: unknown[]): unknown => {
            if (isAway) return Promise.reject(new Error("the store is away"));
            return (value as (...all: unknown[]) => unknown).apply(target, given);
          };
        },
      });
      let calls = 0;
      const events: FrontEndEvent[] = [];
      const one = await inOneProcess();
      let kept: Client | undefined;
      const played = await play(
        api,
        false,
        (wrap) => {
          const client = (kept = wrap({ store, onEvent: (event) => void events.push(event) }));
          return restartingClient(
            () => ((isAway = ++calls > 10 && calls < 25), client),
            () => undefined,
          );
        },
        {},
      );
      await kept?.palimpsest.saved();
      assert.deepEqual(played.refused, []);
      assertSameBodies(played.bodies, one.bodies);
      assert.deepEqual(
        events.flatMap((event) => (event.type === "failed" ? [event.stage] : event.type === "store-back" ? ["back"] : [])),
        ["store", "back"],
      );
      const again = await play(api, false, (wrap) => wrap({ store }), {}, TURNS, "unique");
      assert.deepEqual(again.refused, []);
      const [thread] = await real.threads();
      const branches = await real.branches(thread?.id ?? "");
      assert.deepEqual(
        branches.map(({ name }) => name),
        ["main", "b2"],
      );
      assert.equal(branches[0]?.length, branches[1]?.length);
      await real.close();
    });
  });
}

test("two processes that go on with one conversation at the same moment: one wins, the other branches, nothing is lost", async () => {
  const store = await openStore("memory");
  let answered = 0;
  const double = await startDouble({ script: () => ({ text: `answer ${answered++}` }) });
  const tools: Anthropic.Tool[] = [{ name: "read", input_schema: { type: "object" } }];
  const ask = (client: Client, ...texts: string[]): Promise<Anthropic.Message> =>
    (client as unknown as Anthropic).messages.create({
      model: "claude-fable-5-2",
      max_tokens: 100,
      tools,
      messages: texts.map((content, number) => ({ role: number % 2 === 0 ? "user" : "assistant", content })),
    });
  const wrap = (): Client => wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), { store });
  const [a, b] = [wrap(), wrap()];
  await ask(a, "question");
  await Promise.all([ask(a, "question", "answer 0", "from a"), ask(b, "question", "answer 0", "from b")]);
  for (const client of [a, b]) await client.palimpsest.close();
  const [thread] = await store.threads();
  const branches = await store.branches(thread?.id ?? "");
  assert.deepEqual(
    branches.map(({ name, length }) => [name, length]),
    [
      ["main", 4],
      ["b2", 4],
    ],
  );
  const contents = await Promise.all(
    branches.map(async ({ name }) =>
      [...(await store.contents((await store.commits({ thread: thread?.id ?? "", branch: name })).map(({ contentHash }) => contentHash))).values()].join(),
    ),
  );
  assert.deepEqual(contents.map((text) => /from [ab]/.exec(text)?.[0]).sort(), ["from a", "from b"]);
});

/** The store, but for what these methods do. */
function withMethods(real: Store, methods: Partial<Store>): Store {
  return new Proxy(real, {
    get: (target, name) => {
      const own = Reflect.get(methods, name) as unknown;
      const value = own ?? (Reflect.get(target, name) as unknown);
      return typeof value === "function" ? (value as (...given: unknown[]) => unknown).bind(target) : value;
    },
  });
}

test("a conversation that cannot be written keeps no other one from being written", async () => {
  const double = await startDouble({ script: () => ({ text: "answer" }) });
  const real = await openStore("memory");
  let refused: string | undefined;
  const store = withMethods(real, {
    append: (ref, ...given) =>
      ref.thread === (refused ??= ref.thread) ? Promise.reject(new Error("no room")) : isAway ? Promise.reject(new Error("away")) : real.append(ref, ...given),
    putNotes: (notes) => (isAway ? Promise.reject(new Error("away")) : real.putNotes(notes)),
  });
  let isAway = true;
  const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), { store });
  const tools: Anthropic.Tool[] = [{ name: "read", input_schema: { type: "object" } }];
  for (const content of ["first", "second", "third"])
    await client.messages.create({ model: "claude-fable-5-2", max_tokens: 100, tools, messages: [{ role: "user", content }] });
  isAway = false;
  await assert.rejects(client.palimpsest.close(), /no room/);
  assert.deepEqual([(await real.threads()).length, (await real.notes({ kind: "call" })).length], [2, 3]);
});

test("once it is closed, nothing is written and no store is opened again", async () => {
  const double = await startDouble({ script: () => ({ text: "answer" }) });
  const address = freshAddress();
  const failed: FrontEndEvent[] = [];
  const onEvent = (event: FrontEndEvent): unknown => event.type === "failed" && failed.push(event);
  const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), { store: address, onEvent });
  const tools: Anthropic.Tool[] = [{ name: "read", input_schema: { type: "object" } }];
  const ask = (content: string): Promise<Anthropic.Message> =>
    client.messages.create({ model: "claude-fable-5-2", max_tokens: 100, tools, messages: [{ role: "user", content }] });
  await ask("first");
  await Promise.all([ask("second"), client.palimpsest.close()]);
  await ask("third");
  await client.palimpsest.saved();
  assert.deepEqual(failed, []);
  const store = await openStore(address);
  assert.ok((await store.threads()).length < 3);
  await store.close();
});

test("a conversation that is forgotten and read again at once keeps the records of all its calls", async () => {
  const double = await startDouble({ script: ({ turn }) => ({ text: `answer ${turn}` }) });
  const store = await openStore("memory");
  const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), { store });
  const tools: Anthropic.Tool[] = [{ name: "read", input_schema: { type: "object" } }];
  const messages: Anthropic.MessageParam[] = [];
  for (let call = 0; call < 5; call++) {
    messages.push({ role: "user", content: `question ${call}` });
    const { content } = await client.messages.create({ model: "claude-fable-5-2", max_tokens: 100, tools, messages });
    messages.push({ role: "assistant", content });
    for (const conversation of client.palimpsest.conversations()) conversation.forget();
  }
  await client.palimpsest.saved();
  assert.equal((await store.notes({ kind: "call" })).length, 5);
});

test("calls beside the conversations are each recorded, also those of the same moment", async () => {
  const double = await startDouble({ script: () => ({ text: "a title" }) });
  const store = await openStore("memory");
  const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), { store });
  const titles = Array.from({ length: 20 }, (_, call) => `title ${call}?`);
  await Promise.all(titles.map((content) => client.messages.create({ model: "claude-fable-5-2", max_tokens: 100, messages: [{ role: "user", content }] })));
  await client.palimpsest.saved();
  assert.equal((await store.notes({ kind: "call" })).length, titles.length);
});

test("the thirtieth conversation that begins alike costs its store no more than the third", async () => {
  const double = await startDouble({ script: () => ({ text: "answer" }) });
  const real = await openStore("memory");
  let appends = 0;
  const store = withMethods(real, { append: (...given) => (appends++, real.append(...given)) });
  const tools: Anthropic.Tool[] = [{ name: "read", input_schema: { type: "object" } }];
  const costs: number[] = [];
  for (let run = 0; run < 30; run++) {
    appends = 0;
    const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), { store });
    await client.messages.create({ model: "claude-fable-5-2", max_tokens: 100, tools, messages: [{ role: "user", content: "the task of every night" }] });
    await client.palimpsest.close();
    costs.push(appends);
  }
  assert.equal(costs.at(-1), costs[2]);
  const [thread] = await real.threads();
  const names = (await real.branches(thread?.id ?? "")).map(({ name }) => name);
  assert.deepEqual([names.length, names.at(-1)], [30, "b30"]);
});

test("a store that hangs holds up no call for long: not those that it is asked about either", { timeout: 30_000 }, async (context) => {
  const double = await startDouble({ script: () => ({ text: "answer" }) });
  const never = (): Promise<never> => new Promise(() => undefined);
  const store = withMethods(await openStore("memory"), { notes: never, putNotes: never, append: never, commits: never });
  const client = wrapAnthropic(new Anthropic({ apiKey: "test", baseURL: double.url, maxRetries: 0 }), { store });
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let waitedMs = 0;
  for (let call = 0; call < 5; call++) {
    const pauseMs = call === 4 ? 2_500 : 0;
    context.mock.timers.tick(pauseMs);
    const answered = client.messages.create({
      model: "claude-fable-5-2",
      max_tokens: 100,
      tools: [{ name: "read", input_schema: { type: "object" } }],
      messages: [{ role: "user", content: `question ${call}` }],
    });
    waitedMs += pauseMs + (await passTime(context, answered));
  }
  assert.ok(waitedMs > 2_500 && waitedMs < 12_000, `${waitedMs} ms`);
});
