import { invalid } from "../../errors/palimpsest-error.ts";
import type { Finding } from "../../messages/check-messages.ts";
import type { CheckOptions } from "../codec.ts";
import { isApprovalRequest, isApprovalResponse, isCallPart, isResultPart, parseAiMessage, partsOf, type AiMessage, type AiPart } from "./ai-message.ts";

const USER_PARTS: ReadonlySet<string> = new Set(["text", "image", "file"]);
const ASSISTANT_PARTS: ReadonlySet<string> = new Set([
  "text",
  "custom",
  "file",
  "reasoning",
  "reasoning-file",
  "tool-call",
  "tool-result",
  "tool-approval-request",
]);
const TOOL_PARTS: ReadonlySet<string> = new Set(["tool-result", "tool-approval-response"]);
const OUTPUTS: ReadonlySet<string> = new Set(["text", "json", "error-text", "error-json", "execution-denied", "content"]);

/**
 * Reports what the AI SDK refuses before it asks a provider, in one pass.
 *
 * | rule | error                                 | when                                                                                    |
 * | ---- | ------------------------------------- | --------------------------------------------------------------------------------------- |
 * | E1   | `AI_MissingToolResultsError`          | a user or system message, or the end, comes while a call of the client has no result    |
 * | E2   | `AI_InvalidPromptError`               | there are no messages                                                                   |
 * | E3   | the provider's (A2.2, A3.1, B2, C2)   | a result has no call before it that is still unanswered; the SDK itself would send it   |
 * | E4   | `AI_InvalidToolApprovalError`         | the last message answers an approval that nobody asked for                              |
 * | E5   | `AI_ToolCallNotFoundForApprovalError` | the last message answers an approval of a call that is not there                        |
 * | E6   | `modelMessageSchema`                  | a part or an output that there is not, or not in this role; system content in parts     |
 *
 * Not reported: `generateText` accepts system messages only with `allowSystemInMessages`, which is not about messages.
 */
export function checkAiSdk(messages: readonly AiMessage[], options: CheckOptions = {}): Finding[] {
  if (!Array.isArray(messages)) throw invalid("INVALID_INPUT", "messages", "an array of model messages", messages);
  const findings: Finding[] = [];
  const find: Find = (rule, path, message) => void findings.push({ rule, path, message });
  if (messages.length === 0 && options.history !== true) find("E2", "messages", "Invalid prompt: messages must not be empty");
  /** Calls that need a result from the client (E1), with the paths of their messages. */
  const open = new Map<string, string>();
  /** Calls of the client and of the provider. */
  const unanswered = new Set<string>();
  const calls = new Set<string>();
  /** Call ids by the id of their approval request. */
  const asked = new Map<string, string>();
  messages.forEach((value, position) => {
    const path = `messages.${position}`;
    const message = parseAiMessage(value, path);
    checkShape(message, path, find);
    if (message.role === "user" || message.role === "system") reportOpen(open, find);
    partsOf(message).forEach((part, number) => {
      if (isCallPart(part)) {
        calls.add(part.toolCallId);
        unanswered.add(part.toolCallId);
        if (part.providerExecuted !== true) open.set(part.toolCallId, path);
      } else if (isResultPart(part)) {
        if (!unanswered.delete(part.toolCallId))
          find("E3", `${path}.content.${number}`, `No tool call found for tool result with toolCallId ${part.toolCallId}.`);
        if (message.role === "tool") open.delete(part.toolCallId);
      } else if (isApprovalRequest(part)) asked.set(part.approvalId, part.toolCallId);
    });
  });
  if (options.history === true) return findings;
  for (const approved of checkApprovals(messages, asked, calls, find)) open.delete(approved);
  reportOpen(open, find);
  return findings;
}

type Find = (rule: string, path: string, message: string) => void;

/** Reports E1 at the path of the calls. */
function reportOpen(open: Map<string, string>, find: Find): void {
  if (open.size === 0) return;
  const [path = "messages"] = open.values();
  const many = open.size > 1;
  find("E1", path, `Tool result${many ? "s are" : " is"} missing for tool call${many ? "s" : ""} ${[...open.keys()].join(", ")}.`);
  open.clear();
}

/** Checks E4 and E5. Returns the calls whose approval the last message answers: the SDK runs or denies these first. */
function checkApprovals(messages: readonly AiMessage[], asked: ReadonlyMap<string, string>, calls: ReadonlySet<string>, find: Find): readonly string[] {
  const last = messages.at(-1);
  if (last?.role !== "tool") return [];
  return partsOf(last).flatMap((part, number) => {
    if (!isApprovalResponse(part)) return [];
    const path = `messages.${messages.length - 1}.content.${number}`;
    const { approvalId } = part;
    const callId = asked.get(approvalId);
    if (callId === undefined)
      find("E4", path, `Tool approval response references unknown approvalId: "${approvalId}". No matching tool-approval-request found in message history.`);
    else if (!calls.has(callId)) find("E5", path, `Tool call "${callId}" not found for approval request "${approvalId}".`);
    return callId === undefined ? [] : [callId];
  });
}

function checkShape(message: AiMessage, path: string, find: Find): void {
  const { role, content } = message;
  if (typeof content === "string") return;
  if (role === "system") {
    find("E6", `${path}.content`, "Invalid input: expected string, received array");
    return;
  }
  const allowed = role === "user" ? USER_PARTS : role === "assistant" ? ASSISTANT_PARTS : TOOL_PARTS;
  content.forEach((part, number) => {
    if (!allowed.has(part.type)) find("E6", `${path}.content.${number}.type`, noSuch(part, allowed));
    else if (isResultPart(part) && !OUTPUTS.has(part.output.type)) find("E6", `${path}.content.${number}.output.type`, noSuch(part.output, OUTPUTS));
  });
}

function noSuch({ type }: AiPart, allowed: ReadonlySet<string>): string {
  return `Invalid input: expected one of ${[...allowed].map((name) => `"${name}"`).join(", ")}, received ${JSON.stringify(type)}`;
}
