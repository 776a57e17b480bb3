import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assistant, block, res, serverRes, serverUse, text, use, user } from "../../../test/support/build.ts";
import { checkMessages } from "../check-messages.ts";
import type { Message } from "../message.ts";

const q = user("q");

type Row = readonly [rule: string, path: string, message: string, bad: readonly Message[], good: readonly Message[]];

const ROWS: readonly Row[] = [
  [
    "A3.1",
    "messages.1.content.0",
    "unexpected `tool_use_id` found in `web_fetch_tool_result` blocks: s. Each `web_fetch_tool_result` block must have a corresponding `server_tool_use` block before it.",
    [q, assistant(serverRes("s", "web_fetch"), text("x")), q],
    [q, assistant(serverUse("s", "web_fetch"), serverRes("s", "web_fetch"), text("x")), q],
  ],
  [
    "A3.2",
    "messages.1.content.0",
    "`web_fetch` tool use with id `s` was found without a corresponding `web_fetch_tool_result` block",
    [q, assistant(serverUse("s", "web_fetch"), text("x")), q],
    [q, assistant(serverUse("s", "web_fetch"), serverRes("s", "web_fetch"), text("x")), q],
  ],
  [
    "A3.2",
    "messages.1.content.0",
    "`web_fetch` tool use with id `s` was found without a corresponding `web_fetch_tool_result` block",
    [q, assistant(serverUse("s", "web_fetch"), use("a")), user(res("a"), text("x"))],
    [q, assistant(serverUse("s", "web_fetch"), use("a")), user(res("a"))],
  ],
  [
    "A3.3",
    "messages.1.content.0",
    "messages.1.content.0: `tool_use` with caller s needs its `server_tool_use` block before it",
    [q, assistant(use("a", "read", {}, { caller: { tool_id: "s" } })), user(res("a"))],
    [q, assistant(serverUse("s", "web_fetch"), use("a", "read", {}, { caller: { tool_id: "s" } })), user(res("a"))],
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
    "the turn is paused": [q, assistant(text("Let me see."), serverUse("s", "web_fetch"))],
    "a call of the client beside it is answered first": [q, assistant(serverUse("s", "web_fetch"), use("a")), user(res("a"))],
    "its result comes after that": [q, assistant(serverUse("s", "web_fetch"), use("a")), user(res("a")), assistant(serverRes("s", "web_fetch"), text("x")), q],
    "an MCP server runs it": [q, assistant(block("mcp_tool_use", { id: "m", name: "x" }), block("mcp_tool_result", { tool_use_id: "m" }), text("x")), q],
  };
  for (const [what, messages] of Object.entries(WAITING)) test(what, () => assert.deepEqual(checkMessages(messages), []));
});
