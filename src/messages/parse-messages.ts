import { invalid } from "../errors/palimpsest-error.ts";
import { indexLog, type LogIndex } from "./index-log.ts";
import type { LogIndexer } from "./log-indexer.ts";
import type { Message } from "./message.ts";
import { areBlocks, messageFault, type Unchecked } from "./message-shape.ts";

export { parseBlock } from "./message-shape.ts";

/** Messages whose shape was checked, with their index. */
export interface ParsedLog {
  readonly log: readonly Message[];
  readonly index: LogIndex;
}

/**
 * Refuses values that are not a message array. Well-formed messages that a provider would reject pass: `checkMessages` reports
 * them. Unknown blocks and fields are accepted. `indexer`: for a log that grows from call to call.
 */
export function parseLog(value: unknown, indexer?: LogIndexer): ParsedLog {
  const log = parseArray(value);
  return { log, index: indexer === undefined ? indexLog(log) : indexer.indexOf(log) };
}

/** The same without the index. */
export function parseMessages(value: unknown): readonly Message[] {
  const messages = parseArray(value);
  for (let position = 0; position < messages.length; position++) {
    if (!isMessage(messages[position])) throw messageFault(messages[position], `messages.${position}`);
  }
  return messages;
}

/** Returns an array of unchecked entries. */
function parseArray(value: unknown): readonly Message[] {
  if (!Array.isArray(value)) throw invalid("INVALID_INPUT", "messages", "an array of messages", value);
  return value as readonly Message[];
}

/** Refuses a malformed message. */
export function checkMessage(message: unknown, path: string): void {
  if (!isMessage(message)) throw messageFault(message, path);
}

function isMessage(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { role, content } = value as Unchecked;
  if (role !== "user" && role !== "assistant" && role !== "system") return false;
  return typeof content === "string" || areBlocks(content);
}
