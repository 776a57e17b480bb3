import { invalid, type PalimpsestError } from "../errors/palimpsest-error.ts";
import type { Message } from "./message.ts";

/**
 * Refuses what is not a message array at all. What is well-formed but would be rejected by a provider is no concern of
 * this function: `checkMessages` reports it. Unknown blocks and fields are accepted.
 */
export function parseMessages(value: unknown): readonly Message[] {
  if (!Array.isArray(value)) throw invalid("INVALID_INPUT", "messages", "an array of messages", value);
  for (let position = 0; position < value.length; position++) {
    if (!isMessage(value[position])) throw messageFault(value[position], `messages.${position}`);
  }
  return value as readonly Message[];
}

/** Only says yes or no, because it runs over every block of every call; `messageFault` finds the words. */
function isMessage(value: unknown): value is Message {
  if (!isRecord(value)) return false;
  const { role, content } = value;
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  return typeof content === "string" || (Array.isArray(content) && content.every(isBlock));
}

/** Only the fields that this package reads are looked at: the rest of a block belongs to the provider. */
function isBlock(value: unknown): boolean {
  if (!isRecord(value)) return false;
  switch (value["type"]) {
    case "text":
      return typeof value["text"] === "string";
    case "tool_use":
      return typeof value["id"] === "string" && typeof value["name"] === "string";
    case "tool_result": {
      const { content } = value;
      return (
        typeof value["tool_use_id"] === "string" && (content === undefined || typeof content === "string" || (Array.isArray(content) && content.every(isBlock)))
      );
    }
    default:
      return typeof value["type"] === "string";
  }
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
