import { PalimpsestError } from "../../errors/palimpsest-error.ts";
import {
  blocksOf,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type Block,
  type Message,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../messages/message.ts";
import { nativesOf, untouchedNatives } from "../origin.ts";
import { isApprovalResponse, isResultPart, partsOf, type AiMessage, type AiPart, type AiToolCall } from "./ai-message.ts";
import { encodeAiResult } from "./ai-tool-output.ts";
import { withoutItemId, withoutLostItemIds } from "./item-ids.ts";

type NameOfCall = (callId: string) => string | undefined;

export function encodeAiSdk(messages: readonly Message[]): AiMessage[] {
  refuseWordsAfterApproval(messages);
  const nameOf = namesOfCalls(messages);
  return messages.flatMap((message, position) => untouchedNatives<AiMessage>(message) ?? encodeChanged(message, isContinued(messages, position), nameOf));
}

/**
 * E1: the SDK runs an approved call if the approval is in the last message, and throws `AI_MissingToolResultsError` if anything
 * comes after it. So a summary after it would break a valid conversation.
 */
function refuseWordsAfterApproval(messages: readonly Message[]): void {
  const last = messages.findLastIndex((message) => nativesOf(message) !== undefined);
  const blocks = last === -1 ? [] : blocksOf(messages[last] as Message);
  if (last === messages.length - 1 && blocks.every(isAnswer)) return;
  const waiting = blocks.find((block): block is ToolResultBlock => isToolResult(block) && isYetToRun(block));
  if (waiting === undefined) return;
  throw new PalimpsestError("LOOP_OPEN", `The call ${waiting.tool_use_id} was approved and has not run yet: until then, nothing may follow the approval.`, {
    before: last,
  });
}

/** Says whether the block is an approval without a result, of a call that the client runs. */
function isYetToRun(block: ToolResultBlock): boolean {
  const parts = untouchedNatives<AiPart>(block) ?? [];
  return parts.length > 0 && parts.every((part) => isApprovalResponse(part) && part.providerExecuted !== true);
}

/** Looks up the tool of a call, for results that do not name it. Built on first use. */
function namesOfCalls(messages: readonly Message[]): NameOfCall {
  let names: ReadonlyMap<string, string> | undefined;
  return (callId) => {
    names ??= new Map(
      messages
        .flatMap(blocksOf)
        .filter(isToolUse)
        .map((use) => [use.id, use.name]),
    );
    return names.get(callId);
  };
}

/** Says whether a later piece of the same message is shown, after summaries. */
function isContinued(messages: readonly Message[], position: number): boolean {
  const natives = nativesAt(messages, position);
  for (let next = position + 1; natives !== undefined && next < messages.length; next++) {
    const others = nativesAt(messages, next);
    if (others !== undefined) return others === natives;
  }
  return false;
}

function nativesAt(messages: readonly Message[], position: number): readonly AiMessage[] | undefined {
  const message = messages[position];
  return message === undefined ? undefined : nativesOf(message);
}

function encodeChanged(message: Message, continued: boolean, nameOf: NameOfCall): readonly AiMessage[] {
  const natives = nativesOf<AiMessage>(message) ?? [];
  const [native] = natives;
  const blocks = blocksOf(message);
  if (message.role === "assistant")
    return spoken(message, withoutLostItemIds(native === undefined ? [] : partsOf(native), blocks.flatMap(encodeBlock)), continued);
  if (message.role === "system") return [{ ...(native ?? { role: "system" }), content: blocks.filter(isText).map(textOf).join("\n\n") }];
  const others = blocks.filter((block) => !isAnswer(block));
  // Nothing may come between the calls and their results (E1).
  return [...encodeAnswers(blocks.filter(isAnswer), natives, continued, nameOf), ...spoken(message, others, continued)];
}

function textOf({ text }: { readonly text: string }): string {
  return text;
}

/** Says whether the block belongs in a `tool` message. */
function isAnswer(block: Block): boolean {
  return isToolResult(block) || isApprovalResponse(block);
}

/** Returns a message of the user or the assistant; none if it would be empty. */
function spoken(message: Message, parts: readonly AiPart[], continued: boolean): readonly AiMessage[] {
  if (parts.length === 0) return [];
  const [native] = nativesOf<AiMessage>(message) ?? [];
  const before = native?.role === message.role ? native : undefined;
  const wasText = typeof message.content === "string" || typeof before?.content === "string";
  const content = wasText && parts.every(isText) ? parts.map(textOf).join("\n\n") : parts;
  return [{ ...(before === undefined ? { role: message.role } : optionsOnce(before, continued)), content }];
}

/** If a message is shown in two pieces, only the last keeps its options: a cache marker among them must not be doubled (A6). */
function optionsOnce(native: AiMessage, continued: boolean): AiMessage {
  const { providerOptions: _, ...rest } = native as AiMessage & { readonly providerOptions?: unknown };
  return continued ? rest : native;
}

function encodeBlock(block: Block): readonly AiPart[] {
  const untouched = untouchedNatives<AiPart>(block);
  if (untouched !== undefined) return untouched;
  if (isToolUse(block)) return encodeCall(block);
  // Thinking that was not decoded from the SDK has no signature that a provider would accept.
  return isThinking(block) ? [] : [block];
}

function encodeCall(block: ToolUseBlock): readonly AiPart[] {
  const [native, ...requests] = nativesOf<AiPart>(block) ?? [];
  const { id: toolCallId, name: toolName, input } = block;
  const call: AiToolCall = native === undefined ? { type: "tool-call", toolCallId, toolName, input } : { ...withoutItemId(native as AiToolCall), input };
  return [call, ...requests];
}

/** Writes the remaining `tool` messages of one turn; results that were in none of them come last. */
function encodeAnswers(blocks: readonly Block[], natives: readonly AiMessage[], continued: boolean, nameOf: NameOfCall): readonly AiMessage[] {
  const shown = new Map<AiPart, readonly AiPart[]>();
  const added: AiPart[] = [];
  for (const block of blocks) {
    const parts = isToolResult(block) ? nativesOf<AiPart>(block) : undefined;
    if (!isToolResult(block)) shown.set(block, [block]);
    else if (parts === undefined) added.push(encodeAiResult(block, nameOf));
    else for (const part of parts) shown.set(part, encodeAnswer(part, parts, block, nameOf));
  }
  const kept = natives.filter(({ role }) => role === "tool").flatMap((message) => withParts(message, shown, continued));
  return added.length === 0 ? kept : [...kept, { role: "tool", content: added }];
}

/** If there is an approval but no result yet, an edit's result follows it: the SDK looks for approvals in the last message only. */
function encodeAnswer(part: AiPart, parts: readonly AiPart[], block: ToolResultBlock, nameOf: NameOfCall): readonly AiPart[] {
  if (isResultPart(part)) return [encodeAiResult(block)];
  const isAnswered = block.content === undefined || part !== parts[0] || parts.some(isResultPart);
  return isAnswered ? [part] : [part, encodeAiResult(block, nameOf)];
}

function withParts(message: AiMessage, shown: ReadonlyMap<AiPart, readonly AiPart[]>, continued: boolean): readonly AiMessage[] {
  const before = partsOf(message);
  const content = before.flatMap((part) => shown.get(part) ?? []);
  if (content.length === 0) return [];
  if (content.length === before.length && content.every((part, number) => part === before[number])) return [message];
  return [{ ...optionsOnce(message, continued && content.length < before.length), content }];
}
