import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AiMessage, AiPart } from "./ai-message.ts";
import { checkAiSdk } from "./check-ai-sdk.ts";

const part = (type: string, fields: object): AiPart => ({ type, ...fields });
const text = (value: string): AiPart => part("text", { text: value });
const call = (id: string, more: object = {}): AiPart => part("tool-call", { toolCallId: id, toolName: "read", input: {}, ...more });
const search = (id: string): AiPart => call(id, { providerExecuted: true });
const res = (id: string, output: object = { type: "text", value: "ok" }): AiPart => part("tool-result", { toolCallId: id, toolName: "read", output });
const asks = (approvalId: string, toolCallId: string): AiPart => part("tool-approval-request", { approvalId, toolCallId });
const answers = (approvalId: string): AiPart => part("tool-approval-response", { approvalId, approved: true });
const model = (...content: AiPart[]): AiMessage => ({ role: "assistant", content });
const tool = (...content: AiPart[]): AiMessage => ({ role: "tool", content });
const q: AiMessage = { role: "user", content: "q" };
const head: AiMessage = { role: "system", content: "You are an agent." };

type Row = readonly [name: string, rule: string, path: string, message: string, bad: readonly AiMessage[], good: readonly AiMessage[]];

const ROUND = [q, model(call("a")), tool(res("a"))];
const notAsked = (id: string): string =>
  `Tool approval response references unknown approvalId: "${id}". No matching tool-approval-request found in message history.`;
const ASSISTANT_PARTS = '"text", "custom", "file", "reasoning", "reasoning-file", "tool-call", "tool-result", "tool-approval-request"';

const ROWS: readonly Row[] = [
  ["a user speaks before the result", "E1", "messages.1", "Tool result is missing for tool call a.", [q, model(call("a")), q], [...ROUND, q]],
  ["a system message comes before the result", "E1", "messages.1", "Tool result is missing for tool call a.", [q, model(call("a")), head], [...ROUND, head]],
  [
    "parallel calls without results",
    "E1",
    "messages.1",
    "Tool results are missing for tool calls b, c.",
    [q, model(call("a"), call("b"), call("c")), tool(res("a"))],
    [q, model(call("a"), call("b"), call("c")), tool(res("a")), tool(res("b"), res("c"))],
  ],
  [
    "a client's call answered where the provider answers",
    "E1",
    "messages.1",
    "Tool result is missing for tool call a.",
    [q, model(call("a"), res("a"))],
    [q, model(search("a"), res("a"))],
  ],
  ["no messages", "E2", "messages", "Invalid prompt: messages must not be empty", [], [q]],
  ["a result without a call", "E3", "messages.1.content.0", "No tool call found for tool result with toolCallId a.", [q, tool(res("a"))], ROUND],
  [
    "a second result",
    "E3",
    "messages.3.content.1",
    "No tool call found for tool result with toolCallId a.",
    [q, model(call("a"), call("b")), tool(res("a")), tool(res("b"), res("a"))],
    [q, model(call("a"), call("b")), tool(res("a")), tool(res("b"))],
  ],
  [
    "a provider's result without its call",
    "E3",
    "messages.1.content.0",
    "No tool call found for tool result with toolCallId s.",
    [q, model(res("s"), text("x"))],
    [q, model(search("s"), call("a")), tool(res("a")), model(res("s"), text("x"))],
  ],
  [
    "an answer to what was not asked",
    "E4",
    "messages.2.content.1",
    notAsked("p"),
    [q, model(call("a")), tool(res("a"), answers("p"))],
    [q, model(call("a"), asks("p", "a")), tool(res("a"), answers("p"))],
  ],
  [
    "an answer for a call that is gone",
    "E5",
    "messages.2.content.0",
    'Tool call "a" not found for approval request "p".',
    [q, model(text("x"), asks("p", "a")), tool(answers("p"))],
    [q, model(call("a"), asks("p", "a")), tool(answers("p"))],
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
    [q, model(part("tool_use", { id: "a", name: "read", input: {} }))],
    [q, model(part("reasoning", { text: "hm" }), text("x"))],
  ],
  [
    "text beside results",
    "E6",
    "messages.2.content.1.type",
    'Invalid input: expected one of "tool-result", "tool-approval-response", received "text"',
    [q, model(call("a")), tool(res("a"), text("x"))],
    [...ROUND, q],
  ],
  [
    "an output of no known kind",
    "E6",
    "messages.2.content.0.output.type",
    'Invalid input: expected one of "text", "json", "error-text", "error-json", "execution-denied", "content", received "xml"',
    [q, model(call("a")), tool(res("a", { type: "xml", value: "<a/>" }))],
    [q, model(call("a")), tool(res("a", { type: "json", value: null }))],
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
    assert.deepEqual(checkAiSdk([q, model(call("a")), q, model(text("x")), q]).length, 1);
  });

  test("a denial of a tool that the provider would have run is no result without a call", () => {
    const denied = res("s", { type: "execution-denied" });
    assert.deepEqual(checkAiSdk([q, model(search("s"), asks("p", "s")), tool(answers("p"), denied)]), []);
  });

  test("a history may be empty, end in an open round, or in an answer to come", () => {
    for (const log of [[], [q, model(call("a"))], [q, model(call("a")), tool(answers("p"))]]) assert.deepEqual(checkAiSdk(log, { history: true }), []);
    assert.deepEqual(checkAiSdk([q, model(call("a")), q], { history: true }).length, 1);
  });
});
