import { invalid } from "../../errors/palimpsest-error.ts";
import { isRecord } from "../../errors/is-record.ts";

/** A part of a message or of an output: input_text, output_text, refusal, input_image, input_file. */
export interface ItemPart {
  readonly type: string;
  readonly text?: string;
}

/**
 * An item of `input` of the Responses API, as far as this package reads it; `ResponseInputItem` of the SDK is one. An item
 * without a type is a message if it has a role, else a reference to a stored item.
 */
export interface ResponseItem {
  readonly type?: string | null;
  readonly role?: string;
  readonly content?: string | readonly ItemPart[] | null;
  /** The item's own id: `msg_`, `fc_`, `rs_`. It does not link a call and its output. */
  readonly id?: string | null;
  /** Links a call and its output (C1, C2). */
  readonly call_id?: string | null;
  readonly name?: string | null;
  readonly arguments?: unknown;
  readonly input?: unknown;
  readonly action?: unknown;
  readonly actions?: unknown;
  readonly operation?: unknown;
  readonly output?: unknown;
  readonly summary?: unknown;
  readonly encrypted_content?: string | null;
  readonly code?: string | null;
  readonly caller?: unknown;
  /** Whether the provider or the client searches for tools. */
  readonly execution?: string;
  readonly async?: boolean;
  readonly approval_request_id?: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const ROLES: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer"]);

/** Parts that consist of text. */
const TEXT_PARTS: ReadonlySet<unknown> = new Set(["input_text", "output_text", "text"]);

export function isTextPart(part: ItemPart): part is ItemPart & { readonly text: string } {
  return TEXT_PARTS.has(part.type);
}

const OTHER_FORMATS: ReadonlySet<string> = new Set(["tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "mcp_tool_use"]);

/** Types of other formats are a mistake, unlike unknown types that this API may add. */
function isOfOtherFormat(type: string): boolean {
  return OTHER_FORMATS.has(type) || type.endsWith("_tool_result");
}

/** The string fields that an item must have, with descriptions for errors. */
const REQUIRED_STRINGS: Readonly<Record<string, readonly (readonly [field: string, expected: string])[]>> = {
  function_call: [
    ["call_id", "the id of the call"],
    ["name", "the name of the tool"],
    ["arguments", "a string"],
  ],
  custom_tool_call: [
    ["call_id", "the id of the call"],
    ["name", "the name of the tool"],
    ["input", "a string"],
  ],
  shell_call: [["call_id", "the id of the call"]],
  apply_patch_call: [["call_id", "the id of the call"]],
  computer_call: [["call_id", "the id of the call"]],
  program: [["call_id", "the id of the program"]],
  program_output: [["call_id", "the id of the program"]],
  custom_tool_call_output: [["call_id", "the id of the call that it answers"]],
  shell_call_output: [["call_id", "the id of the call that it answers"]],
  apply_patch_call_output: [["call_id", "the id of the call that it answers"]],
  computer_call_output: [["call_id", "the id of the call that it answers"]],
  mcp_approval_request: [["id", "the id of the request"]],
  mcp_approval_response: [["approval_request_id", "the id of the request that it answers"]],
  item_reference: [["id", "the id of the item"]],
};

/** Output items that hold a string or parts. */
const OUTPUTS_OF_PARTS: ReadonlySet<string> = new Set(["function_call_output", "custom_tool_call_output"]);

export function parseResponseItems(value: readonly ResponseItem[]): readonly ResponseItem[] {
  if (!Array.isArray(value)) throw invalid("INVALID_INPUT", "input", "an array of items", value);
  // Not `forEach`, which would skip holes of the array.
  for (let number = 0; number < value.length; number++) parseResponseItem(value[number], `input.${number}`);
  return value as readonly ResponseItem[];
}

/** Throws if the value does not have the shape of an item. Unknown types pass. What the provider would refuse, `checkResponses` reports. */
export function parseResponseItem(value: unknown, path: string): ResponseItem {
  if (!isRecord(value)) throw invalid("INVALID_INPUT", path, "an item", value);
  const type = value["type"] ?? ("role" in value ? "message" : "item_reference");
  if (typeof type !== "string" || isOfOtherFormat(type) || type === "text")
    throw invalid("INVALID_INPUT", `${path}.type`, "the type of an item of the Responses API", type);
  if (type === "message") parseMessage(value, path);
  else parseTyped(value, type, path);
  return value;
}

function parseMessage(message: Fields, path: string): void {
  const { role, content } = message;
  if (!ROLES.has(role)) throw invalid("INVALID_INPUT", `${path}.role`, '"user", "assistant", "system" or "developer"', role);
  if (typeof content !== "string") parseParts(content, `${path}.content`);
}

function parseTyped(item: Fields, type: string, path: string): void {
  parseStrings(item, type, path);
  const callId = item["call_id"] ?? undefined;
  if (callId !== undefined && typeof callId !== "string") throw invalid("INVALID_INPUT", `${path}.call_id`, "the id of the call", callId);
  if (type === "local_shell_call" || type === "local_shell_call_output") {
    if (typeof (callId ?? item["id"]) !== "string") throw invalid("INVALID_INPUT", `${path}.call_id`, "the id of the call", callId);
  } else if (OUTPUTS_OF_PARTS.has(type)) {
    if (typeof item["output"] !== "string") parseParts(item["output"], `${path}.output`);
  } else if (type === "shell_call_output") {
    parseChunks(item["output"], `${path}.output`);
  } else if (type === "reasoning") {
    // C6: a missing summary is reported by `checkResponses`.
    parseParts(item["summary"] ?? [], `${path}.summary`);
    parseParts(item["content"] ?? [], `${path}.content`);
  }
}

function parseStrings(item: Fields, type: string, path: string): void {
  const fields = Object.hasOwn(REQUIRED_STRINGS, type) ? REQUIRED_STRINGS[type] : undefined;
  for (const [field, expected] of fields ?? []) if (typeof item[field] !== "string") throw invalid("INVALID_INPUT", `${path}.${field}`, expected, item[field]);
}

function parseParts(parts: unknown, path: string): void {
  if (!Array.isArray(parts)) throw invalid("INVALID_INPUT", path, "a string or an array of parts", parts);
  for (let number = 0; number < parts.length; number++) if (!isPart(parts[number])) throw partFault(parts[number], `${path}.${number}`);
}

function partFault(part: unknown, path: string): Error {
  if (isRecord(part) && TEXT_PARTS.has(part["type"])) return invalid("INVALID_INPUT", `${path}.text`, "a string", part["text"]);
  return invalid("INVALID_INPUT", path, "a part with a type of the Responses API", part);
}

export function isPart(value: unknown): value is ItemPart {
  if (!isRecord(value)) return false;
  const { type, text } = value;
  if (typeof type !== "string" || isOfOtherFormat(type)) return false;
  return typeof text === "string" || !TEXT_PARTS.has(type);
}

function parseChunks(chunks: unknown, path: string): void {
  if (!Array.isArray(chunks)) throw invalid("INVALID_INPUT", path, "an array of { stdout, stderr, outcome }", chunks);
  for (let number = 0; number < chunks.length; number++) {
    const chunk: unknown = chunks[number];
    if (!isRecord(chunk) || typeof chunk["stdout"] !== "string" || typeof chunk["stderr"] !== "string")
      throw invalid("INVALID_INPUT", `${path}.${number}`, "{ stdout, stderr, outcome }", chunk);
  }
}
