import { hash64 } from "../../edits/edit-id.ts";
import { isRecord } from "../../errors/is-record.ts";
import { blocksOf, isText, isToolUse, type Block, type Message } from "../../messages/message.ts";

/**
 * Returns a key by which a client's message is recognized as one that it sent or received before. Cache markers move from call to call, and clients
 * send answers back as they keep them: with or without thinking, in one text or several, with defaults added to the inputs of calls.
 */
export function clientKey(message: Message): string {
  return message.role === "assistant" ? spokenKey(blocksOf(message)) : hash64(`${message.role}|${JSON.stringify(blocksOf(message).map(withoutMarkers))}`);
}

export function spokenKey(blocks: readonly Block[]): string {
  const text = blocks.flatMap((block) => (isText(block) ? [block.text.replaceAll(/\s+/g, "")] : [])).join("");
  const calls = blocks.filter(isToolUse).map(({ id, name }) => [id, name]);
  return hash64(`assistant|${text}|${JSON.stringify(calls)}`);
}

/** Returns whether a message is an answer that called tools, without the text beside the calls: some clients keep only the calls (Strands, on Chat). */
export function isWithoutText(answer: readonly Block[], message: Message): boolean {
  const blocks = blocksOf(message);
  const callsOf = (all: readonly Block[]): string => JSON.stringify(all.filter(isToolUse).map(({ id, name }) => [id, name]));
  return message.role === "assistant" && blocks.some(isToolUse) && !blocks.some(hasText) && callsOf(answer) === callsOf(blocks);
}

function hasText(block: Block): boolean {
  return isText(block) && block.text.trim() !== "";
}

/** Ids of this length are unique. Shorter ones may be numbers that start again in every answer. */
const UNIQUE_ID_CHARS = 20;

/** Returns whether the returned calls may be the given ones, as the client keeps them. Claude Code adds a tool's defaults, and orders fields as the tool does. */
export function areSameCalls(given: readonly Block[], returned: readonly Block[]): boolean {
  const inputs = new Map(returned.filter(isToolUse).map(({ id, input }) => [id, input]));
  return given.filter(isToolUse).every(({ id, input }) => {
    const back = inputs.get(id);
    if (id.length >= UNIQUE_ID_CHARS || !isRecord(input) || !isRecord(back)) return true;
    return Object.entries(input).every(([name, value]) => isSameValue(value, back[name]));
  });
}

/**
 * Returns whether two messages are the same apart from cache markers. This is much faster than comparing keys, but it misses a message in another form
 * (a string for its one text block, fields in another order), which has the same key.
 */
export function isSameMessage(a: Message, b: Message): boolean {
  return a === b || (a.role === b.role && areSameBlocks(a.content, b.content));
}

function areSameBlocks(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((block: unknown, number) => isSameBlock(block, b[number]));
}

function isSameBlock(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return a === b;
  const { cache_control: _, content: inA, ...restA } = a;
  const { cache_control: __, content: inB, ...restB } = b;
  return (a["type"] === "tool_result" ? areSameBlocks(inA, inB) : isSameValue(inA, inB)) && isSameValue(restA, restB);
}

function isSameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value: unknown, number) => isSameValue(value, b[number]));
  if (!isRecord(a) || !isRecord(b) || Array.isArray(b)) return a === b;
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return keys.length === others.length && keys.every((key, number) => key === others[number] && isSameValue(a[key], b[key]));
}

/** Removes markers, also inside tool results, where they are allowed too (A6). */
export function withoutMarkers(block: Block): Block {
  const { cache_control: marker, ...rest } = block as Block & { readonly cache_control?: unknown };
  const { content } = block as Block & { readonly content?: unknown };
  const parts = block.type === "tool_result" && Array.isArray(content) ? (content as readonly Block[]) : undefined;
  const bare = parts?.map(withoutMarkers);
  const isSame = marker === undefined && (bare === undefined || bare.every((part, number) => part === parts?.[number]));
  if (isSame) return block;
  return bare === undefined ? rest : Object.assign({}, rest, { content: bare });
}
