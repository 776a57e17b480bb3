import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PROVIDER_RULES } from "../../messages/rules/table/provider-rules.ts";
import { mayMindView, mindsMessagesOnly } from "./may-mind-view.ts";

const anthropic = (message: string, type = "invalid_request_error"): string => JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
const openai = (message: string, param: string | null = null, code: string | null = null): string =>
  JSON.stringify({ error: { message, type: "invalid_request_error", param, code } });

/** Mistakes of the client: another form of the messages would be refused too. */
const ELSEWHERE: readonly string[] = [
  anthropic("max_tokens: 300000 > 64000, which is the maximum allowed number of output tokens for claude-opus-5"),
  anthropic("max_tokens: Field required"),
  anthropic("`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/messages"),
  anthropic("temperature: Input should be less than or equal to 1"),
  anthropic("`temperature` may only be set to 1 when thinking is enabled. Please consult our documentation"),
  anthropic("`temperature` and `top_p` cannot both be specified for this model. Please use only one."),
  anthropic("stop_sequences: each stop sequence must contain non-whitespace"),
  anthropic("metadata.user_id: Extra inputs are not permitted"),
  anthropic("model: Field required"),
  anthropic("model: String should have at least 1 character"),
  anthropic("Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."),
  anthropic("You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC."),
  anthropic("This organization has been disabled."),
  anthropic('anthropic-version: "2020-01-01" is not a valid version. Please provide a valid version.'),
  anthropic("Unexpected value(s) `x-2026` for the `anthropic-beta` header. Please consult our documentation"),
  anthropic('tool_choice: type "tool" and "any" are not supported for this model.'),
  anthropic("context_management.edits.0.type: Input should be a valid string"),
  openai("max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.", "max_tokens"),
  openai("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter"),
  openai("Unsupported value: 'temperature' does not support 0.2 with this model.", "temperature", "unsupported_value"),
  openai("Invalid value: 'huge'. Supported values are: 'low', 'medium', and 'high'.", "reasoning.effort", "invalid_value"),
  openai("Invalid schema for response_format 'foo': In context=(), 'required' is required to be supplied.", "response_format"),
  openai("Invalid type for 'metadata': expected an object, but got a string instead.", "metadata", "invalid_type"),
  openai("The model `gpt-9` does not exist or you do not have access to it.", null, "model_not_found"),
  openai("Invalid model name passed in model=gpt-9. Call `/v1/models` to view available models for your key."),
  openai("You exceeded your current quota, please check your plan and billing details.", null, "insufficient_quota"),
  JSON.stringify({ error: { message: "foo/bar is not a valid model ID", code: 400 }, user_id: "user_1" }),
  JSON.stringify({ error: { message: "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", type: "invalid_request_error" } }),
  JSON.stringify({ object: "error", message: "max_tokens must be at least 1, got 0.", type: "BadRequestError", param: null, code: 400 }),
  JSON.stringify({ detail: [{ type: "less_than_equal", loc: ["body", "temperature"], msg: "Input should be less than or equal to 2", input: 3 }] }),
  JSON.stringify({ error: { message: "Provider returned error", code: 400, metadata: { raw: anthropic("temperature: range: 0..1"), provider_name: "X" } } }),
  JSON.stringify([{ error: { code: 400, message: anthropic("top_k: Input should be greater than 0"), status: "INVALID_ARGUMENT" } }]),
  // As in the AI SDK: the message of an error, followed by its body.
  `max_tokens: Field required\n${anthropic("max_tokens: Field required")}`,
];

/** About the messages or the head of the request, or unclear. */
const PERHAPS: readonly string[] = [
  openai("Invalid type for 'messages[3].content'", "messages.[3].role"),
  openai("Something is wrong.", "input[2]"),
  openai("Something is wrong.", "tools"),
  openai("Invalid 'tools[0].function.name': empty string.", "tools[0].function.name", "empty_string"),
  openai("Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.", "input"),
  openai("The following tool_call_ids did not have response messages: call_1"),
  openai("We could not parse the JSON body of your request."),
  anthropic("messages.1: something that views may cause"),
  anthropic("system.0.cache_control.ttl: Input should be '5m' or '1h'"),
  anthropic("thinking.adaptive.budget_tokens: Extra inputs are not permitted"),
  anthropic("This model does not support assistant message prefill. The conversation must end with a user message."),
  anthropic("The request body is not valid JSON."),
  anthropic("Error"),
  JSON.stringify({ message: "The model returned the following errors: messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: x" }),
  JSON.stringify({
    object: "error",
    message: "After the optional system message, conversation roles must alternate user/assistant",
    type: "BadRequestError",
    code: 400,
  }),
  JSON.stringify({ object: "error", message: "[{'type': 'string_type', 'loc': ('body', 'messages', 0, 'content'), 'msg': 'Input should be a valid string'}]" }),
  JSON.stringify({ detail: [{ type: "missing", loc: ["body", "messages", 3, "content"], msg: "Field required" }] }),
  // One of two faults may be ours.
  JSON.stringify({ detail: [{ loc: ["body", "temperature"], msg: "Field required" }, { loc: ["body", "messages", 3], msg: "Field required" }] }), // prettier-ignore
  JSON.stringify({ error: { message: "Provider returned error", code: 400, metadata: { raw: openai("Something is wrong.", "input") } } }),
  JSON.stringify({ error: { message: "Provider returned error", code: 400 } }),
  JSON.stringify({ error: { message: "Failed to call a function.", code: "tool_use_failed", failed_generation: "max_tokens temperature" } }),
  "Bad Request",
  "<html><body>400</body></html>",
  "{half",
  "",
];

describe("a refusal that no other form of the messages could avoid reaches the client at once", () => {
  for (const said of ELSEWHERE) test(said.slice(0, 140), () => assert.equal(mayMindView(said), false));
});

describe("any other may be our doing", () => {
  for (const said of PERHAPS) test(said.slice(0, 140), () => assert.equal(mayMindView(said), true));
  test("every error of the rules on messages, in each API's form", () => {
    // A2.18 is about `tool_choice`, which is never changed here.
    const rules = PROVIDER_RULES.flatMap(({ groups }) => groups.flatMap((group) => group.rules)).filter(({ number }) => number !== "A2.18");
    const errors = rules.flatMap((rule) => rule.errors);
    assert.ok(errors.length > 40);
    assert.deepEqual(
      errors.filter((error) => !mayMindView(anthropic(error)) || !mayMindView(openai(error)) || !mayMindView(error)),
      [],
    );
  });
});

describe("a refusal is about the messages only", () => {
  for (const said of [
    openai("Item 'rs_1' of type 'reasoning' was provided without its required following item.", "input"),
    openai("Invalid 'messages[3].content[0].image_url'. Expected a base64-encoded data URL.", "messages[3].content[0].image_url"),
    anthropic("messages.5: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1"),
    anthropic("messages.3.content.0.image.source.base64.data: Could not process image"),
    JSON.stringify({ detail: [{ type: "missing", loc: ["body", "messages", 3, "content"], msg: "Field required" }] }),
  ])
    test(said.slice(0, 140), () => assert.equal(mindsMessagesOnly(said), true));
});

describe("a refusal may be about what stands before the messages, or in them and is ours", () => {
  for (const said of [
    openai("Something is wrong.", "input[0].tools[3]"),
    openai("Invalid schema for function 'recall'.", "tools[0].function.parameters"),
    anthropic("A maximum of 4 blocks with cache_control may be provided. Found 5."),
    anthropic("messages.1.content.0: Invalid `signature` in `thinking` block"),
    anthropic("system.0.text: text content blocks must be non-empty"),
    anthropic("The request body is not valid JSON."),
    "Bad Request",
    "",
  ])
    test(said.slice(0, 140), () => assert.equal(mindsMessagesOnly(said), false));
});
