import type { RuleGroup } from "./provider-rule.ts";

/** What the SDK refuses before it asks a provider. */
export const AI_SDK: RuleGroup = {
  id: "E",
  title: "AI SDK model messages",
  rules: [
    {
      number: "E1",
      rule: "Every call of the client has its result before the next user or system message, and before the end.",
      errors: ["AI_MissingToolResultsError: Tool result is missing for tool call X."],
      seen: [["source", "package `ai` 7"]],
    },
    {
      number: "E2",
      rule: "There is at least one message.",
      errors: ["AI_InvalidPromptError: Invalid prompt: messages must not be empty"],
      seen: [["source", "package `ai` 7"]],
    },
    {
      number: "E3",
      rule: "Every result has a call before it that no other result has answered.",
      errors: [],
      seen: [["source", "package `ai` 7"]],
      note: "The SDK would send it; the provider refuses it (A2.2, A3.1, B2, C2).",
    },
    {
      number: "E4",
      rule: "An approval in the last message answers a request for approval in the conversation.",
      errors: [
        'AI_InvalidToolApprovalError: Tool approval response references unknown approvalId: "X". No matching tool-approval-request found in message history.',
      ],
      seen: [["source", "package `ai` 7"]],
    },
    {
      number: "E5",
      rule: "An approval in the last message is for a call that is in the conversation.",
      errors: ['AI_ToolCallNotFoundForApprovalError: Tool call "X" not found for approval request "X".'],
      seen: [["source", "package `ai` 7"]],
    },
    {
      number: "E6",
      rule: "Every part and every tool output is of a kind that exists and that its role may hold; system content is a string.",
      errors: ["Invalid input: expected string, received array"],
      seen: [["source", "`modelMessageSchema` of the package `ai` 7"]],
    },
  ],
};
