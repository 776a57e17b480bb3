import type { ResponseItem } from "./response-item.ts";

/** Who made an item: the model in its response, the tools that answer it, the user, or the developer. */
export type Side = "response" | "output" | "user" | "system";

/** The developer's own items that are no messages. */
const SET_BY_DEVELOPER: ReadonlySet<string> = new Set(["additional_tools", "configuration_update", "compaction_trigger"]);

/** A message, typed or not. */
export function isMessageItem(item: ResponseItem): boolean {
  return item.type === "message" || ((item.type === undefined || item.type === null) && item.role !== undefined);
}

/** The type may be left out. */
export function isReference(item: ResponseItem): boolean {
  return item.type === "item_reference" || ((item.type === undefined || item.type === null) && item.role === undefined);
}

/** Items that nobody knows yet are the model's, unless they are named like an output or belong to a role. */
export function sideOf(item: ResponseItem): Side {
  if (isMessageItem(item)) return item.role === "user" ? "user" : item.role === "assistant" ? "response" : "system";
  if (SET_BY_DEVELOPER.has(item.type ?? "") || (item.role !== undefined && item.role !== "assistant")) return "system";
  return isOutput(item) ? "output" : "response";
}

function isOutput({ type, execution, call_id: callId }: ResponseItem): boolean {
  if (type === undefined || type === null || !(type.endsWith("_output") || type.endsWith("_response"))) return false;
  // These come back inside the response: the provider ran the program, or the search.
  if (type === "program_output") return false;
  return type !== "tool_search_output" || (execution !== "server" && typeof callId === "string");
}

/** Reasoning, in full or as a reference. */
export function isReasoning(item: ResponseItem): boolean {
  return item.type === "reasoning" || (isReference(item) && item.id?.startsWith("rs_") === true);
}

export function hasId(item: ResponseItem): boolean {
  return typeof item.id === "string";
}

/**
 * Items that the provider takes only with their id: `Missing required parameter: 'input[42].id'` (openai/codex#6926). A
 * reference is nothing but its id; an approval is answered by it.
 */
const BOUND_TO_ID: ReadonlySet<string> = new Set([
  "item_reference",
  "mcp_approval_request",
  "mcp_call",
  "mcp_list_tools",
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "computer_call",
  "local_shell_call",
  "local_shell_call_output",
  "program",
  "program_output",
]);

export function isBoundToId(item: ResponseItem): boolean {
  return isReference(item) || BOUND_TO_ID.has(item.type ?? "");
}

/** The item, as if the client had written it: with no id, the provider does not look for the reasoning that it came from (C4). */
export function withoutId(item: ResponseItem): ResponseItem {
  if (!("id" in item) || isBoundToId(item)) return item;
  const { id: _, ...rest } = item;
  return rest;
}
