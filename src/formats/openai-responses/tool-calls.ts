import type { ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { lazily, parseArguments } from "../call-arguments.ts";
import { decodedFrom, nativesOf, untouchedNatives } from "../origin.ts";
import { isReference } from "./item-kinds.ts";
import type { ResponseItem } from "./response-item.ts";

interface CallKind {
  readonly nameOf: (item: ResponseItem) => string;
  readonly read: (item: ResponseItem) => unknown;
  readonly write: (item: ResponseItem, input: unknown) => ResponseItem;
}

/** The calls that the client answers, by their type. */
const CALL_KINDS: Readonly<Record<string, CallKind>> = {
  function_call: {
    nameOf: ({ name }) => textOf(name),
    read: (item) => parseArguments(textOf(item.arguments)),
    write: (item, input) => ({ ...item, arguments: JSON.stringify(input) }),
  },
  custom_tool_call: {
    nameOf: ({ name }) => textOf(name),
    read: ({ input }) => ({ input }),
    write: (item, input) => ({ ...item, input: freeText(input) }),
  },
  tool_search_call: {
    nameOf: () => "tool_search",
    read: (item) => (isRecord(item.arguments) ? item.arguments : { arguments: item.arguments }),
    write: (item, input) => ({ ...item, arguments: input }),
  },
  shell_call: shaped("shell", "action"),
  apply_patch_call: shaped("apply_patch", "operation"),
  local_shell_call: asMade(
    ({ action }) => (isRecord(action) ? action : {}),
    () => "local_shell",
  ),
  computer_call: asMade(
    ({ action, actions }) => (isRecord(action) ? action : { actions }),
    () => "computer",
  ),
  // Answered by an approval that names the id of the request.
  mcp_approval_request: asMade(
    (item) => parseArguments(textOf(item.arguments)),
    ({ name }) => textOf(name),
  ),
};

/** A call of an unknown type: it stays with its output, and is otherwise left alone. */
const UNKNOWN_CALL: CallKind = asMade(
  () => ({}),
  ({ type }) => type ?? "",
);

/** Types of calls that the provider requires an answer to (C1, C7). */
const MUST_BE_ANSWERED: ReadonlySet<string> = new Set([
  "function_call",
  "custom_tool_call",
  "tool_search_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
  "computer_call",
]);

/** Returns the id by which the output names the call; undefined if the client does not answer it. */
export function callIdOf(item: ResponseItem): string | undefined {
  const { type, call_id: callId, id, execution } = item;
  if (type === "mcp_approval_request") return id ?? undefined;
  if (type === "local_shell_call") return callId ?? id ?? undefined;
  if (type === "tool_search_call" && execution === "server") return undefined;
  return type === "program" || type === "program_output" || isReference(item) ? undefined : (callId ?? undefined);
}

/** A call that runs asynchronously may stay open. */
export function mustBeAnswered(item: ResponseItem): boolean {
  return MUST_BE_ANSWERED.has(item.type ?? "") && item.async !== true;
}

export function decodeCall(item: ResponseItem, id: string): ToolUseBlock {
  const { nameOf, read } = kindOf(item);
  const block = { type: "tool_use" as const, id, name: nameOf(item), ...callerOf(item) };
  return decodedFrom(
    [item],
    lazily(block, "input", () => read(item)),
  );
}

/** Decodes a reference to a stored call, of which only the output is known. */
export function decodeReferredCall(item: ResponseItem, id: string): ToolUseBlock {
  return decodedFrom([item], { type: "tool_use", id, name: "item_reference", input: {} });
}

export function encodeCall(block: ToolUseBlock): ResponseItem {
  const [untouched] = untouchedNatives<ResponseItem>(block) ?? [];
  if (untouched !== undefined) return untouched;
  const [native] = nativesOf<ResponseItem>(block) ?? [];
  if (native === undefined) return { type: "function_call", call_id: block.id, name: block.name, arguments: JSON.stringify(block.input) };
  return kindOf(native).write(native, block.input);
}

function kindOf({ type }: ResponseItem): CallKind {
  return (Object.hasOwn(CALL_KINDS, type ?? "") ? CALL_KINDS[type ?? ""] : undefined) ?? UNKNOWN_CALL;
}

/** A call made by a program is bound to it, as with Anthropic's code execution (A3.3). */
function callerOf({ caller }: ResponseItem): { readonly caller?: { readonly tool_id: string } } {
  return isRecord(caller) && typeof caller["caller_id"] === "string" ? { caller: { tool_id: caller["caller_id"] } } : {};
}

/** The provider checks the fields of the action, so only existing fields are written, with values of the same type. */
function shaped(name: string, field: "action" | "operation"): CallKind {
  return {
    nameOf: () => name,
    read: (item) => (isRecord(item[field]) ? item[field] : {}),
    write: (item, input) => {
      const before = item[field];
      if (!isRecord(before) || !isRecord(input)) return item;
      const now = Object.fromEntries(Object.entries(before).map(([key, value]) => [key, isSameKind(value, input[key]) ? input[key] : value]));
      return { ...item, [field]: now };
    },
  };
}

/** Items that must keep their id are the provider's, so they are never rewritten. */
function asMade(read: CallKind["read"], nameOf: CallKind["nameOf"]): CallKind {
  return { nameOf, read, write: (item) => item };
}

function isSameKind(a: unknown, b: unknown): boolean {
  return typeof a === typeof b && Array.isArray(a) === Array.isArray(b) && (a === null) === (b === null);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the text input of a custom tool. */
function freeText(input: unknown): string {
  return isRecord(input) && typeof input["input"] === "string" ? input["input"] : JSON.stringify(input);
}
