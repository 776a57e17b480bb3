import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Block, Message } from "../../src/index.ts";
import { blocksOf } from "./parts.ts";

export interface Trajectory {
  readonly name: string;
  readonly messages: readonly Message[];
}

/** Loads all Claude Code sessions (`.jsonl`, `.jsonl.gz`) of a folder; undefined if the folder does not exist. */
export function loadClaudeCode(folder: string): Trajectory[] | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((file) => /\.jsonl(\.gz)?$/.test(file))
    .toSorted()
    .map((file) => ({ name: basename(file).replace(/\.jsonl(\.gz)?$/, ""), messages: readSession(join(folder, file)) }));
}

function readSession(path: string): Message[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return messagesOf(text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [JSON.parse(line) as unknown])));
}

/**
 * Returns the conversation in the lines of a session. An assistant message is spread over lines with the same `message.id`, and results of
 * its first calls may stand between them; the user lines after it were sent as one message.
 */
function messagesOf(lines: readonly unknown[]): Message[] {
  const messages: { role: "user" | "assistant"; content: string | Block[] }[] = [];
  const assistantById = new Map<string, { content: string | Block[] }>();
  for (const line of lines) {
    const found = conversationLine(line);
    if (found === undefined) continue;
    const { role, id } = found;
    const content = typeof found.content === "string" ? found.content : [...found.content];
    const target = role === "assistant" ? assistantById.get(id ?? "") : lastOf(messages, "user");
    if (target !== undefined) {
      target.content = [...blocksOf(target), ...blocksOf({ content })];
      continue;
    }
    const message = { role, content };
    messages.push(message);
    if (role === "assistant" && id !== undefined) assistantById.set(id, message);
  }
  return messages;
}

function lastOf<M extends { role: string }>(messages: readonly M[], role: string): M | undefined {
  const last = messages.at(-1);
  return last?.role === role ? last : undefined;
}

interface ConversationLine {
  readonly role: "user" | "assistant";
  readonly id: string | undefined;
  readonly content: string | readonly Block[];
}

/** Side chains belong to other conversations; meta lines and messages that the harness made up were never sent. */
function conversationLine(line: unknown): ConversationLine | undefined {
  if (!isRecord(line) || line["isSidechain"] === true || line["isMeta"] === true) return undefined;
  const message = line["message"];
  if (!isRecord(message) || message["model"] === "<synthetic>") return undefined;
  const { role, content, id } = message;
  if (role !== "user" && role !== "assistant") return undefined;
  if (typeof content !== "string" && !Array.isArray(content)) return undefined;
  return { role, id: typeof id === "string" ? id : undefined, content: content as string | readonly Block[] };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
