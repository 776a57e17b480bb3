import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asked, call, output, question, type Json } from "../../../test/support/formats/build-responses.ts";
import type { ProtocolOptions } from "../protocol.ts";
import { checkResponsesRequest } from "./check-responses-request.ts";
import { createResponseMemory } from "./response-memory.ts";

const OPTIONS: ProtocolOptions = { tokensOf: (piece) => Math.ceil(JSON.stringify(piece).length / 4), windowTokens: 100_000, newId: (prefix) => prefix };

interface Expected {
  readonly rule: string;
  readonly message: string;
  readonly param?: string | null;
  readonly code?: string | null;
}

function assertRefused(body: Json, { rule, message, param = "input", code = null }: Expected, windowTokens?: number): void {
  const error = { message, type: "invalid_request_error", param, code };
  const options = windowTokens === undefined ? OPTIONS : { ...OPTIONS, windowTokens };
  assert.deepEqual(checkResponsesRequest(body, createResponseMemory(), options), { rule, status: 400, body: { error } });
}

const tool = (name: unknown): Json => ({ type: "function", name, parameters: {} });
const missing = (param: string): Omit<Expected, "rule"> => ({ message: `Missing required parameter: '${param}'.`, param, code: "missing_required_parameter" });

const SHAPES: readonly (readonly [body: Json, expected: Expected])[] = [
  [{ input: "hi" }, { rule: "model", ...missing("model") }],
  [{ model: "gpt-5" }, { rule: "shape", ...missing("input") }],
  [
    { model: "gpt-5", input: 3 },
    {
      rule: "shape",
      message: "Invalid type for 'input': expected one of a string or array of input items, but got an integer instead.",
      code: "invalid_type",
    },
  ],
  [
    asked(question, null),
    { rule: "shape", message: "Invalid type for 'input[1]': expected an object, but got null instead.", param: "input[1]", code: "invalid_type" },
  ],
  [asked(question, { type: "reasoning", summary: [] }), { rule: "shape", ...missing("input[1].id") }],
  [asked(question, { type: "item_reference" }), { rule: "shape", ...missing("input[1].id") }],
  [
    asked(question, call("c"), output("c", { output: [{ type: "output_text", text: "x" }] })),
    {
      rule: "shape",
      message: "Invalid value: 'output_text'. Supported values are: 'input_text', 'input_image', 'input_file', and 'input_audio'.",
      param: "input[2].output[0]",
      code: "invalid_value",
    },
  ],
  [asked({ role: "user" }), { rule: "shape", ...missing("input[0].content") }],
  [
    asked({ role: "tool", content: "x" }),
    {
      rule: "shape",
      message: "Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
      param: "input[0].role",
      code: "invalid_value",
    },
  ],
  [
    asked({ role: "assistant", content: [{ type: "input_text", text: "x" }] }),
    {
      rule: "shape",
      message: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
      param: "input[0].content[0]",
      code: "invalid_value",
    },
  ],
  [
    asked(question, call("c", { arguments: {} }), output("c")),
    {
      rule: "shape",
      message: "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
      param: "input[1].arguments",
      code: "invalid_type",
    },
  ],
  [asked(question, call("c"), { ...output("c"), output: undefined }), { rule: "shape", ...missing("input[2].output") }],
  [
    { ...asked(question), tools: [{ type: "function", function: { name: "read" } }] },
    { rule: "B7", ...missing("tools[0].name") },
  ],
  [
    { ...asked(question), tools: [tool("")] },
    {
      rule: "B7",
      message: "Invalid 'tools[0].name': empty string. Expected a string with minimum length 1, but got an empty string instead.",
      param: "tools[0].name",
      code: "empty_string",
    },
  ],
  [
    { ...asked(question), tools: Array.from({ length: 130 }, (_, number) => tool(`t${number}`)) },
    {
      rule: "B8",
      message: "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 130 instead.",
      param: "tools",
      code: "array_above_max_length",
    },
  ],
  [
    { ...asked(question), tools: [tool("read"), { type: "web_search" }, tool("read")] },
    { rule: "tools", message: "Invalid 'tools[2].name': duplicate name 'read'. Tool names must be unique.", param: "tools[2].name" },
  ],
];

describe("checkResponsesRequest: shapes and sizes", () => {
  SHAPES.forEach(([body, expected], number) => {
    it(`${expected.rule}, row ${number}`, () => assertRefused(body, expected));
  });

  it("refuses a prompt over the window, unless the provider may shorten it", () => {
    const body = { ...asked(question), instructions: "x".repeat(400) };
    const expected = {
      rule: "window",
      message: "Your input exceeds the context window of this model. Please adjust your input and try again.",
      code: "context_length_exceeded",
    };
    assertRefused(body, expected, 100);
    assert.equal(checkResponsesRequest({ ...body, truncation: "auto" }, createResponseMemory(), { ...OPTIONS, windowTokens: 100 }), undefined);
    assert.equal(checkResponsesRequest(body, createResponseMemory(), { ...OPTIONS, windowTokens: 200 }), undefined);
  });
});
