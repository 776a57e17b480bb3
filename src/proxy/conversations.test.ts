/** Which conversation a request belongs to, and what happens to calls that belong to none. */
import Anthropic from "@anthropic-ai/sdk";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startDouble } from "../../test/support/agents/start-double.ts";
import { startProxy } from "../../test/support/proxies/start-proxy.ts";
import type { CallRecord } from "../agent/calls/call-record.ts";
import { HEAD, HEAD_PART, openHead } from "../agent/calls/head-parts.ts";
import type { ConversationAbout } from "../agent/calls/conversation-about.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { ProviderDouble, Script, SeenRequest, Turn } from "../testing/index.ts";
import type { ProxyOptions } from "./index.ts";

type Messages = Anthropic.MessageParam[];
const TOOL: Anthropic.Tool = { name: "read", description: "Reads.", input_schema: { type: "object" } };
const LONG = Array.from({ length: 3_000 }, (_, line) => `line ${line}: value_${(line * 7919) % 1_000}`).join("\n");
const SUMMARIZE = "Your task is to create a detailed summary of the conversation so far, paying close attention to the user's explicit requests.";

interface Setting {
  readonly url: string;
  readonly double: ProviderDouble;
  readonly store: Store;
  /** Asks as a client with these headers and extra fields of the request. */
  readonly ask: (messages: Messages, more?: object, headers?: Record<string, string>, baseURL?: string) => Promise<Anthropic.Message>;
  readonly records: () => Promise<CallRecord[]>;
  readonly abouts: () => Promise<ConversationAbout[]>;
}

async function setting(script: Script, options: ProxyOptions = {}): Promise<Setting> {
  const double = await startDouble({ script, windowTokens: 10_000_000 });
  const store = await openStore("memory");
  const { url, proxy } = await startProxy(double.url, { store, ...options });
  const read = async <T>(kind: string): Promise<T[]> => (await store.notes({ kind })).map(({ value }) => JSON.parse(value) as T);
  return {
    url,
    double,
    store,
    ask: (messages, more = {}, headers = {}, baseURL = url) =>
      new Anthropic({ apiKey: "key", baseURL, maxRetries: 0 }).messages.create(
        { model: "claude-fable-5-2", max_tokens: 100, thinking: { type: "adaptive" }, tools: [TOOL], messages, ...more },
        { headers },
      ),
    // A proxy writes records after their calls have ended; no call waits for them.
    records: async () => (await proxy.close(), read<CallRecord>("call")),
    abouts: async () => (await proxy.close(), read<ConversationAbout>("about")),
  };
}

const user = (content: Anthropic.MessageParam["content"]): Anthropic.MessageParam => ({ role: "user", content });
const said = ({ content }: Anthropic.Message): Anthropic.MessageParam => ({ role: "assistant", content });
const result = ({ content }: Anthropic.Message, text: string): Anthropic.MessageParam =>
  user(content.flatMap((block) => (block.type === "tool_use" ? [{ type: "tool_result" as const, tool_use_id: block.id, content: text }] : [])));
const toolsIn = (double: ProviderDouble): string[][] =>
  double.requests.map(({ body }) => ((body["tools"] ?? []) as { name: string }[]).map(({ name }) => name));
const bodyAt = (double: ProviderDouble, call: number): string => JSON.stringify(double.requests.at(call)?.body);
const refusals = (double: ProviderDouble): unknown[] => double.rejected.map(({ rule, error }) => [rule, error]);

/** Reads something, then says what the user said last. */
const reading: Script = ({ messages }: SeenRequest): Turn => {
  const last = messages.at(-1)?.text ?? "";
  return last.startsWith("read")
    ? { thinking: "I read.", calls: [{ name: "read", input: { path: last } }] }
    : { thinking: "I know.", text: `You said: ${last.slice(0, 30)}` };
};

describe("a request without tools", () => {
  it("founds no conversation and gets no tools, also where it comes first", async () => {
    const { double, ask, records } = await setting(reading);
    await ask([user("What is the title?")], { tools: [] });
    await ask([user("What is the title?")]);
    assert.deepEqual(toolsIn(double), [[], ["recall", "read"]]);
    assert.deepEqual(
      (await records()).map(({ kind, nothing }) => [kind, nothing]),
      [
        ["side", "no-tools"],
        ["conversation", "nothing-to-do"],
      ],
    );
  });

  it("is counted under the reason that its record names", async () => {
    const double = await startDouble({ script: () => ({ text: "Hello." }) });
    const { url, counted } = await startProxy(double.url, { store: "memory" });
    await new Anthropic({ apiKey: "key", baseURL: url }).messages.create({
      model: "claude-fable-5-2",
      max_tokens: 100,
      messages: [user("What is the title?")],
    });
    assert.equal(await counted('palimpsest_unchanged_total{reason="no-tools"}'), 1);
    assert.equal(await counted('palimpsest_unchanged_total{reason="no-conversation"}'), 0);
  });

  it("that goes on with a conversation is sent as its view, and leaves it as it was", async () => {
    const { double, ask, records } = await setting(reading, { policy: "tight" });
    const messages: Messages = [user("read a")];
    const first = await ask(messages);
    messages.push(said(first), result(first, LONG));
    const second = await ask(messages);
    messages.push(said(second));
    await ask([...messages, user("Summarize for a title.")], { tools: [] });
    messages.push(user("go on"));
    await ask(messages);
    assert.deepEqual(toolsIn(double), [["recall", "read"], ["recall", "read"], [], ["recall", "read"]]);
    assert.ok(bodyAt(double, 2).length < LONG.length / 2, "the result is shown as in the conversation");
    assert.doesNotMatch(bodyAt(double, 3), /Summarize for a title/);
    assert.deepEqual(refusals(double), []);
    assert.deepEqual(
      (await records()).map(({ kind, thread }, _, [one]) => [kind, thread === one?.thread]),
      [
        ["conversation", true],
        ["conversation", true],
        ["side", true],
        ["conversation", true],
      ],
    );
  });
});

describe("an agent's own compaction", () => {
  it("is asked for with the view and the conversation's tools; nothing new is shortened, and it may be called off", async () => {
    const { double, ask, records } = await setting(reading, { policy: "tight" });
    const messages: Messages = [];
    for (let turn = 0; turn < 3; turn++) {
      messages.push(user(`read ${turn}`));
      const call = await ask(messages);
      messages.push(said(call), result(call, LONG));
      messages.push(said(await ask(messages)));
    }
    await ask([...messages, user(SUMMARIZE)]);
    await ask([...messages, user("no, go on")]);
    assert.deepEqual(new Set(toolsIn(double).map((names) => names.join())), new Set(["recall,read"]));
    assert.deepEqual(refusals(double), []);
    const [compaction] = (await records()).filter(({ kind }) => kind === "compaction");
    assert.deepEqual([compaction?.nothing, compaction?.editCount], ["compaction", 0]);
  });

  it("is followed by a new history, which gets tools again; thinking that it carries over is left out", async () => {
    const { double, ask, abouts } = await setting(reading);
    const first = await ask([user("read a")]);
    const before: Messages = [user("read a"), said(first), result(first, "short")];
    const second = await ask(before);
    // A summary in place of the start, and the last round as it was: its thinking is signed under another prefix.
    const fresh: Messages = [
      user("This session is being continued from a previous conversation. Summary: a was read."),
      said(first),
      result(first, "short"),
      said(second),
      user("read b"),
    ];
    const third = await ask(fresh);
    assert.deepEqual(toolsIn(double).at(-1), ["recall", "read"]);
    assert.doesNotMatch(bodyAt(double, -1), /"I (read|know)\."/);
    await ask([...fresh, said(third), result(third, "short")]);
    assert.match(bodyAt(double, -1), /"I read\."/);
    assert.deepEqual(refusals(double), []);
    assert.deepEqual(
      (await abouts()).map(({ calls, parentKind }) => [calls, parentKind]),
      [
        [2, undefined],
        [2, "compacted"],
      ],
    );
  });
});

it("a new history is recognized by its thinking, even if older thinking was left out", async () => {
  const { double, ask } = await setting(reading);
  const messages: Messages = [user("hello")];
  const first = await ask(messages);
  messages.push({ role: "assistant", content: first.content.filter(({ type }) => type !== "thinking") }, user("read a"));
  const second = await ask(messages);
  await ask([user("Summary: nothing was done."), ...messages.slice(1), said(second), result(second, "short")]);
  assert.deepEqual(refusals(double), []);
  assert.deepEqual(toolsIn(double).at(-1), ["recall", "read"]);
});

describe("which conversation", () => {
  it("two sessions with the same first message go on each by itself", async () => {
    const { double, ask, abouts } = await setting(({ messages }) => ({ thinking: "hm", text: `echo ${messages.length} ${messages.at(-1)?.text ?? ""}` }));
    const run = async (name: string, headers: Record<string, string>): Promise<void> => {
      const messages: Messages = [user("the same start")];
      for (let turn = 0; turn < 4; turn++) messages.push(said(await ask(messages, {}, headers)), user(`${name} ${turn}`));
    };
    await Promise.all([run("a", { "x-claude-code-session-id": "a" }), run("b", { "x-claude-code-session-id": "b" }), run("c", {}), run("d", {})]);
    assert.deepEqual(refusals(double), []);
    assert.deepEqual(
      (await abouts()).map(({ calls }) => calls),
      [4, 4, 4, 4],
    );
  });

  it("conversations that the client names are kept apart, even with the same messages in one store", async () => {
    const { double, store, ask, abouts } = await setting(({ messages }) => ({ text: `answer ${messages.length}` }));
    const asked = new Map<string, Messages>([
      ["a", []],
      ["b", []],
    ]);
    for (let turn = 0; turn < 3; turn++)
      for (const [name, messages] of asked) {
        const { url, proxy } = await startProxy(double.url, { store });
        messages.push(user(`question ${turn}`));
        messages.push(said(await ask(messages, {}, { "x-palimpsest-thread": name }, url)));
        await proxy.close();
      }
    // One that has all of another's messages at once.
    await ask([...(asked.get("a") ?? []), user("and more")], {}, { "x-palimpsest-thread": "c" });
    assert.deepEqual(refusals(double), []);
    const all = await abouts();
    assert.deepEqual(
      all.map(({ calls, messages, parent }) => [calls, messages, parent]),
      [
        [3, 6, undefined],
        [3, 6, undefined],
        [1, 8, undefined],
      ],
    );
    assert.equal(new Set(all.map(({ thread }) => thread)).size, 3);
  });

  it("an agent's new history under the same name is recognized by its answers", async () => {
    const { double, ask } = await setting(reading);
    for (const name of ["a", "b"]) {
      const headers = { "x-palimpsest-thread": name };
      const first = await ask([user("hello")], {}, headers);
      await ask([user("Summary: nothing was done."), said(first), user("read a")], {}, headers);
      assert.deepEqual(toolsIn(double).at(-1), ["recall", "read"]);
    }
    assert.deepEqual(refusals(double), []);
  });

  it("a client that takes its last message back continues in a branch, and the old branch is still there", async () => {
    const { double, ask, abouts } = await setting(reading);
    const start: Messages = [user("hello")];
    start.push(said(await ask(start)));
    const one = await ask([...start, user("one")]);
    const two = await ask([...start, user("two")]);
    await ask([...start, user("one"), said(one), user("more of one")]);
    await ask([...start, user("two"), said(two), user("more of two")]);
    assert.deepEqual(refusals(double), []);
    assert.deepEqual(
      (await abouts()).map(({ branch, calls, parentKind }) => [branch, calls, parentKind]),
      [
        ["main", 3, undefined],
        ["b2", 2, "branch"],
      ],
    );
  });

  it("the same request twice at once: both are answered, and either answer can be continued", async () => {
    const { double, ask } = await setting(reading);
    const start: Messages = [user("hello")];
    start.push(said(await ask(start)), user("again"));
    const [a, b] = await Promise.all([ask(start), ask(start)]);
    for (const answer of [a, b]) await ask([...start, said(answer), user("and then")]);
    assert.deepEqual(refusals(double), []);
  });

  it("a client that adds defaults to calls, and later leaves out the thinking beside them, is shown to the model as before", async () => {
    const { double, ask } = await setting(reading);
    const first = await ask([user("read a")]);
    const call = first.content.flatMap((block) => (block.type === "tool_use" ? [{ ...block, input: { path: "read a", limit: 2_000 } }] : []));
    const kept = (thinking: boolean): Anthropic.MessageParam => ({
      role: "assistant",
      content: [...first.content.filter(({ type }) => thinking && type === "thinking"), ...call],
    });
    const answer = await ask([user("read a"), kept(true), result(first, "short")]);
    await ask([user("read a"), kept(false), result(first, "short"), said(answer), user("and now?")]);
    assert.deepEqual(refusals(double), []);
    assert.match(bodyAt(double, -1), /"I read\.".*"limit":2000.*"I know\."/);
  });

  it("a client that keeps only the calls of an answer, and not the text beside them, stays in one conversation, with recall", async () => {
    const { double, ask, records } = await setting(({ messages }) => {
      const read = messages.flatMap(({ results }) => results).length;
      return { text: `I read page ${read}.`, calls: [{ name: "read", input: { path: read }, id: `call-${read}` }] };
    });
    const kept: Messages = [user("read all")];
    for (let round = 0; round < 4; round++) {
      const answer = await ask(kept, { model: "claude-opus-4-5", thinking: { type: "disabled" } });
      kept.push({ role: "assistant", content: answer.content.filter(({ type }) => type === "tool_use") }, result(answer, `page ${round}`));
    }
    assert.deepEqual(
      toolsIn(double),
      kept.slice(0, 4).map(() => ["recall", "read"]),
    );
    assert.deepEqual([refusals(double), new Set((await records()).map(({ branch }) => branch))], [[], new Set(["main"])]);
  });

  it("a request that forces a tool gets none of ours, if it is the first", async () => {
    const { double, ask } = await setting(() => ({ calls: [{ name: "read", input: {} }] }));
    await ask([user("hello")], { tool_choice: { type: "tool", name: "read" }, thinking: { type: "disabled" }, model: "claude-sonnet-4-5" });
    assert.deepEqual(toolsIn(double), [["read"]]);
  });

  it("a sub-agent may recall what its parent's conversation holds", async () => {
    let handle = "";
    const script: Script = (request) => {
      const last = request.messages.at(-1);
      if (last?.text.includes("sub-task") === true) return { thinking: "hm", calls: [{ name: "recall", input: { handle, lines: "2000" } }] };
      return reading(request);
    };
    const { double, ask } = await setting(script, { policy: "tight" });
    const headers = { "x-claude-code-session-id": "s" };
    const messages: Messages = [user("read a")];
    const first = await ask(messages, {}, headers);
    messages.push(said(first), result(first, LONG));
    await ask(messages, {}, headers);
    handle = /recall handles?: ([a-z0-9]+)/.exec(JSON.stringify(double.requests.at(-1)?.body["messages"]))?.[1] ?? assert.fail("nothing was shortened");
    await ask([user("sub-task: use what was read")], {}, { ...headers, "x-claude-code-agent-id": "agent-1" });
    assert.match(bodyAt(double, -1).slice(-2_000), /line 1999: value_/);
    assert.deepEqual(refusals(double), []);
  });
});

describe("a conversation that nobody knows", () => {
  it("is sent as it came; where its thinking is bound to another prefix, once more without, and the record says so", async () => {
    const { double, ask, records } = await setting(reading);
    const other = await new Anthropic({ apiKey: "key", baseURL: double.url }).messages.create({
      model: "claude-fable-5-2",
      max_tokens: 100,
      thinking: { type: "adaptive" },
      tools: [TOOL],
      messages: [user("hello")],
    });
    await ask([user("hello, in other words"), said(other), user("go on")]);
    assert.deepEqual(
      double.requests.map(({ status }) => status),
      [200, 400, 200],
    );
    assert.deepEqual(toolsIn(double).at(-1), ["read"]);
    const [record] = await records();
    assert.deepEqual(
      [record?.rounds.map(({ status, retry }) => [status, retry]), record?.failures.map(({ sent }) => sent)],
      [
        [
          [400, undefined],
          [200, "thinking bound to another prefix"],
        ],
        ["view-without-thinking"],
      ],
    );
  });
});

it("a conversation that is met in its middle is sent as it came, though its cache is cold and it could be tidied", async () => {
  const script: Script = ({ messages }) => {
    const reads = messages.filter(({ role }) => role === "assistant").length;
    return reads < 5 ? { thinking: `Read ${reads}.`, calls: [{ name: "read", input: { path: "src/same.ts" } }] } : { text: "Done." };
  };
  const { url, double } = await setting(script);
  const messages: Messages = [user("Read the same file, again and again.")];
  const request = { model: "claude-fable-5-2", max_tokens: 100, thinking: { type: "adaptive" as const }, tools: [TOOL] };
  const direct = new Anthropic({ apiKey: "key", baseURL: double.url });
  for (let turn = 0; turn < 5; turn++) {
    const answer = await direct.messages.create({ ...request, messages });
    messages.push(said(answer), result(answer, LONG));
  }
  await new Anthropic({ apiKey: "key", baseURL: url }).messages.create({ ...request, messages });
  const sent = JSON.parse(bodyAt(double, -1)) as { messages: unknown };
  const bare = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner)));
  const contents = (value: unknown): unknown[] =>
    (bare(value) as Messages).map(({ content }) => (typeof content === "string" ? [{ type: "text", text: content }] : content));
  assert.deepEqual(contents(sent.messages), contents(messages));
  assert.deepEqual(refusals(double), []);
});

it("tokens of a known conversation are counted as it is sent; a fragment's as they are", async () => {
  const { url, double, ask } = await setting(reading, { policy: "tight" });
  const messages: Messages = [user("read a")];
  const first = await ask(messages);
  messages.push(said(first), result(first, LONG));
  messages.push(said(await ask(messages)), user("and now?"));
  const count = async (baseURL: string, counted: Messages): Promise<number> => {
    const client = new Anthropic({ apiKey: "key", baseURL });
    const { input_tokens } = await client.messages.countTokens({ model: "claude-fable-5-2", thinking: { type: "adaptive" }, tools: [TOOL], messages: counted });
    return input_tokens;
  };
  const known = await count(url, messages);
  assert.ok(known < LONG.length / 8, `${known} tokens of ${LONG.length} characters`);
  const fragment: Messages = [user(LONG)];
  assert.equal(await count(url, fragment), await count(double.url, fragment));
  await ask(messages);
  assert.equal(double.rejected.length, 0);
});

describe("what must not be stored", () => {
  const SECRET = "sk-live-0123456789abcdef";
  it("is redacted in the store and sent as it is, also after a restart", async () => {
    const store = await openStore("memory");
    const double = await startDouble({ script: reading, windowTokens: 10_000_000 });
    const messages: Messages = [user(`read ${SECRET}`)];
    for (let call = 0; call < 3; call++) {
      // Another proxy for each call.
      const { url, proxy } = await startProxy(double.url, { store, redact: "sk-live-[0-9a-f]+" });
      const client = new Anthropic({ apiKey: "key", baseURL: url, maxRetries: 0 });
      const answer = await client.messages.create({
        model: "claude-fable-5-2",
        max_tokens: 100,
        system: `The key is ${SECRET}.`,
        thinking: { type: "adaptive" },
        tools: [TOOL],
        messages,
      });
      messages.push(said(answer), answer.stop_reason === "tool_use" ? result(answer, `the key is ${SECRET}`) : user(`and ${SECRET}?`));
      await proxy.close();
    }
    assert.deepEqual(refusals(double), []);
    const about = (await store.notes({ kind: "about" })).map(({ value }) => JSON.parse(value) as ConversationAbout);
    assert.deepEqual(
      about.map(({ calls }) => calls),
      [3],
    );
    for (const { body } of double.requests) assert.equal(JSON.stringify(body).split("[redacted]").length, 1);
    assert.equal(bodyAt(double, -1).split(SECRET).length - 1, 5);
    const kinds = ["about", "call", HEAD, HEAD_PART, "aligned", "raw", "session", "chain", "said"];
    const notes = await Promise.all(kinds.map((kind) => store.notes({ kind })));
    const [ref] = await store.threads();
    const commits = await store.commits({ thread: ref?.id ?? "", branch: "main" });
    const contents = await store.contents(commits.map(({ contentHash }) => contentHash));
    const stored = JSON.stringify([notes, commits, [...contents.values()]]);
    assert.doesNotMatch(stored, /sk-live/);
    assert.match(stored, /\[redacted\]/);
  });
});

it("what is stored of a request holds no key: of MCP servers, of the provider's own tools, of headers", async () => {
  const { store, ask, records } = await setting(reading);
  const secret = "secret-0123456789";
  const mcp = { type: "mcp", server_url: "https://mcp.example", authorization: secret, headers: { "x-anything": secret } };
  const schema = { type: "object", properties: { token: { type: "string" }, headers: { type: "object", description: "of the request" } } };
  const tools = [{ ...TOOL, input_schema: schema }, mcp];
  await ask([user("hello")], {
    tools,
    system: "Be brief.",
    mcp_servers: [{ type: "url", name: "m", url: "https://mcp.example", authorization_token: secret }],
  });
  await records();
  const [head] = await store.notes({ kind: HEAD });
  const parts = new Map((await store.notes({ kind: HEAD_PART })).map(({ key, value }) => [key, value]));
  assert.doesNotMatch(JSON.stringify([head?.value ?? assert.fail(), [...parts]]), /secret-/);
  const opened = await openHead(head?.value ?? "", () => Promise.resolve(parts));
  const { system, tools: kept, max_tokens } = opened as { system: unknown; tools: (typeof tools)[number][]; max_tokens: unknown };
  assert.deepEqual([system, kept[0], max_tokens], ["Be brief.", tools[0], 100]);
});
