import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asked, call, question, result, type Json } from "../../../test/support/formats/build-chat.ts";
import type { ProtocolOptions } from "../protocol.ts";
import { checkChatRequest } from "./check-chat-request.ts";

const OPTIONS: ProtocolOptions = { tokensOf: (piece) => Math.ceil(JSON.stringify(piece).length / 4), windowTokens: 100_000, newId: (prefix) => prefix };

const calls = (...made: Json[]): Json => ({ role: "assistant", content: null, tool_calls: made });
const tool = (name: unknown): Json => ({ type: "function", function: { name, parameters: {} } });
const image: Json = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };

const withTools = (...tools: Json[]): Json => ({ ...asked(question), tools });
const many = Array.from({ length: 129 }, (_, number) => tool(`tool_${number}`));
const long = "x".repeat(65);

type Row = readonly [rule: string, body: Json, message: string, param?: string | null, code?: string | null];

const UNANSWERED =
  "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ";
const UNASKED = "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
const NO_CONTENT = "Invalid value for 'content': expected a string, got null.";

const REFUSED: readonly Row[] = [
  ["model", { messages: [question] }, "you must provide a model parameter"],
  ["shape", { model: "gpt-5" }, "Missing required parameter: 'messages'.", "messages", "missing_required_parameter"],
  [
    "shape",
    { model: "gpt-5", messages: "hi" },
    "Invalid type for 'messages': expected an array of objects, but got a string instead.",
    "messages",
    "invalid_type",
  ],
  [
    "shape",
    { model: "gpt-5", messages: [question, "hi"] },
    "Invalid type for 'messages[1]': expected an object, but got a string instead.",
    "messages[1]",
    "invalid_type",
  ],
  ["B1", asked(question, calls(call("call_1"))), `${UNANSWERED}call_1`, "messages.[2].role"],
  [
    "B1",
    asked(question, calls(call("call_1"), call("call_2"), call("call_3")), result("call_2"), question),
    `${UNANSWERED}call_1, call_3`,
    "messages.[3].role",
  ],
  ["B1", asked(question, calls(call("call_1")), question, result("call_1")), `${UNANSWERED}call_1`, "messages.[2].role"],
  ["B2", asked(question, result("call_1")), UNASKED, "messages.[1].role"],
  ["B2", asked(question, calls(call("call_1")), result("call_1"), result("call_1")), UNASKED, "messages.[3].role"],
  ["B2", asked(question, calls(call("call_1")), result("call_1"), result("call_2")), UNASKED, "messages.[3].role"],
  [
    "B3",
    asked(question, { role: "assistant", content: "x" }, { role: "assistant", content: "x", tool_calls: [] }),
    "Invalid 'messages[2].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.",
    "messages[2].tool_calls",
    "empty_array",
  ],
  ["B4", asked(question, { role: "assistant", content: null }), NO_CONTENT, "messages.[1].content"],
  ["B4", asked({ role: "user", content: null }), NO_CONTENT, "messages.[0].content"],
  ["B4", asked({ role: "system" }, question), NO_CONTENT, "messages.[0].content"],
  ["B4", asked(question, calls(call("call_1")), result("call_1", null)), NO_CONTENT, "messages.[2].content"],
  ["B5", asked(), "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.", "messages", "empty_array"],
  [
    "B6",
    asked(question, calls(call("call_1"), call(long)), result("call_1"), result(long)),
    "Invalid 'messages[1].tool_calls[1].id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    "messages[1].tool_calls[1].id",
    "string_above_max_length",
  ],
  [
    "B7",
    asked(question, calls(call("call_1", "")), result("call_1")),
    "Invalid 'messages[1].tool_calls[0].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
    "messages[1].tool_calls[0].function.name",
    "empty_string",
  ],
  [
    "B7",
    withTools(tool("read"), tool("read file")),
    "Invalid 'tools[1].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    "tools[1].function.name",
    "invalid_value",
  ],
  [
    "B7",
    withTools(tool(long)),
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 65 instead.",
    "tools[0].function.name",
    "string_above_max_length",
  ],
  ["B7", withTools({ type: "function", name: "read" }), "Missing required parameter: 'tools[0].function'.", "tools[0].function", "missing_required_parameter"],
  [
    "B8",
    withTools(...many),
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead.",
    "tools",
    "array_above_max_length",
  ],
  [
    "B9",
    asked(question, calls(call("call_1")), result("call_1", [image])),
    "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
    "messages[2]",
    "invalid_value",
  ],
  [
    "B9",
    asked(question, { role: "assistant", content: [{ type: "thinking", thinking: "hm" }] }),
    "Invalid value: 'thinking'. Supported values are: 'text' and 'refusal'.",
    "messages[1].content[0].type",
    "invalid_value",
  ],
  [
    "B9",
    asked({ role: "user", content: [{ type: "tool_result" }] }),
    "Invalid value: 'tool_result'. Supported values are: 'text', 'image_url', 'input_audio', and 'file'.",
    "messages[0].content[0].type",
    "invalid_value",
  ],
  [
    "shape",
    asked({ role: "model", content: "x" }),
    "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    "messages[0].role",
    "invalid_value",
  ],
  [
    "shape",
    asked({ role: "user", content: 5 }),
    "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got an integer instead.",
    "messages[0].content",
    "invalid_type",
  ],
  [
    "shape",
    asked({ role: "user", content: [{ type: "text" }] }),
    "Missing required parameter: 'messages[0].content[0].text'.",
    "messages[0].content[0].text",
    "missing_required_parameter",
  ],
  [
    "shape",
    asked(question, calls(call("call_1", "read", { path: "a.txt" })), result("call_1")),
    "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
    "messages[1].tool_calls[0].function.arguments",
    "invalid_type",
  ],
  [
    "shape",
    asked(question, calls({ type: "function", function: { name: "read", arguments: "{}" } }), { role: "tool", content: "ok" }),
    "Missing required parameter: 'messages[2].tool_call_id'.",
    "messages[2].tool_call_id",
    "missing_required_parameter",
  ],
  [
    "shape",
    asked({ role: "__proto__", content: [image] }),
    "Invalid value: '__proto__'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
    "messages[0].role",
    "invalid_value",
  ],
  [
    "shape",
    asked(question, calls({ id: "call_1", type: "custom", custom: { name: "patch" } }), result("call_1")),
    "Missing required parameter: 'messages[1].tool_calls[0].custom.input'.",
    "messages[1].tool_calls[0].custom.input",
    "missing_required_parameter",
  ],
  [
    "tools",
    withTools(tool("read"), tool("read")),
    "Invalid 'tools[1].function.name': duplicate name 'read'. Tool names must be unique.",
    "tools[1].function.name",
  ],
];

describe("checkChatRequest: what is refused", () => {
  REFUSED.forEach(([rule, body, message, param = null, code = null], number) => {
    it(`${rule}, row ${number}`, () => {
      const error = { message, type: "invalid_request_error", param, code };
      assert.deepEqual(checkChatRequest(body, OPTIONS), { rule, status: 400, body: { error } });
    });
  });

  it("a prompt over the window", () => {
    const body = asked(question, { role: "user", content: "x".repeat(800) });
    const message =
      "This model's maximum context length is 100 tokens. However, your messages resulted in 219 tokens. Please reduce the length of the messages.";
    const refused = checkChatRequest(body, { ...OPTIONS, windowTokens: 100 });
    assert.deepEqual(refused?.body, { error: { message, type: "invalid_request_error", param: "messages", code: "context_length_exceeded" } });
    assert.equal(checkChatRequest(body, { ...OPTIONS, windowTokens: 219 }), undefined);
  });

  it("of two broken rules the first, wherever it stands", () => {
    const body = asked(question, { role: "assistant", content: null }, calls(call("call_1")), question);
    assert.equal(checkChatRequest(body, OPTIONS)?.rule, "B1");
  });
});

const ACCEPTED: Readonly<Record<string, Json>> = {
  "a first message of the assistant (B10)": asked({ role: "assistant", content: "Hello." }, question),
  "neighbours of one role (B10)": asked(question, question, { role: "assistant", content: "a" }, { role: "assistant", content: "b" }),
  "several rounds, answers in any order": asked(
    { role: "developer", content: [{ type: "text", text: "You are an agent." }] },
    question,
    calls(call("call_1"), call("call_2")),
    result("call_2", [{ type: "text", text: "two" }]),
    result("call_1", ""),
    { role: "assistant", content: [{ type: "refusal", refusal: "No." }], tool_calls: [call("call_3")] },
    result("call_3"),
  ),
  "no content beside the older way to call": asked(
    question,
    { role: "assistant", content: null, function_call: { name: "read", arguments: "{}" } },
    { role: "function", name: "read", content: "ok" },
  ),
  "no content beside a refusal, or where sound was sent": asked(
    question,
    { role: "assistant", refusal: "No." },
    { role: "assistant", content: null, audio: { id: "audio_1" } },
  ),
  "images, sound and files of the user": asked({ role: "user", content: [image, { type: "input_audio" }, { type: "file" }] }),
  "a custom tool and its call": {
    ...asked(question, calls({ id: "call_1", type: "custom", custom: { name: "patch", input: "***" } }), result("call_1")),
    tools: [{ type: "custom", custom: { name: "patch" } }],
  },
  "128 tools": withTools(...many.slice(1)),
};

describe("checkChatRequest: what is accepted", () => {
  for (const [name, body] of Object.entries(ACCEPTED)) it(name, () => assert.equal(checkChatRequest(body, OPTIONS), undefined));
});
