/** Calls that belong to no conversation: what is kept of them, whose they are, and where the inspector shows them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallRecord } from "../src/agent/calls/call-record.ts";
import { NO_CONTEXT } from "../src/agent/calls/call-context.ts";
import { createFrontEnd } from "../src/agent/front-end/front-end.ts";
import { anthropicWire } from "../src/agent/wires/anthropic/anthropic-wire.ts";
import type { CallsAnswer, ConversationRow, ConversationsAnswer } from "../src/inspector/answers.ts";
import { openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { servePages } from "./support/browser/serve-pages.ts";
import { text, user } from "./support/build.ts";

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
