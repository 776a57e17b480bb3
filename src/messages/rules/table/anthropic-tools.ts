import type { RuleGroup } from "./provider-rule.ts";

export const TOOLS: RuleGroup = {
  id: "A2",
  title: "Tool calls and their results",
  rules: [
    {
      number: "A2.1",
      rule: "Every `tool_use` has its `tool_result` in the very next message.",
      errors: [
        "messages.N: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_X. Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
      ],
      seen: [
        ["issue", "claude-code#3512 and many more"],
        ["docs", "troubleshooting tool use"],
      ],
    },
    {
      number: "A2.2",
      rule: "Every `tool_result` answers a `tool_use` of the message before it.",
      errors: [
        "messages.N.content.M: unexpected `tool_use_id` found in `tool_result` blocks: toolu_X. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.",
      ],
      seen: [
        ["issue", "claude-code#13460"],
        ["issue", "CLIProxyAPI#497"],
      ],
    },
    {
      number: "A2.3",
      rule: "Results come first in their message; text may follow them.",
      errors: ["messages.N: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_X. …"],
      seen: [["docs", "handle tool calls"]],
      note: "The API reports it with the text of A2.1. After the results of a turn with a pending provider-run tool, no text may follow (A3.2).",
    },
    {
      number: "A2.4",
      rule: "All results of parallel calls belong in one user message.",
      errors: [],
      seen: [["docs", "parallel tool use"]],
      note: "Results that are split over several user messages are merged (A1.3); the model then makes fewer parallel calls.",
      kept: "Nothing is refused. Histories and threads put the results of a round into one message.",
    },
    {
      number: "A2.5",
      rule: "The id of a `tool_use` is used once in a request.",
      errors: ["messages.N.content.M: `tool_use` ids must be unique"],
      seen: [
        ["issue", "claudegram#12"],
        ["issue", "litellm#23510"],
      ],
    },
    {
      number: "A2.6",
      rule: "Every `tool_use` has one result, not two.",
      errors: ["messages.N.content.M: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_X"],
      seen: [["issue", "hindsight#4250"]],
    },
    {
      number: "A2.7",
      rule: "The ids of calls and results consist of letters, digits, `_` and `-`, and are not empty.",
      errors: ["messages.N.content.M.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"],
      seen: [
        ["issue", "bifrost#5097"],
        ["live", "qwen-code#8160"],
      ],
    },
    {
      number: "A2.8",
      rule: "A tool has a unique name of 1 to 128 letters, digits, `_` and `-`; the name in a call has at most 200 characters.",
      errors: [
        "tools.N.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
        "messages.N.content.M.tool_use.name: String should have at most 200 characters",
      ],
      seen: [
        ["issue", "netclaw#1133"],
        ["issue", "claude-code#96152"],
        ["issue", "claude-code#21492"],
        ["claim", "the second error text"],
      ],
      note: "The limit was 64 characters in early 2025.",
    },
    {
      number: "A2.9",
      rule: "The `input` of a call is an object.",
      errors: ["messages.N.content.M.tool_use.input: Input should be a valid dictionary"],
      seen: [["claim", "widely reported; the SDK's type is `unknown`"]],
    },
    {
      number: "A2.10",
      rule: "The content of a result is a string, or blocks of text, images, documents, search results, tool references or browser states; it may be left out.",
      errors: [],
      seen: [
        ["docs", "handle tool calls"],
        ["docs", "SDK type ToolResultBlockParam"],
      ],
    },
    {
      number: "A2.11",
      rule: "A result should not hold empty text.",
      errors: ["content field … is empty"],
      seen: [
        ["issue", "zed#27130 (2025-03)"],
        ["issue", "opencode#15372"],
        ["live", "hermes#55092 (2026-09): Bedrock accepts it"],
      ],
      note: "Sources disagree: some requests were refused, others were not.",
      kept: "Not reported, because the sources disagree. Where an edit would leave a result empty, the view shows `[empty]`.",
    },
    {
      number: "A2.12",
      rule: "A result with `is_error: true` has content.",
      errors: ["messages.N.content.M.tool_result: content cannot be empty if `is_error` is true"],
      seen: [
        ["issue", "markform#153"],
        ["issue", "trae-agent#230"],
      ],
    },
    {
      number: "A2.13",
      rule: "A result with `is_error: true` holds text only.",
      errors: ["messages.N.content.M.tool_result: all content must be type `text` if `is_error` is true"],
      seen: [["issue", "vellum-assistant#18387"]],
    },
    {
      number: "A2.14",
      rule: "A request whose messages hold calls or results should define `tools`.",
      errors: ["Requests which include `tool_use` or `tool_result` blocks must define tools.", "Anthropic doesn't support tool calling without tools= param"],
      seen: [
        ["issue", "litellm#24712"],
        ["live", "vercel/ai#16987 (2026-07): the API accepts it"],
      ],
      note: "Sources disagree: the API now accepts such requests; Bedrock, LiteLLM and older versions refuse them.",
      kept: "Not reported, because it is not about messages. Clients keep their `tools`; nothing here removes them.",
    },
    {
      number: "A2.15",
      rule: "A `tool_reference` names a tool of the request.",
      errors: ["Tool reference 'X' not found in available tools"],
      seen: [
        ["docs", "tool search tool"],
        ["issue", "claude-code#81863"],
      ],
    },
    {
      number: "A2.16",
      rule: "At least one tool is not deferred, and a deferred tool has no cache marker.",
      errors: ["At least one tool must have defer_loading=false. All tools cannot be deferred"],
      seen: [["docs", "page not noted"]],
    },
    {
      number: "A2.17",
      rule: "The result of a computer or browser toolset repeats its `toolset_name`, and holds text, images or browser states only.",
      errors: [],
      seen: [["docs", "handle tool calls"]],
    },
    {
      number: "A2.18",
      rule: "A forced `tool_choice` is refused with manual thinking, and by newer models always.",
      errors: ['tool_choice: type "tool" and "any" are not supported for this model.'],
      seen: [["docs", "api/errors; what is new in Opus 5.5"]],
      note: "Newer models: Fable and Mythos from 5.1, Opus 5.5, Sonnet 5.5.",
    },
  ],
};

export const SERVER_TOOLS: RuleGroup = {
  id: "A3",
  title: "Tools that the provider runs",
  rules: [
    {
      number: "A3.1",
      rule: "The result of a provider-run tool stands in the assistant's turn, after its call.",
      errors: ["unexpected `tool_use_id` found in `X_tool_result` blocks: srvtoolu_X. Each … must have a corresponding `server_tool_use` block before it."],
      seen: [["issue", "claude-code#64383"]],
      note: "Call and result stay or go together. Encrypted content is never edited.",
    },
    {
      number: "A3.2",
      rule: "A provider-run call lacks its result only while it is pending, and then the next user message holds results and nothing else.",
      errors: ["`web_fetch` tool use with id `srvtoolu_X` was found without a corresponding `web_fetch_tool_result` block"],
      seen: [["docs", "server tools"]],
      note: "Pending means: beside calls that the client answers, or in a paused turn (`pause_turn`).",
    },
    {
      number: "A3.3",
      rule: "A call that provider-run code made (`caller.tool_id`) needs that code's block before it, and the request needs its `container`.",
      errors: [],
      seen: [["docs", "handling stop reasons"]],
    },
    {
      number: "A3.4",
      rule: "`mcp_tool_listing` and `fallback` blocks stay where the provider put them.",
      errors: [],
      seen: [["docs", "SDK beta types"]],
      kept: "An edit of such a block is refused with `INVALID_INPUT`.",
    },
  ],
};
