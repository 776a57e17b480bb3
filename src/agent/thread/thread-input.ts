import { isBlank, sayingSomething } from "../../edits/blank.ts";
import { invalid } from "../../errors/palimpsest-error.ts";
import { isText, isToolResult, textBlock, type Block, type Message, type OpenBlock, type ToolResultBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseBlock, parseMessages } from "../../messages/parse-messages.ts";
import type { ReportedUsage } from "../../stateless/input-tokens-of.ts";
import { isThreadBlock } from "../../conversation/shown-blocks.ts";

/** A response of the model, as the SDK returns it. `usage`, if present, is observed. */
export interface AssistantMessage {
  readonly content: string | readonly (Block | OpenBlock)[];
  readonly usage?: ReportedUsage | null;
}

export interface ParsedResponse {
  readonly message: Message;
  readonly usage: ReportedUsage | undefined;
  /** The provider is running one of its own tools, and needs the request again (A1.8). */
  readonly isPaused: boolean;
}

/** Parses a user message. It must not be empty, or contain blocks that only the thread adds. */
export function parseUserContent(content: string | readonly (Block | OpenBlock)[]): readonly Block[] {
  const blocks: readonly Block[] = typeof content === "string" ? [textBlock(content)] : content;
  parseMessages([{ role: "user", content: blocks }]);
  if (blocks.length === 0) throw invalid("INVALID_INPUT", "content", "at least one block", blocks);
  blocks.forEach((block, number) => {
    if (isToolResult(block)) throw invalid("INVALID_INPUT", `content.${number}.type`, "anything but tool results, which toolResults() takes", block.type);
    if (isThreadBlock(block)) throw invalid("INVALID_INPUT", `content.${number}.type`, "anything but what the thread itself puts in", block.type);
    if (isText(block) && isBlank(block.text)) throw invalid("INVALID_INPUT", `content.${number}.text`, "text that is not blank", block.text); // A1.5, A1.6
  });
  return blocks;
}

export function parseResponse(response: AssistantMessage): ParsedResponse {
  if (!isRecord(response)) throw invalid("INVALID_INPUT", "message", "a response of the model { content }", response);
  const { content, usage } = response as AssistantMessage;
  const { role = "assistant", stop_reason: stopReason } = response as { readonly role?: unknown; readonly stop_reason?: unknown };
  if (role !== "assistant") throw invalid("INVALID_INPUT", "message.role", '"assistant"', role);
  parseMessages([{ role, content }]);
  return { message: { role, content }, usage: usage ?? undefined, isPaused: stopReason === "pause_turn" };
}

export function parseResults(results: readonly (ToolResultBlock | OpenBlock)[]): ToolResultBlock[] {
  if (!Array.isArray(results)) throw invalid("INVALID_INPUT", "results", "an array of tool results", results);
  return (results as readonly Block[]).map((result, number) => {
    parseBlock(result, `results.${number}`);
    if (!isToolResult(result)) throw invalid("INVALID_INPUT", `results.${number}.type`, '"tool_result"', result.type);
    return sayingSomething(result);
  });
}
