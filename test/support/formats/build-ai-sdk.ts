import type { AiMessage, AiPart } from "../../../src/formats/ai-sdk/ai-message.ts";

/** Builds messages and parts of the AI SDK. `more` adds any other field, or overrides one. */
export function part(type: string, fields: object = {}): AiPart {
  return { type, ...fields };
}

export function text(value: string, more: object = {}): AiPart {
  return part("text", { text: value, ...more });
}

export function call(id: string, more: object = {}): AiPart {
  return part("tool-call", { toolCallId: id, toolName: "read", input: { path: "a" }, ...more });
}

/** A call of a tool that the provider runs. */
export function search(id: string): AiPart {
  return call(id, { providerExecuted: true });
}

export function res(id: string, output: object = { type: "text", value: "ok" }, more: object = {}): AiPart {
  return part("tool-result", { toolCallId: id, toolName: "read", output, ...more });
}

/** Asks the user to approve a call. */
export function asks(approvalId: string, toolCallId: string): AiPart {
  return part("tool-approval-request", { approvalId, toolCallId });
}

/** The user's approval. */
export function answers(approvalId: string, more: object = {}): AiPart {
  return part("tool-approval-response", { approvalId, approved: true, ...more });
}

export function message(role: AiMessage["role"], content: AiMessage["content"], more: object = {}): AiMessage {
  return { role, content, ...more };
}

export function assistant(...parts: AiPart[]): AiMessage {
  return message("assistant", parts);
}

/** A message with results. */
export function tool(...parts: AiPart[]): AiMessage {
  return message("tool", parts);
}
