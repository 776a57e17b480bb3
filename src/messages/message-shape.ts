import { isRecord } from "../errors/is-record.ts";
import { invalid, type PalimpsestError } from "../errors/palimpsest-error.ts";

/** An unchecked message or block: the fields that this package reads. The rest belongs to the provider. */
export interface Unchecked {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly type?: unknown;
  readonly text?: unknown;
  readonly id?: unknown;
  readonly name?: unknown;
  readonly tool_use_id?: unknown;
}

/** Returns only yes or no, because it runs over every block of every call; `messageFault` describes the fault. */
export function isBlock(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { type } = value as Unchecked;
  if (type === "tool_result") return isResult(value);
  if (type === "tool_use") return isUse(value);
  if (type === "text") return typeof (value as Unchecked).text === "string";
  return typeof type === "string";
}

function isUse({ id, name }: Unchecked): boolean {
  return typeof id === "string" && typeof name === "string";
}

/** Says whether a block with the type tool_result is well formed. */
export function isResult({ tool_use_id, content }: Unchecked): boolean {
  return typeof tool_use_id === "string" && isAnswer(content);
}

/** Says whether this is valid content of a tool_result. */
export function isAnswer(content: unknown): boolean {
  return typeof content === "string" || content === undefined || areBlocks(content);
}

export function areBlocks(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  for (let number = 0; number < content.length; number++) if (!isBlock(content[number])) return false;
  return true;
}

/** Refuses a malformed block. */
export function parseBlock(block: unknown, path: string): void {
  if (!isBlock(block)) throw blockFault(block, path);
}

/** Returns the error for a value that is not a message. */
export function messageFault(value: unknown, path: string): PalimpsestError {
  if (!isRecord(value)) return invalid("INVALID_INPUT", path, "a message { role, content }", value);
  const { role, content } = value;
  if (role !== "user" && role !== "assistant" && role !== "system") return invalid("INVALID_INPUT", `${path}.role`, '"user", "assistant" or "system"', role);
  return contentFault(content, `${path}.content`);
}

function contentFault(content: unknown, path: string): PalimpsestError {
  if (!Array.isArray(content)) return invalid("INVALID_INPUT", path, "a string or an array of blocks", content);
  const number = content.findIndex((block) => !isBlock(block));
  return blockFault(content[number], `${path}.${number}`);
}

function blockFault(block: unknown, path: string): PalimpsestError {
  if (!isRecord(block) || typeof block["type"] !== "string") return invalid("INVALID_INPUT", path, "a block with a type", block);
  const missing = REQUIRED_STRINGS[block["type"]]?.find(([field]) => typeof block[field] !== "string");
  if (missing !== undefined) return invalid("INVALID_INPUT", `${path}.${missing[0]}`, missing[1], block[missing[0]]);
  return contentFault(block["content"], `${path}.content`);
}

const REQUIRED_STRINGS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  text: [["text", "a string"]],
  tool_use: [
    ["id", "the id of the call"],
    ["name", "the name of the tool"],
  ],
  tool_result: [["tool_use_id", "the id of the call that it answers"]],
};
