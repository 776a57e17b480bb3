/**
 * One input that each rule refuses, with the place and the provider's own words, and a twin that it accepts.
 * The rules for tools have their tests beside them, in `src/messages/rules/`.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkMessages, type Block, type CheckTarget, type Finding, type Message } from "../src/index.ts";
import { assistant, block, res, serverRes, serverUse, text, think, use, user } from "./support/build.ts";
import { faults } from "./support/provider-judge.ts";
import { checkProperty, deepFreeze, pendingTranscript, validTranscript } from "./support/transcripts.ts";

const image = block("image", { source: {} });
const compaction = (more: object = {}): Block => block("compaction", { content: "Earlier.", ...more });
const system = (content: string | Block[], more: object = {}): Message => ({ role: "system", content, ...more });
const q = user("q");
const says = assistant("a");
const marker = { cache_control: { type: "ephemeral" } };

const PREFILL = "This model does not support assistant message prefill. The conversation must end with a user message.";
const manual: CheckTarget = { thinking: "manual" };
const prefill: CheckTarget = { prefill: true, thinking: "off" };

type Row = readonly [rule: string, path: string, message: string, bad: readonly Message[], good: readonly Message[], target?: CheckTarget];

const STRUCTURE: readonly Row[] = [
  ["A1.1", "messages", "messages: at least one message is required", [], [q]],
  ["A1.1", "messages", "messages: at most 100000 messages are allowed, found 100001", new Array<Message>(100_001).fill(q), new Array<Message>(100_000).fill(q)],
  ["A1.2", "messages.0", 'messages: first message must use the "user" role', [says, q], [q, says, q]],
  ["A1.2", "messages.0", 'messages: first message must use the "user" role', [assistant(compaction()), q], [assistant(compaction({ signature: "s" })), q]],
  ["A1.4", "messages.1", "messages.1: all messages must have non-empty content except for the optional final assistant message", [q, assistant(), q], [q, q]],
  ["A1.4", "messages.0", "messages.0: all messages must have non-empty content except for the optional final assistant message", [user("")], [q]],
  ["A1.5", "messages.0.content.1", "messages: text content blocks must be non-empty", [user(text("q"), text(""))], [user(text("q"), text("."))]],
  ["A1.6", "messages.1.content.0", "messages: text content blocks must contain non-whitespace text", [q, assistant(" \n"), q], [q, assistant(" a\n"), q]],
  [
    "A1.7",
    "messages.1",
    "messages: final assistant content cannot end with trailing whitespace",
    [q, assistant(text("So "))],
    [q, assistant(text("So"))],
    prefill,
  ],
  ["A1.8", "messages.1", PREFILL, [q, says], [q, says, q]],
  [
    "A1.8",
    "messages.1",
    PREFILL,
    [q, assistant(text("so"), serverUse("s", "web_fetch"), serverRes("s", "web_fetch"), text("x"))],
    [q, assistant(text("so"), serverUse("s", "web_fetch"))],
  ],
  ["A1.9", "messages.1", "Assistant message prefill is not supported while thinking is enabled.", [q, says], [q, says, q], { prefill: true }],
  ["A1.10", "messages.0", "messages.0: a system message cannot be the first message", [system("s")], [q, system("s")]],
  ["A1.10", "messages.1", "messages.1: a system message must be last or be followed by an assistant message", [q, system("s"), q], [q, system("s"), says, q]],
  [
    "A1.10",
    "messages.2",
    "messages.2: a system message must follow a user message or an assistant message that ends in a server tool result",
    [q, says, system("s"), says, q],
    [q, assistant(serverUse("s", "web_fetch"), serverRes("s", "web_fetch")), system("s"), says, q],
  ],
  [
    "A1.11",
    "messages.1.content.0",
    "messages.1.content.0: system messages hold text only, found `image`",
    [q, system([image])],
    [q, system([text("s"), block("tool_addition")])],
  ],
  ["A1.11", "messages.1", "messages.1: a system message needs content or output_config", [q, system([])], [q, system([], { output_config: {} })]],
  [
    "A1.11",
    "messages.1.content.0",
    "messages.1.content.0: cache_control is not allowed in a system message with clear_at",
    [q, system([text("s", marker)], { clear_at: "next_user_message" })],
    [q, system([text("s", marker)])],
  ],
];

const PAIR = [q, assistant(use("a")), user(res("a"))];

const THINKING: readonly Row[] = [
  [
    "A4.2",
    "messages.1.content.0",
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks).",
    PAIR,
    [q, assistant(think("s", ""), use("a")), user(res("a"))],
    manual,
  ],
  [
    "A4.4",
    "messages.1",
    "If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`. Found `text`.",
    [q, assistant(text("x"), think("s", ""), text("y")), q],
    [q, assistant(think("s", ""), text("x"), text("y")), q],
  ],
  [
    "A4.5",
    "messages.1.content.0",
    "messages.1: The final block in an assistant message cannot be `thinking`.",
    [q, assistant(think("s", "")), q],
    [q, assistant(think("s", "")), says, q],
  ],
  [
    "A4.6",
    "messages.1",
    "When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`.",
    [q, assistant(think("s", ""), text("So"))],
    [q, assistant(think("s", ""), text("So")), q],
    prefill,
  ],
  [
    "A4.7",
    "messages.1.content.0",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    [q, assistant(block("thinking", { thinking: "" }), text("x")), q],
    [q, assistant(think("s", ""), text("x")), q],
  ],
  [
    "A4.7",
    "messages.1.content.0",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    [q, assistant(block("redacted_thinking"), text("x")), q],
    [q, assistant(block("redacted_thinking", { data: "d" }), text("x")), q],
  ],
];

const five = [1, 2, 3, 4, 5].map((number) => text(String(number), marker));
const COMPACTION_AND_CACHE: readonly Row[] = [
  [
    "A5.1",
    "messages.1.content.0",
    "messages.1.content.0: compaction content cannot be empty",
    [q, assistant(compaction({ content: "" }), text("x")), q],
    [q, assistant(compaction({ content: null }), text("x")), q],
  ],
  [
    "A5.2",
    "messages.1.content.0",
    "compaction_block_misplaced",
    [q, assistant(compaction({ signature: "s" }), text("x")), q],
    [assistant(compaction({ signature: "s" }), text("x")), q],
  ],
  [
    "A5.2",
    "messages.2.content.0",
    "compaction_block_ambiguous",
    [assistant(compaction({ signature: "s" })), q, assistant(compaction({ signature: "t" }), text("x")), q],
    [assistant(compaction({ signature: "s" })), q, says, q],
  ],
  ["A6", "messages", "A maximum of 4 blocks with cache_control may be provided. Found 5.", [user(...five)], [user(...five.slice(1))]],
  [
    "A6",
    "messages",
    "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    [q, assistant(use("a")), user(res("a", five))],
    [q, assistant(use("a")), user(res("a", five.slice(1)))],
  ],
  [
    "A6",
    "messages.0.content.1",
    "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    [user(text("a", marker), text("b", { cache_control: { type: "ephemeral", ttl: "1h" } }))],
    [user(text("a", { cache_control: { type: "ephemeral", ttl: "1h" } }), text("b", marker))],
  ],
  [
    "A6",
    "messages.1.content.0",
    "messages.1.content.0.thinking.cache_control: Extra inputs are not permitted",
    [q, assistant(block("thinking", { thinking: "", signature: "s", ...marker }), text("x")), q],
    [q, assistant(think("s", ""), text("x", marker)), q],
  ],
];

for (const [section, rows] of Object.entries({ STRUCTURE, THINKING, COMPACTION_AND_CACHE })) {
  describe(`checkMessages: ${section.toLowerCase().replaceAll("_", " ")}`, () => {
    rows.forEach(([rule, path, message, bad, good, target], number) => {
      test(`${rule}, row ${number}`, () => {
        deepFreeze([bad, good]);
        const found: Finding = { rule, path, message };
        assert.deepEqual(checkMessages(bad, target), [found]);
        assert.deepEqual(checkMessages(good, target), []);
      });
    });
  });
}

describe("checkMessages: what a history may be", () => {
  const OPEN: Readonly<Record<string, readonly [messages: readonly Message[], target?: CheckTarget]>> = {
    "an answer last": [[q, says]],
    "a call that waits for its result": [[q, assistant(use("a"))]],
    "a loop without thinking in manual mode": [PAIR, manual],
    "thinking last, where it is off": [[q, assistant(think("s", ""), text("x"))], { thinking: "off" }],
  };
  for (const [what, [messages, target]] of Object.entries(OPEN)) {
    test(what, () => {
      assert.deepEqual(checkMessages(messages, { ...target, history: true }), []);
      assert.notDeepEqual(checkMessages(messages, target), []);
    });
  }
});

describe("checkMessages and the independent judge agree on valid histories", () => {
  for (const thinking of ["adaptive", "manual", "off"] as const) {
    test(`thinking ${thinking}`, () => {
      checkProperty(`valid, ${thinking}`, [validTranscript({ thinking })], (messages) => {
        assert.deepEqual(faults(messages, { thinking }), []);
        assert.deepEqual(checkMessages(messages, { thinking }), []);
      });
    });
  }

  test("with a round that is still open", () => {
    checkProperty("pending", [pendingTranscript()], (messages) => {
      assert.deepEqual(faults(messages, { history: true }), []);
      assert.deepEqual(checkMessages(messages, { history: true }), []);
    });
  });
});
