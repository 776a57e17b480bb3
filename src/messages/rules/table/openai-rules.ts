import type { RuleGroup } from "./provider-rule.ts";

export const CHAT: RuleGroup = {
  id: "B",
  title: "OpenAI Chat Completions",
  rules: [
    {
      number: "B1",
      rule: "An assistant message with `tool_calls` is followed by one `tool` message for each call, before any other role.",
      errors: [
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_X",
      ],
      seen: [
        ["issue", "CLIProxyAPI#2798"],
        ["issue", "dataline#172"],
      ],
    },
    {
      number: "B2",
      rule: "A `tool` message follows an assistant message that made its call.",
      errors: ["Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."],
      seen: [
        ["issue", "crewAI#1620"],
        ["issue", "task_mAIstro#1"],
      ],
    },
    {
      number: "B3",
      rule: "`tool_calls` is not an empty list.",
      errors: ["Invalid 'messages[N].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead."],
      seen: [
        ["issue", "openai-node#1341"],
        ["issue", "home-assistant#118577"],
      ],
    },
    {
      number: "B4",
      rule: "Only an assistant message with calls may have `content: null`.",
      errors: ["Invalid value for 'content': expected a string, got null."],
      seen: [
        ["issue", "llama_index#17555"],
        ["issue", "vercel/ai#13744"],
        ["docs", "SDK types"],
      ],
    },
    {
      number: "B5",
      rule: "There is at least one message.",
      errors: ["Invalid 'messages': empty array…", "[] is too short - 'messages'"],
      seen: [["issue", "CopilotKit#529"]],
    },
    {
      number: "B6",
      rule: "The id of a call has at most 64 characters.",
      errors: ["Invalid 'messages[N].tool_calls[M].id': string too long. Expected a string with maximum length 64, but got a string with length X instead."],
      seen: [
        ["issue", "9router#3167"],
        ["live", "agentao#321"],
        ["issue", "vercel/ai#5171"],
      ],
      note: "The limit was 40 characters until about 2026.",
    },
    {
      number: "B7",
      rule: "The name of a function has 1 to 64 letters, digits, `_` and `-`.",
      errors: ["Invalid '…function.name': empty string…"],
      seen: [
        ["docs", "SDK file shared.d.ts"],
        ["issue", "continue#11645"],
      ],
    },
    {
      number: "B8",
      rule: "A request has at most 128 tools.",
      errors: ["Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 129 instead."],
      seen: [["issue", "claude-code-router#686"]],
    },
    {
      number: "B9",
      rule: "A `tool` or system message holds text only, an assistant message text and refusals.",
      errors: [],
      seen: [["docs", "SDK types"]],
    },
    {
      number: "B10",
      rule: "Roles may come in any order, and any role may be first.",
      errors: [],
      seen: [["claim", "py-shiny#1530"]],
      kept: "A permission: there is nothing to refuse.",
    },
  ],
};

export const RESPONSES: RuleGroup = {
  id: "C",
  title: "OpenAI Responses",
  rules: [
    {
      number: "C1",
      rule: "Every `function_call` has a `function_call_output` with its `call_id`.",
      errors: ["No tool output found for function call call_X."],
      seen: [["issue", "trae-agent#245"]],
    },
    {
      number: "C2",
      rule: "Every output has its call before it.",
      errors: ["No tool call found for function call output with call_id call_X."],
      seen: [["issue", "vscode#320060"]],
      note: "They are paired by `call_id`. No rule says that they must be neighbours.",
    },
    {
      number: "C3",
      rule: "A reasoning item is followed by the item that it produced.",
      errors: ["Item 'rs_X' of type 'reasoning' was provided without its required following item."],
      seen: [
        ["issue", "vercel/ai#7099"],
        ["issue", "continue#8933"],
      ],
    },
    {
      number: "C4",
      rule: "An item with an id that came after reasoning needs that reasoning before it.",
      errors: ["Item 'msg_X' of type 'message' was provided without its required 'reasoning' item."],
      seen: [
        ["issue", "continue#12620"],
        ["live", "agentao#321 (2026-09): not enforced with `store: false`"],
      ],
    },
    {
      number: "C5",
      rule: "With `store: false` no id can be looked up: reasoning is sent with its `encrypted_content`, and nothing is sent as a bare reference.",
      errors: [
        "Item with id 'rs_X' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
      ],
      seen: [
        ["issue", "vercel/ai#7543"],
        ["live", "langchain#38372"],
      ],
    },
    {
      number: "C6",
      rule: "A reasoning item has a `summary`, which may be empty, and encrypted content that the provider can verify.",
      errors: ["Input[N] missing required field summary", "The encrypted content gAAA… could not be verified."],
      seen: [
        ["issue", "Agora#141"],
        ["issue", "openai-agents-python#2063"],
      ],
    },
    {
      number: "C7",
      rule: "Custom tools, shells, patches, computers and tool search have calls and outputs too, and they pair up as functions do.",
      errors: [],
      seen: [["docs", "SDK types"]],
      kept: "Reported as C1 and C2.",
    },
    {
      number: "C8",
      rule: "A request has `previous_response_id` or `conversation`, not both, and the provider stores the earlier part.",
      errors: [],
      seen: [["docs", "page not noted"]],
    },
    {
      number: "C10",
      rule: "Reasoning whose prefix was edited is dropped without an error.",
      errors: [],
      seen: [["docs", "preserved reasoning"]],
      note: "Newer models only.",
      kept: "Nothing is refused, so no reasoning is hidden because of an edit.",
    },
  ],
};
