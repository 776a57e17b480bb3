import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkMessages } from "../check-messages.ts";
import type { Block, Message } from "../message.ts";

const block = (type: string, fields: object = {}): Block => ({ type, ...fields });
const text = (content: string): Block => block("text", { text: content });
const use = (id: string, more: object = {}): Block => block("tool_use", { id, name: "bash", input: {}, ...more });
const res = (id: string, more: object = {}): Block => block("tool_result", { tool_use_id: id, content: "ok", ...more });
const search = (id: string): Block => block("server_tool_use", { id, name: "web_fetch", input: {} });
const hits = (id: string): Block => block("web_fetch_tool_result", { tool_use_id: id, content: [] });
const user = (...content: Block[]): Message => ({ role: "user", content });
const model = (...content: Block[]): Message => ({ role: "assistant", content });
const q: Message = { role: "user", content: "q" };

type Row = readonly [rule: string, path: string, message: string, bad: readonly Message[], good: readonly Message[]];

const ROWS: readonly Row[] = [
  [
    "A3.1",
    "messages.1.content.0",
    "unexpected `tool_use_id` found in `web_fetch_tool_result` blocks: s. Each `web_fetch_tool_result` block must have a corresponding `server_tool_use` block before it.",
    [q, model(hits("s"), text("x")), q],
    [q, model(search("s"), hits("s"), text("x")), q],
  ],
  [
    "A3.2",
    "messages.1.content.0",
    "`web_fetch` tool use with id `s` was found without a corresponding `web_fetch_tool_result` block",
    [q, model(search("s"), text("x")), q],
    [q, model(search("s"), hits("s"), text("x")), q],
  ],
  [
    "A3.2",
    "messages.1.content.0",
    "`web_fetch` tool use with id `s` was found without a corresponding `web_fetch_tool_result` block",
    [q, model(search("s"), use("a")), user(res("a"), text("x"))],
    [q, model(search("s"), use("a")), user(res("a"))],
  ],
  [
    "A3.3",
    "messages.1.content.0",
    "messages.1.content.0: `tool_use` with caller s needs its `server_tool_use` block before it",
    [q, model(use("a", { caller: { tool_id: "s" } })), user(res("a"))],
    [q, model(search("s"), use("a", { caller: { tool_id: "s" } })), user(res("a"))],
  ],
];

describe("checkMessages: tools that the provider runs", () => {
  ROWS.forEach(([rule, path, message, bad, good], number) => {
    test(`${rule}, row ${number}`, () => {
      assert.deepEqual(checkMessages(bad), [{ rule, path, message }]);
      assert.deepEqual(checkMessages(good), []);
    });
  });
});

describe("checkMessages: provider-run calls that may wait", () => {
  const WAITING: Readonly<Record<string, readonly Message[]>> = {
    "the turn is paused": [q, model(text("Let me see."), search("s"))],
    "a call of the client beside it is answered first": [q, model(search("s"), use("a")), user(res("a"))],
    "its result comes after that": [q, model(search("s"), use("a")), user(res("a")), model(hits("s"), text("x")), q],
    "an MCP server runs it": [q, model(block("mcp_tool_use", { id: "m", name: "x" }), block("mcp_tool_result", { tool_use_id: "m" }), text("x")), q],
  };
  for (const [what, messages] of Object.entries(WAITING)) test(what, () => assert.deepEqual(checkMessages(messages), []));
});
