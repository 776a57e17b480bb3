import { invalid, type PalimpsestError } from "../errors/palimpsest-error.ts";
import { indexLog, type LogIndex } from "./index-log.ts";
import type { Message } from "./message.ts";

/** Messages that are messages, with their index. */
export interface ParsedLog {
  readonly log: readonly Message[];
  readonly index: LogIndex;
}

/**
 * Refuses what is not a message array at all. What is well-formed but would be rejected by a provider is no concern of
 * this function: `checkMessages` reports it. Unknown blocks and fields are accepted.
 */
export function parseLog(value: unknown): ParsedLog {
  const log = parseMessages(value);
  return { log, index: indexLog(log) };
}

export function parseMessages(value: unknown): readonly Message[] {
  if (!Array.isArray(value)) throw invalid("INVALID_INPUT", "messages", "an array of messages", value);
  for (let position = 0; position < value.length; position++) {
    if (!isMessage(value[position])) throw messageFault(value[position], `messages.${position}`);
  }
  return value as readonly Message[];
}

/** Only says yes or no, because it runs over every block of every call; `messageFault` finds the words. */
function isMessage(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { role, content } = value as Readonly<Record<string, unknown>>;
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  return typeof content === "string" || areBlocks(content);
}

function areBlocks(content: unknown): boolean {
  if (!Array.isArray(content)) return false;
  for (let number = 0; number < content.length; number++) if (!isBlock(content[number])) return false;
  return true;
}

/** Only the fields that this package reads are looked at: the rest of a block belongs to the provider. */
function isBlock(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const block = value as Readonly<Record<string, unknown>>;
  const type = block["type"];
  if (type === "tool_result") {
    const content = block["content"];
    return typeof block["tool_use_id"] === "string" && (typeof content === "string" || content === undefined || areBlocks(content));
  }
  if (type === "tool_use") return typeof block["id"] === "string" && typeof block["name"] === "string";
  if (type === "text") return typeof block["text"] === "string";
  return typeof type === "string";
}

function messageFault(value: unknown, path: string): PalimpsestError {
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

/** Refuses a block of the wrong shape, wherever it comes from. */
export function parseBlock(block: unknown, path: string): void {
  if (!isBlock(block)) throw blockFault(block, path);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
