import type { ResponseItem } from "./response-item.ts";

/** Who made an item: the model in its response, the tools that answer it, the user, or the developer. */
export type Side = "response" | "output" | "user" | "system";

/** The developer's items that are not messages. */
const SET_BY_DEVELOPER: ReadonlySet<string> = new Set(["additional_tools", "configuration_update", "compaction_trigger"]);

/** Says whether the item is a message, with or without a type. */
export function isMessageItem(item: ResponseItem): boolean {
  return item.type === "message" || ((item.type === undefined || item.type === null) && item.role !== undefined);
}

/** A reference may lack its type. */
export function isReference(item: ResponseItem): boolean {
  return item.type === "item_reference" || ((item.type === undefined || item.type === null) && item.role === undefined);
}

/** Unknown items count as the model's, unless they are named like an output or have a role. */
export function sideOf(item: ResponseItem): Side {
  if (isMessageItem(item)) return item.role === "user" ? "user" : item.role === "assistant" ? "response" : "system";
  if (SET_BY_DEVELOPER.has(item.type ?? "") || (item.role !== undefined && item.role !== "assistant")) return "system";
  return isOutput(item) ? "output" : "response";
}

function isOutput({ type, execution, call_id: callId }: ResponseItem): boolean {
  if (type === undefined || type === null || !(type.endsWith("_output") || type.endsWith("_response"))) return false;
  // These are part of the response: the provider ran the program or the search.
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
 * Items that the provider accepts only with their id: `Missing required parameter: 'input[42].id'` (openai/codex#6926). A
 * reference consists of its id; an approval is answered by id.
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

/** Returns the item as if the client had written it: without an id, the provider does not look for its reasoning (C4). */
export function withoutId(item: ResponseItem): ResponseItem {
  if (!("id" in item) || isBoundToId(item)) return item;
  const { id: _, ...rest } = item;
  return rest;
}
