import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";

/** A part of the content: text, image, file, custom, or one of the types below. */
export interface AiPart {
  readonly type: string;
}

/** A message of the AI SDK, as far as this package reads it; `ModelMessage` is one. */
export interface AiMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string | readonly AiPart[];
}

export interface AiReasoning extends AiPart {
  readonly type: "reasoning";
  readonly text: string;
}

export interface AiToolCall extends AiPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerExecuted?: boolean;
}

/** Stands in a `tool` message, or in the assistant's message if the provider ran the tool. */
export interface AiToolResult extends AiPart {
  readonly type: "tool-result";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: AiToolOutput;
}

/** text, json, error-text, error-json and content have a value, execution-denied may have a reason. */
export interface AiToolOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string;
}

/** The assistant asks whether a call may run. */
export interface AiApprovalRequest extends AiPart {
  readonly type: "tool-approval-request";
  readonly approvalId: string;
  readonly toolCallId: string;
}

/** The answer, in a `tool` message. */
export interface AiApprovalResponse extends AiPart {
  readonly type: "tool-approval-response";
  readonly approvalId: string;
  /** The provider runs the call. */
  readonly providerExecuted?: boolean;
}

export function isReasoning(part: AiPart): part is AiReasoning {
  return part.type === "reasoning";
}

export function isCallPart(part: AiPart): part is AiToolCall {
  return part.type === "tool-call";
}

export function isResultPart(part: AiPart): part is AiToolResult {
  return part.type === "tool-result";
}

export function isApprovalRequest(part: AiPart): part is AiApprovalRequest {
  return part.type === "tool-approval-request";
}

export function isApprovalResponse(part: AiPart): part is AiApprovalResponse {
  return part.type === "tool-approval-response";
}

/** Returns the parts of a message; none for a string. */
export function partsOf({ content }: AiMessage): readonly AiPart[] {
  return typeof content === "string" ? NO_PARTS : content;
}

const NO_PARTS: readonly AiPart[] = [];

/** Throws if the value does not have the shape of a message. What the SDK or a provider would refuse, `checkAiSdk` reports. */
export function parseAiMessage(value: unknown, path: string): AiMessage {
  const fault = messageFault(value);
  if (fault !== undefined) throw invalid("INVALID_INPUT", path + fault.path, fault.expected, fault.found);
  return value as AiMessage;
}

export function parseAiResult(value: unknown, path: string): AiToolResult {
  const fault = partFault(value) ?? (isRecord(value) && value["type"] === "tool-result" ? undefined : faultAt("", "a tool-result part", value));
  if (fault !== undefined) throw invalid("INVALID_INPUT", path + fault.path, fault.expected, fault.found);
  return value as AiToolResult;
}

/** Paths are relative to the value, so that they are only built if there is a fault. */
interface Fault {
  readonly path: string;
  readonly expected: string;
  readonly found: unknown;
}

function faultAt(path: string, expected: string, found: unknown): Fault {
  return { path, expected, found };
}

function messageFault(value: unknown): Fault | undefined {
  if (!isRecord(value)) return faultAt("", "a message { role, content }", value);
  const { role, content } = value;
  if (role !== "system" && role !== "user" && role !== "assistant" && role !== "tool") return faultAt(".role", '"system", "user", "assistant" or "tool"', role);
  if (role !== "tool" && typeof content === "string") return undefined;
  if (!Array.isArray(content)) return faultAt(".content", role === "tool" ? "an array of parts" : "a string or an array of parts", content);
  return partsFault(content, ".content");
}

function partsFault(parts: readonly unknown[], path: string): Fault | undefined {
  for (let number = 0; number < parts.length; number++) {
    const fault = partFault(parts[number]);
    if (fault !== undefined) return { ...fault, path: `${path}.${number}${fault.path}` };
  }
  return undefined;
}

const REQUIRED_STRINGS: ReadonlyMap<string, readonly (readonly [field: string, expected: string])[]> = new Map([
  ["text", [["text", "a string"]]],
  ["reasoning", [["text", "a string"]]],
  [
    "tool-call",
    [
      ["toolCallId", "the id of the call"],
      ["toolName", "the name of the tool"],
    ],
  ],
  [
    "tool-result",
    [
      ["toolCallId", "the id of the call that it answers"],
      ["toolName", "the name of the tool"],
    ],
  ],
  [
    "tool-approval-request",
    [
      ["approvalId", "the id of the approval"],
      ["toolCallId", "the id of the call that it is about"],
    ],
  ],
  ["tool-approval-response", [["approvalId", "the id of the approval"]]],
]);

/** Checks only the fields that this package reads: the rest belongs to the SDK. */
function partFault(part: unknown): Fault | undefined {
  if (!isRecord(part) || typeof part["type"] !== "string") return faultAt("", "a part with a type", part);
  for (const [field, expected] of REQUIRED_STRINGS.get(part["type"]) ?? []) {
    if (typeof part[field] !== "string") return faultAt(`.${field}`, expected, part[field]);
  }
  return part["type"] === "tool-result" ? outputFault(part["output"]) : undefined;
}

function outputFault(output: unknown): Fault | undefined {
  if (!isRecord(output) || typeof output["type"] !== "string") return faultAt(".output", "an output with a type", output);
  const { type, value, reason } = output;
  if (type === "execution-denied" && reason !== undefined && typeof reason !== "string") return faultAt(".output.reason", "a string", reason);
  if ((type === "text" || type === "error-text") && typeof value !== "string") return faultAt(".output.value", "a string", value);
  if (type !== "content") return undefined;
  return Array.isArray(value) ? partsFault(value, ".output.value") : faultAt(".output.value", "an array of parts", value);
}
