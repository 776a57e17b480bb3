import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assistant, res, serverRes, serverUse, text, think, use, user } from "../../../test/support/build.ts";
import type { OpenBlock } from "../../messages/message.ts";
import type { Rejection } from "../protocol.ts";
import { createAnthropicProtocol, type AnthropicOptions } from "./anthropic-protocol.ts";

type Body = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;

const OPTIONS: AnthropicOptions = {
  tokensOf: (piece) => Math.ceil(JSON.stringify(piece).length / 4),
  windowTokens: 5000,
  newId: (prefix) => `${prefix}1`,
  bindsThinking: true,
  prefill: false,
  minimumCacheTokens: 1024,
  verifiesSignatures: false,
};

const system = (content: unknown, more: object = {}): Body => ({ role: "system", content, ...more });
const look = (id: string, more: object = {}): OpenBlock => use(id, "look", {}, more);
const seen = (id: string, more: object = {}): OpenBlock => res(id, "seen", more);
const thought = think("signed");
const search = serverUse("srvtoolu_1");
const found = serverRes("srvtoolu_1");
const tool = (name: string, more: object = {}): Body => ({ name, input_schema: { type: "object" }, ...more });
const marked = (ttl?: string): object => ({ cache_control: { type: "ephemeral", ...(ttl === undefined ? {} : { ttl }) } });

const hello = user(text("hello"));
const body = (messages: unknown, more: object = {}): Body => ({ model: "claude-opus-5", max_tokens: 100, messages, ...more });
const MANUAL = { thinking: { type: "enabled", budget_tokens: 1024 } };
const ADAPTIVE = { thinking: { type: "adaptive" } };
const UNANSWERED = (position: number, ids: string): string =>
  `messages.${position}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
const UNEXPECTED = (path: string, id: string): string =>
  `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
const LONG_BEHIND_SHORT =
  "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.";
const PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message.";

const REFUSED: readonly (readonly [rule: string, message: string, body: Body, options?: Partial<AnthropicOptions>, headers?: Headers])[] = [
  ["shape", "model: Field required", { max_tokens: 1, messages: [hello] }],
  ["shape", "max_tokens: Field required", { model: "m", messages: [hello] }],
  ["shape", "messages: Field required", { model: "m", max_tokens: 1 }],
  ["shape", "messages.0.content: Field required", body([{ role: "user" }])],
  ["shape", "messages.0.content.0.type: Field required", body([{ role: "user", content: [{ text: "hello" }] }])],
  ["shape", 'messages: Unexpected role "tool". Allowed roles are "user" or "assistant"', body([{ role: "tool", content: "x" }])],
  ["A1.1", "messages: at least one message is required", body([])],
  ["A1.2", 'messages: first message must use the "user" role', body([assistant(text("I begin")), hello])],
  ["A1.4", "messages.1: all messages must have non-empty content except for the optional final assistant message", body([hello, assistant(), hello])],
  ["A1.4", "messages.0: all messages must have non-empty content except for the optional final assistant message", body([{ role: "user", content: "" }])],
  ["A1.5", "messages: text content blocks must be non-empty", body([user(text("hello"), text(""))])],
  ["A1.6", "messages: text content blocks must contain non-whitespace text", body([user(text(" \n"))])],
  ["A1.7", "messages: final assistant content cannot end with trailing whitespace", body([hello, assistant(text("So "))]), { prefill: true }],
  ["A1.8", PREFILL, body([hello, assistant(text("So"))])],
  ["A1.8", PREFILL, body([hello, assistant()])],
  ["A1.9", "messages: assistant message prefill is not supported while thinking is enabled", body([hello, assistant(text("So"))], ADAPTIVE), { prefill: true }],
  ["A1.10", "messages.0: a `system` message cannot be the first message", body([system("Be brief."), hello])],
  [
    "A1.10",
    "messages.2: a `system` message must directly follow a `user` message or a server tool result",
    body([hello, assistant(text("hi")), system("Be brief.")]),
  ],
  ["A1.10", "messages.1: a `system` message must be last or be followed by an `assistant` message", body([hello, system("Be brief."), hello])],
  [
    "A1.10",
    "messages.2: a `system` message must directly follow a `user` message or a server tool result",
    body([hello, assistant(look("a")), system("Be brief."), user(seen("a"))]),
  ],
  ["A1.11", "messages.1.content.0: `image` blocks are not allowed in `system` messages", body([hello, system([{ type: "image", source: {} }])])],
  ["A1.11", "messages.1: a `system` message needs content or an output_config", body([hello, system([])])],
  [
    "A1.11",
    "messages.1.content.0: cache_control cannot be set on a message with clear_at",
    body([hello, system([text("x", marked())], { clear_at: "next_user_message" })]),
  ],
  ["A1.12", "messages.0.content.0.text.timestamp: Extra inputs are not permitted", body([user(text("hello", { timestamp: 1 }))])],
  ["A2.1", UNANSWERED(1, "a"), body([hello, assistant(look("a")), user(text("and?"))])],
  ["A2.1", UNANSWERED(1, "a, b"), body([hello, assistant(look("a"), look("b")), user(text("and?"))])],
  ["A2.1", UNANSWERED(1, "b"), body([hello, assistant(look("a"), look("b")), user(seen("a"))])],
  ["A2.1", "messages.0.content.0: `tool_use` blocks can only be in `assistant` messages", body([user(look("a"))])],
  ["A2.2", UNEXPECTED("messages.2.content.0", "a"), body([hello, assistant(text("hi")), user(seen("a"))])],
  ["A2.2", UNEXPECTED("messages.0.content.1", "a"), body([user(text("hello"), seen("a"))])],
  ["A2.3", UNANSWERED(1, "a"), body([hello, assistant(look("a")), user(text("here:"), seen("a"))])],
  ["A2.5", "messages.3.content.0: `tool_use` ids must be unique", body([hello, assistant(look("a")), user(seen("a")), assistant(look("a")), user(seen("a"))])],
  [
    "A2.6",
    "messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a",
    body([hello, assistant(look("a")), user(seen("a"), seen("a"))]),
  ],
  ["A2.7", "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'", body([hello, assistant(look("a b")), user(seen("a b"))])],
  ["A2.8", "messages.1.content.0.tool_use.name: String should have at most 200 characters", body([hello, assistant(look("a", { name: "n".repeat(201) }))])],
  ["A2.8", "tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'", body([hello], { tools: [tool("fine"), tool("not fine")] })],
  ["A2.8", "tools: Tool names must be unique.", body([hello], { tools: [tool("look"), tool("look")] })],
  ["A2.9", "messages.1.content.0.tool_use.input: Input should be a valid dictionary", body([hello, assistant(look("a", { input: "text" }))])],
  [
    "A2.10",
    "messages.2.content.0.tool_result.content.0: Input tag 'tool_use' found using 'type' does not match any of the expected tags: 'text', 'image', 'document', 'search_result', 'tool_reference', 'browser_state'",
    body([hello, assistant(look("a")), user(seen("a", { content: [look("b")] }))]),
  ],
  [
    "A2.12",
    "messages.2.content.0.tool_result: content cannot be empty if `is_error` is true",
    body([hello, assistant(look("a")), user(seen("a", { content: "", is_error: true }))]),
  ],
  [
    "A2.13",
    "messages.2.content.0.tool_result: all content must be type `text` if `is_error` is true",
    body([hello, assistant(look("a")), user(seen("a", { content: [{ type: "image", source: {} }], is_error: true }))]),
  ],
  [
    "A2.15",
    "Tool reference 'gone' not found in available tools",
    body([hello, assistant(look("a")), user(seen("a", { content: [{ type: "tool_reference", tool_name: "gone" }] }))], { tools: [tool("look")] }),
  ],
  ["A2.16", "At least one tool must have defer_loading=false. All tools cannot be deferred", body([hello], { tools: [tool("look", { defer_loading: true })] })],
  [
    "A2.16",
    "Tool 'look' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.",
    body([hello], { tools: [tool("fine"), tool("look", { defer_loading: true, ...marked() })] }),
  ],
  ["A2.18", "Thinking may not be enabled when tool_choice forces tool use.", body([hello], { ...MANUAL, tool_choice: { type: "any" }, tools: [tool("look")] })],
  [
    "A3.1",
    "messages.1.content.0: unexpected `tool_use_id` found in `web_search_tool_result` blocks: srvtoolu_1. Each `web_search_tool_result` block must have a corresponding `server_tool_use` block before it.",
    body([hello, assistant(found, text("found it")), hello]),
  ],
  [
    "A3.2",
    "`web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block",
    body([hello, assistant(search, text("well")), hello]),
  ],
  [
    "A3.2",
    "`web_search` tool use with id `srvtoolu_1` was found without a corresponding `web_search_tool_result` block, but no `web_search` tool was provided",
    body([hello, assistant(search)]),
  ],
  [
    "A3.3",
    "messages.1.content.0: `caller.tool_id` srvtoolu_9 has no corresponding `server_tool_use` block before it",
    body([hello, assistant(look("a", { caller: { type: "code_execution_20250825", tool_id: "srvtoolu_9" } })), user(seen("a"))]),
  ],
  [
    "A4.2",
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.",
    body([hello, assistant(look("a")), user(seen("a"))], MANUAL),
  ],
  [
    "A4.4",
    "If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`. Found `text`.",
    body([hello, assistant(text("so"), thought, text("then")), hello], ADAPTIVE),
  ],
  ["A4.5", "messages.1: The final block in an assistant message cannot be `thinking`.", body([hello, assistant(thought), hello], ADAPTIVE)],
  [
    "A4.6",
    "When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.",
    body([hello, assistant(thought, look("a")), user(seen("a"))]),
  ],
  [
    "A4.7",
    "messages.1.content.0.thinking.signature: Field required",
    body([hello, assistant({ type: "thinking", thinking: "hm" }, text("so")), hello], ADAPTIVE),
  ],
  [
    "A4.7",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    body([hello, assistant(thought, text("so")), hello], ADAPTIVE),
    { verifiesSignatures: true },
  ],
  [
    "A4.9",
    "block_binding: Extra inputs are not permitted",
    body([hello], { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } }),
  ],
  [
    "A5",
    "compaction_block_misplaced",
    body([hello, assistant({ type: "compaction", content: "s", signature: "x" }), hello]),
    {},
    { "anthropic-beta": "compact-2026-09-04" },
  ],
  [
    "A5",
    "messages.1.content.0.compaction.content: String should have at least 1 character",
    body([hello, assistant({ type: "compaction", content: "" }), hello]),
  ],
  [
    "A6",
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    body([user(text("a", marked()), text("b", marked()), text("c"))], {
      system: [text("s", marked())],
      tools: [tool("t", marked())],
      ...marked(),
    }),
  ],
  ["A6", `messages.0.content.0.cache_control.ttl: ${LONG_BEHIND_SHORT}`, body([user(text("a", marked("1h")))], { system: [text("s", marked())] })],
  [
    "A6",
    "cache_control: the last block has a cache_control with a different ttl",
    body([user(text("a", marked("1h")))], { cache_control: { type: "ephemeral" } }),
  ],
  [
    "A6",
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
    body([hello, assistant({ ...thought, ...marked() }, text("x")), hello]),
  ],
  ["A6", "prompt is too long: 5012 tokens > 5000 maximum", body([user(text("x".repeat(20_023)))])],
];

describe("a request that breaks a rule is refused in the provider's words", () => {
  for (const [rule, message, request, options = {}, headers = {}] of REFUSED) {
    it(`${rule}: ${message.slice(0, 80)}`, () => {
      const rejection = createAnthropicProtocol({ ...OPTIONS, ...options }).check(request, headers);
      assert.deepEqual(rejection, {
        status: 400,
        rule,
        body: { type: "error", error: { type: "invalid_request_error", message }, request_id: "req_1" },
      } satisfies Rejection);
    });
  }

  it("on empty text, a cache marker has its own words, which the rule for empty text comes before", () => {
    const { check } = createAnthropicProtocol(OPTIONS);
    const request = body([hello], { system: [text("", marked())] });
    assert.match(JSON.stringify(check(request, {})), /system\.0\.text: cache_control cannot be set for empty text blocks/);
  });
});

const ACCEPTED: Readonly<Record<string, readonly [body: Body, headers?: Headers, options?: Partial<AnthropicOptions>]>> = {
  "text as a string": [body([{ role: "user", content: "hello" }])],
  "A1.3: neighbours of one role": [body([hello, hello, assistant(text("a")), assistant(text("b")), hello])],
  "A1.8: a turn that waits for a server tool": [body([hello, assistant(search)], { tools: [{ type: "web_search_20250305", name: "web_search" }] })],
  "A1.10: system messages after the user, one or two": [body([hello, system("a"), system("b"), assistant(text("hi")), hello, system("c")])],
  "A2.4: results in two user messages": [body([hello, assistant(look("a"), look("b")), user(seen("a")), user(seen("b"), text("both"))])],
  "A2.10: a result without content": [body([hello, assistant(look("a")), user({ type: "tool_result", tool_use_id: "a" })])],
  "A2.14: calls in the history, and no tools": [body([hello, assistant(look("a")), user(seen("a"))])],
  "A3.1: a server tool and its result": [body([hello, assistant(search, found, text("found")), hello])],
  "A4.3: adaptive thinking, and none in the loop": [body([hello, assistant(look("a")), user(seen("a"))], ADAPTIVE)],
  "A4.2: manual thinking at the start of the loop": [
    body([hello, assistant(thought, look("a")), user(seen("a")), assistant(look("b")), user(seen("b"))], MANUAL),
  ],
  "A4.6: old thinking, and thinking disabled": [body([hello, assistant(thought, text("so")), hello])],
  "A4.9: block_binding with its beta": [
    body([hello], { thinking: { type: "adaptive", block_binding: { prefix_mismatch_behavior: "drop_block" } } }),
    { "anthropic-beta": "a-2026-01-01, thinking-binding-controls-2026-08-01" },
  ],
  "A1.2, A5: a signed compaction block first": [
    body([assistant({ type: "compaction", content: "s", signature: "x" }), hello]),
    { "anthropic-beta": "compact-2026-09-04" },
  ],
  "A6: four markers, long-lived ones first": [
    body([user(text("a", marked()), text("b", marked()))], { system: [text("s", marked("1h"))], tools: [tool("t", marked("1h"))] }),
  ],
  "prefill, where the model takes it": [body([hello, assistant(text("So"))]), {}, { prefill: true }],
  "F: max_tokens 0": [body([hello], { max_tokens: 0 })],
  "block types that are not in the table": [body([user({ type: "container_upload", file_id: "f" })])],
};

describe("a request that breaks no rule is accepted", () => {
  for (const [name, [request, headers = {}, options = {}]] of Object.entries(ACCEPTED)) {
    it(name, () => assert.equal(createAnthropicProtocol({ ...OPTIONS, ...options }).check(request, headers), undefined));
  }

  it("counts what it would refuse to answer without max_tokens", () => {
    const { count } = createAnthropicProtocol(OPTIONS);
    assert.equal(count?.check({ model: "m", messages: [hello] }, {}), undefined);
    assert.deepEqual(count?.answer({ model: "m", messages: [hello] }), { input_tokens: Math.ceil(JSON.stringify(text("hello")).length / 4) });
    assert.equal(count?.check(body([]), {})?.rule, "A1.1");
  });

  it("A1.8: a turn that the double itself paused may come back", () => {
    const { answer, check } = createAnthropicProtocol(OPTIONS);
    const { json } = answer(body([hello]), { text: "One moment.", stop: "pause" }, 0);
    assert.equal(json["stop_reason"], "pause_turn");
    assert.equal(check(body([hello, { role: "assistant", content: json["content"] }]), {}), undefined);
    assert.equal(check(body([hello, assistant(text("Two moments."))]), {})?.rule, "A1.8");
  });
});
