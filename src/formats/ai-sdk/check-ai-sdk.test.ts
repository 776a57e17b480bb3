import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answers, asks, assistant, call, message, part, res, search, text, tool } from "../../../test/support/formats/build-ai-sdk.ts";
import type { AiMessage } from "./ai-message.ts";
import { checkAiSdk } from "./check-ai-sdk.ts";

const q = message("user", "q");
const head = message("system", "You are an agent.");

type Row = readonly [name: string, rule: string, path: string, message: string, bad: readonly AiMessage[], good: readonly AiMessage[]];

const ROUND = [q, assistant(call("a")), tool(res("a"))];
const notAsked = (id: string): string =>
  `Tool approval response references unknown approvalId: "${id}". No matching tool-approval-request found in message history.`;
const ASSISTANT_PARTS = '"text", "custom", "file", "reasoning", "reasoning-file", "tool-call", "tool-result", "tool-approval-request"';

const ROWS: readonly Row[] = [
  ["a user speaks before the result", "E1", "messages.1", "Tool result is missing for tool call a.", [q, assistant(call("a")), q], [...ROUND, q]],
  [
    "a system message comes before the result",
    "E1",
    "messages.1",
    "Tool result is missing for tool call a.",
    [q, assistant(call("a")), head],
    [...ROUND, head],
  ],
  [
    "parallel calls without results",
    "E1",
    "messages.1",
    "Tool results are missing for tool calls b, c.",
    [q, assistant(call("a"), call("b"), call("c")), tool(res("a"))],
    [q, assistant(call("a"), call("b"), call("c")), tool(res("a")), tool(res("b"), res("c"))],
  ],
  [
    "a client's call answered where the provider answers",
    "E1",
    "messages.1",
    "Tool result is missing for tool call a.",
    [q, assistant(call("a"), res("a"))],
    [q, assistant(search("a"), res("a"))],
  ],
  ["no messages", "E2", "messages", "Invalid prompt: messages must not be empty", [], [q]],
  ["a result without a call", "E3", "messages.1.content.0", "No tool call found for tool result with toolCallId a.", [q, tool(res("a"))], ROUND],
  [
    "a second result",
    "E3",
    "messages.3.content.1",
    "No tool call found for tool result with toolCallId a.",
    [q, assistant(call("a"), call("b")), tool(res("a")), tool(res("b"), res("a"))],
    [q, assistant(call("a"), call("b")), tool(res("a")), tool(res("b"))],
  ],
  [
    "a provider's result without its call",
    "E3",
    "messages.1.content.0",
    "No tool call found for tool result with toolCallId s.",
    [q, assistant(res("s"), text("x"))],
    [q, assistant(search("s"), call("a")), tool(res("a")), assistant(res("s"), text("x"))],
  ],
  [
    "an answer to what was not asked",
    "E4",
    "messages.2.content.1",
    notAsked("p"),
    [q, assistant(call("a")), tool(res("a"), answers("p"))],
    [q, assistant(call("a"), asks("p", "a")), tool(res("a"), answers("p"))],
  ],
  [
    "an answer for a call that is gone",
    "E5",
    "messages.2.content.0",
    'Tool call "a" not found for approval request "p".',
    [q, assistant(text("x"), asks("p", "a")), tool(answers("p"))],
    [q, assistant(call("a"), asks("p", "a")), tool(answers("p"))],
  ],
  [
    "system text in parts",
    "E6",
    "messages.0.content",
    "Invalid input: expected string, received array",
    [{ role: "system", content: [text("You are an agent.")] }, q],
    [head, q],
  ],
  [
    "reasoning of the user",
    "E6",
    "messages.0.content.1.type",
    'Invalid input: expected one of "text", "image", "file", received "reasoning"',
    [{ role: "user", content: [text("q"), part("reasoning", { text: "hm" })] }],
    [{ role: "user", content: [text("q"), part("file", {})] }],
  ],
  [
    "a call in the shape of another format",
    "E6",
    "messages.1.content.0.type",
    `Invalid input: expected one of ${ASSISTANT_PARTS}, received "tool_use"`,
    [q, assistant(part("tool_use", { id: "a", name: "read", input: {} }))],
    [q, assistant(part("reasoning", { text: "hm" }), text("x"))],
  ],
  [
    "text beside results",
    "E6",
    "messages.2.content.1.type",
    'Invalid input: expected one of "tool-result", "tool-approval-response", received "text"',
    [q, assistant(call("a")), tool(res("a"), text("x"))],
    [...ROUND, q],
  ],
  [
    "an output of no known kind",
    "E6",
    "messages.2.content.0.output.type",
    'Invalid input: expected one of "text", "json", "error-text", "error-json", "execution-denied", "content", received "xml"',
    [q, assistant(call("a")), tool(res("a", { type: "xml", value: "<a/>" }))],
    [q, assistant(call("a")), tool(res("a", { type: "json", value: null }))],
  ],
];

describe("what the AI SDK refuses", () => {
  for (const [name, rule, path, message, bad, good] of ROWS) {
    test(`${rule}: ${name}`, () => {
      assert.deepEqual(checkAiSdk(bad), [{ rule, path, message }]);
      assert.deepEqual(checkAiSdk(good), []);
    });
  }

  test("a missing result is reported once, however many messages follow", () => {
    assert.deepEqual(checkAiSdk([q, assistant(call("a")), q, assistant(text("x")), q]).length, 1);
  });

  test("a denial of a tool that the provider would have run is no result without a call", () => {
    const denied = res("s", { type: "execution-denied" });
    assert.deepEqual(checkAiSdk([q, assistant(search("s"), asks("p", "s")), tool(answers("p"), denied)]), []);
  });

  test("a history may be empty, end in an open round, or in an answer to come", () => {
    for (const log of [[], [q, assistant(call("a"))], [q, assistant(call("a")), tool(answers("p"))]]) assert.deepEqual(checkAiSdk(log, { history: true }), []);
    assert.deepEqual(checkAiSdk([q, assistant(call("a")), q], { history: true }).length, 1);
  });
});
