import type { RuleGroup } from "./provider-rule.ts";

export const THINKING: RuleGroup = {
  id: "A4",
  title: "Thinking",
  rules: [
    {
      number: "A4.1",
      rule: "The thinking of the latest assistant turn, which is the whole open tool loop, is sent back unchanged: all of it or none.",
      errors: [
        "messages.N.content.M: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
      ],
      seen: [
        ["docs", "api/errors"],
        ["issue", "claude-code#63548"],
      ],
    },
    {
      number: "A4.2",
      rule: "In manual thinking mode, the assistant turn that results continue starts with thinking.",
      errors: [
        "messages.N.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks)…",
      ],
      seen: [
        ["issue", "opencode#3077"],
        ["issue", "kilocode#5219"],
        ["docs", "thinking"],
      ],
      note: "Manual mode is the only one up to Claude 4.5, and deprecated in 4.6.",
    },
    {
      number: "A4.3",
      rule: "In adaptive thinking mode no assistant turn has to start with thinking, so that all of it may be removed.",
      errors: [],
      seen: [["docs", "thinking"]],
      kept: "A permission: there is nothing to refuse. Views leave out the thinking of an open loop as a whole (A4.1).",
    },
    {
      number: "A4.4",
      rule: "An assistant message with thinking starts with thinking.",
      errors: ["If an assistant message contains any thinking blocks, the first block must be `thinking` or `redacted_thinking`. Found `text`."],
      seen: [["issue", "claude-code#20705 (manual mode, 2026-01)"]],
    },
    {
      number: "A4.5",
      rule: "An assistant turn does not end in thinking.",
      errors: ["messages.N: The final block in an assistant message cannot be `thinking`."],
      seen: [
        ["issue", "forgecode#2107"],
        ["issue", "forgecode#3073"],
      ],
    },
    {
      number: "A4.6",
      rule: "With thinking off, a final assistant message holds no thinking.",
      errors: ["When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`…"],
      seen: [["issue", "forgecode#1195"]],
    },
    {
      number: "A4.7",
      rule: "Thinking carries its signature, which is verified.",
      errors: ["messages.N.content.M: Invalid `signature` in `thinking` block"],
      seen: [["docs", "page not noted"]],
      note: "Empty thinking with a signature is normal where its display is omitted.",
    },
    {
      number: "A4.8",
      rule: "Thinking is bound to the system prompt, the tools and all messages before it, as they were sent when it was produced.",
      errors: [
        'messages.N.content.M: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
      ],
      seen: [["docs", "preserved thinking; api/errors"]],
      note: "From Fable 5.1 for newer accounts, from Fable 5.2 and Mythos 5.2 for all. Cache markers may move. The log knows what was sent; messages alone do not.",
    },
    {
      number: "A4.9",
      rule: "`block_binding` needs the beta `thinking-binding-controls-2026-08-01`, and thinking that is not disabled.",
      errors: ["block_binding: Extra inputs are not permitted"],
      seen: [["docs", "preserved thinking"]],
    },
    {
      number: "A4.10",
      rule: "Thinking of another model or another organisation is dropped without an error.",
      errors: [],
      seen: [["docs", "preserved thinking (`input_transformations[].reason`)"]],
      kept: "Nothing is refused. The provider double drops it as the API does.",
    },
    {
      number: "A4.11",
      rule: "Which thinking modes a model takes depends on the model.",
      errors: [],
      seen: [["docs", "api/errors"]],
      note: "`adaptive` is refused up to 4.5, `enabled` from 4.7 on, `disabled` on Fable, Mythos and Opus 5.5.",
      kept: "`targetFor(model)` names the mode of each model. Messages do not show it, so no check reports it.",
    },
  ],
};

export const COMPACTION: RuleGroup = {
  id: "A5",
  title: "Compaction blocks",
  rules: [
    {
      number: "A5.1",
      rule: "A compaction block that the API made by itself stays where it was returned, and its content is not empty.",
      errors: [],
      seen: [["docs", "compaction (beta compact-2026-01-12)"]],
      note: "Everything before it is ignored. Content of `null` does nothing.",
    },
    {
      number: "A5.2",
      rule: "A compaction block that was asked for has a signature, is the only one of its kind, and comes first in the messages, unchanged.",
      errors: [
        "compaction_block_misplaced",
        "compaction_block_ambiguous",
        "compaction_content_mismatch",
        "compaction_signature_invalid",
        "compaction_incomplete_turn",
      ],
      seen: [["docs", "compaction on demand (beta compact-2026-09-04)"]],
      note: "It needs the beta header on every later request, and excludes `context_management`. Reported as far as one request shows it: number and place.",
    },
  ],
};

export const CACHE: RuleGroup = {
  id: "A6",
  title: "Cache markers and sizes",
  rules: [
    {
      number: "A6",
      rule: "A request has at most four cache markers, in tools, system and messages together, the automatic one included.",
      errors: ["A maximum of 4 blocks with cache_control may be provided. Found 5."],
      seen: [["issue", "sub2api#176"]],
    },
    {
      number: "A6",
      rule: "Empty text takes no cache marker.",
      errors: ["messages.N.content.M.text: cache_control cannot be set for empty text blocks"],
      seen: [["issue", "dario#1066"]],
    },
    {
      number: "A6",
      rule: "Thinking takes no cache marker.",
      errors: ["messages.N.content.M.thinking.cache_control: Extra inputs are not permitted"],
      seen: [["docs", "SDK types; prompt caching"]],
    },
    {
      number: "A6",
      rule: "In the order tools, system, messages, a marker of one hour does not come after one of five minutes.",
      errors: [
        "messages.N.content.M.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
      ],
      seen: [["issue", "claude-code-cache-fix#44"]],
    },
    {
      number: "A6",
      rule: "A marker on the request itself is refused if the last block has one with another `ttl`, or if there are four already.",
      errors: [],
      seen: [["docs", "page not noted"]],
    },
    {
      number: "A6",
      rule: "A request has at most 32 MB.",
      errors: ["request_too_large"],
      seen: [["claim", "no source noted"]],
      note: "20 MB on Bedrock, 30 MB on Vertex, 256 MB in a batch. The status is 413.",
    },
    {
      number: "A6",
      rule: "A request has at most 100 images on models with a window of 200,000 tokens, and at most 600 on others.",
      errors: [],
      seen: [["docs", "vision"]],
      note: "Images in results and in resent history count. With more than 20, each side has at most 2,000 pixels.",
    },
    {
      number: "A6",
      rule: "The input fits into the model's window.",
      errors: ["prompt is too long: X tokens > Y maximum"],
      seen: [
        ["docs", "page not noted"],
        ["claim", "the error text"],
      ],
    },
  ],
};
