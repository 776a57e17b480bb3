import { recordsOf, stringOf, type Json } from "./json-values.ts";

/** Messages and references may lack a type. */
export function typeOfItem(item: Json): string {
  return stringOf(item["type"]) || (item["role"] === undefined ? "item_reference" : "message");
}

/** A string is a user message. */
export function inputItems({ input }: Json): readonly Json[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : recordsOf(input);
}

/** The author of an item. */
export type ItemSide = "model" | "tool" | "user" | "developer";

/** Items with which the developer changes settings. */
const SETTINGS: ReadonlySet<string> = new Set(["additional_tools", "configuration_update", "compaction_trigger"]);

export function sideOfItem(item: Json): ItemSide {
  const type = typeOfItem(item);
  if (type === "message") return item["role"] === "assistant" ? "model" : item["role"] === "user" ? "user" : "developer";
  if (SETTINGS.has(type)) return "developer";
  // A message from another agent of the client.
  if (type === "agent_message") return "user";
  return isClientOutput(item, type) || type === "mcp_approval_response" ? "tool" : "model";
}

function isClientOutput({ execution }: Json, type: string): boolean {
  if (!type.endsWith("_output") || type === "program_output") return false;
  return type !== "tool_search_output" || execution === "client";
}

/** C7: the calls that the client answers, each by an output of its own kind. */
const CALLS: ReadonlySet<string> = new Set([
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
  "computer_call",
  "tool_search_call",
]);

/** A call or an output: its kind is the type of the call. */
export interface ItemLink {
  readonly kind: string;
  readonly callId: string;
}

export function callLink(item: Json): ItemLink | undefined {
  const kind = typeOfItem(item);
  const { call_id: callId, execution } = item;
  // A search that the provider runs has no call id, or `execution: "server"`.
  if (!CALLS.has(kind) || typeof callId !== "string" || (kind === "tool_search_call" && execution === "server")) return undefined;
  return { kind, callId };
}

export function outputLink(item: Json): ItemLink | undefined {
  const type = typeOfItem(item);
  if (!type.endsWith("_output") || sideOfItem(item) !== "tool") return undefined;
  const kind = type === "tool_search_output" ? "tool_search_call" : type.slice(0, -"_output".length);
  // The output of a local shell has the call's id as its own.
  const callId = kind === "local_shell_call" ? (item["call_id"] ?? item["id"]) : item["call_id"];
  return CALLS.has(kind) && typeof callId === "string" ? { kind, callId } : undefined;
}
