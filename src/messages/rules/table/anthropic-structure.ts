import type { RuleGroup } from "./provider-rule.ts";

export const STRUCTURE: RuleGroup = {
  id: "A1",
  title: "Messages, roles and empty content",
  rules: [
    {
      number: "A1.1",
      rule: "A request has at least one message and at most 100,000.",
      errors: ["messages: at least one message is required"],
      seen: [
        ["docs", "SDK type MessageCreateParamsBase (the limit)"],
        ["claim", "the error text"],
      ],
    },
    {
      number: "A1.2",
      rule: "The first message is a user message, or an assistant message that starts with a signed compaction block.",
      errors: ['messages: first message must use the "user" role'],
      seen: [
        ["issue", "NousResearch/hermes-agent#52160"],
        ["live", "stephenschoettler/hermes-lcm#280"],
        ["docs", "compaction on demand (the exception)"],
      ],
      note: "The SDK's documentation no longer states it. Some requests are refused with the text of A2.1 instead.",
    },
    {
      number: "A1.3",
      rule: "Neighbouring messages of the same role are accepted, and read as one message.",
      errors: [],
      seen: [["docs", "SDK text"]],
      kept: "Nothing is refused. Neighbouring messages of one role are read as one turn wherever a rule speaks of a turn.",
    },
    {
      number: "A1.4",
      rule: "Every message has content, except an assistant message at the very end.",
      errors: ["messages.N: all messages must have non-empty content except for the optional final assistant message"],
      seen: [
        ["issue", "claude-code#6774"],
        ["issue", "claude-code#3196"],
      ],
    },
    {
      number: "A1.5",
      rule: "A text block directly in a message is not empty.",
      errors: ["messages: text content blocks must be non-empty"],
      seen: [
        ["issue", "claude-code#59812"],
        ["live", "experientiallabs#683"],
      ],
    },
    {
      number: "A1.6",
      rule: "A text block directly in a message holds more than whitespace.",
      errors: ["messages: text content blocks must contain non-whitespace text"],
      seen: [
        ["issue", "claude-code#23440"],
        ["issue", "claude-code#23369"],
      ],
    },
    {
      number: "A1.7",
      rule: "The text of a final assistant message does not end in whitespace.",
      errors: ["messages: final assistant content cannot end with trailing whitespace"],
      seen: [["issue", "forgecode#1872"]],
      note: "Only models that accept a prefill get this far (A1.8).",
    },
    {
      number: "A1.8",
      rule: "Claude 4.6 and later refuse a conversation that ends in an assistant message (a prefill).",
      errors: ["This model does not support assistant message prefill. The conversation must end with a user message."],
      seen: [
        ["docs", "api/errors"],
        ["live", "CLIProxyAPI#5319"],
      ],
      note: "Two exceptions: a turn of provider-run tools that was paused (`pause_turn`), and a prefill with a `fallback_credit_token`.",
    },
    {
      number: "A1.9",
      rule: "No model accepts a prefill while thinking is on.",
      errors: [],
      seen: [["docs", "thinking, limits"]],
    },
    {
      number: "A1.10",
      rule: "A system message inside the conversation follows a user message or a provider-run tool's result, and is last or followed by the assistant.",
      errors: [],
      seen: [["docs", "mid-conversation system messages, 2026-08-22"]],
      note: "It is never first and never between a call and its result. Not every model takes such messages.",
    },
    {
      number: "A1.11",
      rule: "A system message inside the conversation holds text only, and is not empty unless it sets `output_config`.",
      errors: [],
      seen: [["docs", "SDK beta types; preserved thinking"]],
      note: "With a beta it may hold `tool_addition` and `tool_removal`. One with `clear_at` takes no cache marker.",
    },
    {
      number: "A1.12",
      rule: "A block has no fields that the API does not know.",
      errors: ["messages.N.content.M.X: Extra inputs are not permitted"],
      seen: [
        ["docs", "api/errors"],
        ["issue", "reports on `compaction.citations` and `block_binding`"],
      ],
    },
  ],
};
