import { invalid } from "../../errors/palimpsest-error.ts";
import { EMPTY } from "../../edits/blank.ts";
import { isText, resultText, type Block, type ToolResultBlock } from "../../messages/message.ts";
import { lazily } from "../call-arguments.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { isResultPart, type AiApprovalResponse, type AiPart, type AiToolOutput, type AiToolResult } from "./ai-message.ts";

/** The text that a model reads if a denial has no reason. */
const DENIED = "Tool execution denied.";

/** The SDK requires a name in every result; providers pair by id. */
const UNKNOWN_TOOL = "unknown";

/** The types of parts that the content of a result may hold. */
const CONTENT_PARTS: ReadonlySet<string> = new Set([
  "text",
  "file",
  "file-data",
  "file-url",
  "file-id",
  "file-reference",
  "image-data",
  "image-url",
  "image-file-id",
  "image-file-reference",
  "custom",
]);

/** `approvals`: the client's answers about whether the call may run. They stay or go with the result. */
export function decodeAiResult(part: AiToolResult, approvals: readonly AiApprovalResponse[] = []): ToolResultBlock {
  const { toolCallId, output } = part;
  const isError = output.type === "error-text" || output.type === "error-json";
  const block = { type: "tool_result" as const, tool_use_id: toolCallId, ...(isError ? { is_error: true } : {}) };
  return decodedFrom([part, ...approvals], withContentOf(output, block));
}

/** Adds the content that the model reads. An output of an unknown kind stays as it is: it cannot be read, so it is never cut. */
export function withContentOf<T extends object>(output: AiToolOutput, block: T): T & { readonly content?: string | readonly Block[] } {
  const { value } = output;
  switch (output.type) {
    case "text":
    case "error-text":
      return { ...block, content: value as string };
    case "json":
    case "error-json":
      return lazily(block, "content", () => jsonText(value));
    case "execution-denied":
      return { ...block, content: output.reason ?? DENIED };
    case "content":
      return { ...block, content: value as readonly Block[] };
    default:
      return block;
  }
}

/** Writes JSON as the providers of the SDK do. */
function jsonText(value: unknown): string {
  try {
    return value === undefined ? "null" : JSON.stringify(value);
  } catch {
    throw invalid("INVALID_INPUT", "output.value", "a JSON value", value);
  }
}

/** `nameOf`: returns the tool of a call, for results that were not decoded from the SDK. */
export function encodeAiResult(block: ToolResultBlock, nameOf?: (callId: string) => string | undefined): AiToolResult {
  const native = nativesOf<AiPart>(block)?.find(isResultPart);
  if (native !== undefined && untouchedNatives(block) !== undefined) return native;
  const { tool_use_id: toolCallId } = block;
  const part = native ?? { type: "tool-result" as const, toolCallId, toolName: nameOf?.(toolCallId) ?? UNKNOWN_TOOL };
  return { ...part, output: encodeOutput(block, native?.output) };
}

function encodeOutput(block: ToolResultBlock, before: AiToolOutput | undefined): AiToolOutput {
  const { content = "" } = block;
  const isError = block.is_error === true;
  // Some providers of the SDK write a list as JSON, so text stays text.
  const isList = typeof content !== "string" && (before === undefined || before.type === "content" || !content.every(isText));
  if (isList && !isError) return { type: "content", value: content.map(contentPart) };
  // Only text can be an error, in the SDK as at the provider (A2.13).
  const text = typeof content === "string" ? content : resultText(block);
  if (before?.type === "execution-denied") return { ...before, reason: text };
  return { ...optionsOf(before), type: isError ? "error-text" : "text", value: text === "" ? EMPTY : text };
}

function optionsOf(output: AiToolOutput | undefined): object {
  return output !== undefined && "providerOptions" in output ? { providerOptions: output.providerOptions } : {};
}

/** A block without an SDK part becomes text that names it. */
function contentPart(block: Block): AiPart {
  return isText(block) || CONTENT_PARTS.has(block.type) ? block : ({ type: "text", text: `[${block.type}]` } as AiPart);
}
