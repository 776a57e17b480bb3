import { invalid } from "../../errors/palimpsest-error.ts";
import type { Block, Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { decodedFrom } from "../origin.ts";
import {
  isApprovalRequest,
  isApprovalResponse,
  isCallPart,
  isReasoning,
  isResultPart,
  parseAiMessage,
  partsOf,
  type AiApprovalResponse,
  type AiMessage,
  type AiPart,
  type AiReasoning,
  type AiToolCall,
  type AiToolResult,
} from "./ai-message.ts";
import { decodeAiResult, withContentOf } from "./ai-tool-output.ts";

/** Call ids by approval id, for the approvals requested so far. */
type AskedApprovals = Map<string, string>;

/** Consecutive `tool` messages answer one turn, so they become one message of the log, as the SDK sends them. */
export function decodeAiSdk(messages: readonly AiMessage[]): Message[] {
  if (!Array.isArray(messages)) throw invalid("INVALID_INPUT", "messages", "an array of model messages", messages);
  const log: Message[] = [];
  const asked: AskedApprovals = new Map();
  let answers: AiMessage[] = [];
  for (let position = 0; position < messages.length; position++) {
    const message = parseAiMessage(messages[position], `messages.${position}`);
    if (message.role === "tool") {
      answers.push(message);
      continue;
    }
    if (answers.length > 0) {
      log.push(decodeAnswers(answers, asked));
      answers = [];
    }
    log.push(decodeSpoken(message, message.role, asked));
  }
  if (answers.length > 0) log.push(decodeAnswers(answers, asked));
  return log;
}

function decodeSpoken(message: AiMessage, role: Message["role"], asked: AskedApprovals): Message {
  const { content } = message;
  return decodedFrom([message], { role, content: role !== "assistant" || typeof content === "string" ? content : assistantBlocks(content, asked) });
}

/**
 * An approval belongs to its call: the block of the call holds the request, the block of the result holds the response. They
 * stay or go together, so there is never a response without its request (E4) or a request without its call (E5).
 */
function assistantBlocks(parts: readonly AiPart[], asked: AskedApprovals): Block[] {
  const waitingCalls = new Set(parts.filter(isApprovalRequest).map((request) => request.toolCallId));
  /** The parts that each call's block is made from. */
  const calls = new Map<string, AiPart[]>();
  const blocks: Block[] = [];
  for (const part of parts) {
    if (isCallPart(part)) {
      const natives: AiPart[] = [part];
      calls.set(part.toolCallId, natives);
      blocks.push(decodedFrom(natives, decodeCall(part, waitingCalls.has(part.toolCallId))));
    } else if (isResultPart(part)) blocks.push(decodeProviderResult(part));
    else if (isReasoning(part)) blocks.push(decodeReasoning(part));
    else if (!addToItsCall(part, calls, asked)) blocks.push(part);
  }
  return blocks;
}

/** The SDK writes a request after its call, in the same message. */
function addToItsCall(part: AiPart, calls: ReadonlyMap<string, AiPart[]>, asked: AskedApprovals): boolean {
  const natives = isApprovalRequest(part) ? calls.get(part.toolCallId) : undefined;
  if (natives === undefined || !isApprovalRequest(part)) return false;
  natives.push(part);
  asked.set(part.approvalId, part.toolCallId);
  return true;
}

/**
 * The provider's calls are answered in the assistant's turn (A3.1). But a call that waits for approval is answered by the
 * client, in a `tool` message, so the log treats it like a call of the client.
 */
function decodeCall(part: AiToolCall, isWaiting: boolean): Block {
  const { toolCallId: id, toolName: name, input } = part;
  if (part.providerExecuted === true && !isWaiting) return { type: "server_tool_use", id, name, input } as Block;
  const caller = callerOf(part);
  return { type: "tool_use", id, name, input, ...(caller === undefined ? {} : { caller: { tool_id: caller } }) } as Block;
}

/** Returns the provider-run call that made this one (A3.3). Only Anthropic's provider names it. */
function callerOf(part: AiToolCall): string | undefined {
  const { providerOptions } = part as AiToolCall & { readonly providerOptions?: unknown };
  const anthropic = isRecord(providerOptions) ? providerOptions["anthropic"] : undefined;
  const caller = isRecord(anthropic) ? anthropic["caller"] : undefined;
  return isRecord(caller) && typeof caller["toolId"] === "string" ? caller["toolId"] : undefined;
}

function decodeProviderResult(part: AiToolResult): Block {
  return decodedFrom([part], withContentOf(part.output, { type: "provider_tool_result", tool_use_id: part.toolCallId }));
}

/** The signature stays in `providerOptions` of the part. */
function decodeReasoning(part: AiReasoning): Block {
  return decodedFrom([part], { type: "thinking", thinking: part.text });
}

function decodeAnswers(messages: readonly AiMessage[], asked: AskedApprovals): Message {
  const parts = messages.flatMap(partsOf);
  const responses = responsesByCall(parts, asked);
  const blocks: Block[] = [];
  for (const part of parts) {
    if (isResultPart(part)) {
      blocks.push(decodeAiResult(part, responses.get(part.toolCallId)));
      responses.delete(part.toolCallId);
    } else if (!isApprovalResponse(part) || !asked.has(part.approvalId)) blocks.push(part);
  }
  // Until the tool has run, the approval response is the whole result.
  for (const [callId, ofCall] of responses) blocks.push(decodedFrom(ofCall, { type: "tool_result", tool_use_id: callId }));
  return decodedFrom(messages, { role: "user", content: blocks });
}

function responsesByCall(parts: readonly AiPart[], asked: AskedApprovals): Map<string, AiApprovalResponse[]> {
  const byCall = new Map<string, AiApprovalResponse[]>();
  for (const part of parts) {
    const callId = isApprovalResponse(part) ? asked.get(part.approvalId) : undefined;
    if (callId === undefined || !isApprovalResponse(part)) continue;
    const ofCall = byCall.get(callId);
    if (ofCall === undefined) byCall.set(callId, [part]);
    else ofCall.push(part);
  }
  return byCall;
}
