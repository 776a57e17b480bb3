/** Calls that belong to no conversation: what is kept of them, whose they are, and where the inspector shows them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallRecord } from "../src/agent/calls/call-record.ts";
import { NO_CONTEXT } from "../src/agent/calls/call-context.ts";
import { createFrontEnd } from "../src/agent/front-end/front-end.ts";
import { anthropicWire } from "../src/agent/wires/anthropic/anthropic-wire.ts";
import type { CallAnswer, CallsAnswer, ConversationRow, ConversationsAnswer } from "../src/inspector/answers.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { servePages } from "./support/browser/serve-pages.ts";
import { text, user } from "./support/build.ts";
import { exchange } from "./support/proxies/exchange.ts";
import { startProxy } from "./support/proxies/start-proxy.ts";
import { startUpstream } from "./support/proxies/start-upstream.ts";

/** What the inspector lists of a store, each with its calls. */
async function listed(store: Store): Promise<(ConversationRow & { readonly listed: CallsAnswer["calls"] })[]> {
  const { url } = await servePages(store);
  const get = async <T>(path: string): Promise<T> => (await (await fetch(`${url}/api/${path}`)).json()) as T;
  const { conversations } = await get<ConversationsAnswer>("conversations");
  const rows = conversations.map(async (row) => ({ ...row, listed: (await get<CallsAnswer>(`conversations/${row.thread}/${row.branch}/calls`)).calls }));
  return (await Promise.all(rows)).sort((a, b) => (a.thread < b.thread ? -1 : 1));
}

test("are those of their owner", async () => {
  const store = await openStore("memory");
  const frontEnd = createFrontEnd({ store });
  const raw = { id: "msg", type: "message", role: "assistant", content: [text("a title")], usage: { input_tokens: 1, output_tokens: 1 } };
  const transport = { send: () => Promise.resolve({ answer: raw }), stream: () => Promise.reject(new Error("no stream")) };
  for (const owner of ["local", "token-a", "local", "token-b"])
    await frontEnd.send(anthropicWire, { model: "claude-opus-5", max_tokens: 10, messages: [user("title?")] }, transport, { ...NO_CONTEXT, owner });
  await frontEnd.close();
  assert.deepEqual(
    (await listed(store)).map(({ thread, sideCalls, listed: calls }) => [thread, sideCalls, calls.length]),
    [
      ["beside", 2, 2],
      ["beside-token-a", 1, 1],
      ["beside-token-b", 1, 1],
    ],
  );
  const records = (await store.notes({ kind: "call" })).map(({ thread, value }) => [thread, (JSON.parse(value) as CallRecord).owner]);
  assert.deepEqual(records.map(([thread, owner]) => `${thread} ${owner}`).sort(), [
    "beside local",
    "beside local",
    "beside-token-a token-a",
    "beside-token-b token-b",
  ]);
});

const REQUEST = JSON.stringify({ model: "claude-opus-5", max_tokens: 9, messages: [{ role: "user", content: "a secret" }] });
const UNREAD = [
  { nothing: "bypass", headers: { "x-palimpsest-bypass": "1" }, body: REQUEST, path: "/v1/messages", status: 429 },
  { nothing: "too-large", headers: {}, body: JSON.stringify({ model: "gpt-5.5", input: "a secret ".repeat(100) }), path: "/v1/responses", status: 200 },
  { nothing: "unreadable", headers: {}, body: "a secret", path: `/${"long/".repeat(1_000)}v1/chat/completions`, status: 200 },
] as const;

for (const token of [undefined, "correct-horse"])
  test(`a request that passes unread has its record, without anything that was said${token === undefined ? "" : ", by its owner"}`, async () => {
    const store = await openStore("memory");
    const upstream = await startUpstream(({ url }, response) => void response.writeHead(url === "/v1/messages" ? 429 : 200).end("an answer"));
    const { url, proxy } = await startProxy(upstream.url, { store, maxBodyBytes: 500, ...(token === undefined ? {} : { token }) });
    const own: Record<string, string> = { "user-agent": "claude-cli/2.1 (x)", ...(token === undefined ? {} : { "x-palimpsest-token": token }) };
    for (const { headers, body, path } of UNREAD) await exchange(url + path, { headers: { ...own, ...headers }, body });
    // Neither is a conversation's.
    await exchange(`${url}/v1/messages/count_tokens`, { headers: { ...own, "x-palimpsest-bypass": "1" }, body: REQUEST });
    await exchange(`${url}/v1/models`, { headers: { ...own, "x-palimpsest-bypass": "1" }, body: REQUEST });
    await proxy.close();
    const notes = await store.notes({ kind: "call" });
    const records = notes.map(({ value }) => JSON.parse(value) as CallRecord);
    assert.deepEqual(
      records.map(({ kind, nothing, status, client, rounds, bytes, head }) => [kind, nothing, status, client.agent, rounds.length, bytes.received, head.hash]),
      UNREAD.map(({ nothing, status, body }) => ["unread", nothing, status, "Claude Code", 1, body.length, ""]),
    );
    assert.ok(notes.every(({ value }) => value.length < 2_000 && !value.includes("a secret") && !value.includes("horse")));
    const [row, ...others] = await listed(store);
    assert.match(row?.thread ?? "", token === undefined ? /^beside$/ : /^beside-token-[0-9a-f]{32}$/);
    assert.deepEqual([others.length, row?.sideCalls, row?.listed.map(({ nothing }) => nothing)], [0, 3, UNREAD.map(({ nothing }) => nothing)]);
    const { url: pages } = await servePages(store);
    const call = await fetch(`${pages}/api/conversations/${row?.thread}/main/calls/${row?.listed[0]?.sequence}`);
    assert.match(((await call.json()) as CallAnswer).decision.sentence, /the client asked for the request to be passed on as it came/);
  });
