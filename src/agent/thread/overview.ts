import { blocksOf, isText, isThinking, isToolResult, isToolUse, resultText, type Message } from "../../messages/message.ts";
import { comparePlaces, isBefore, type Place } from "../../messages/place.ts";
import { messageTokens } from "../../tokens/message-tokens.ts";
import type { Conversation } from "../../conversation/conversation.ts";

/** Smaller stretches are not worth a summary. */
const WORTH_MENTIONING_TOKENS = 200;
/** If there are more, only the largest are listed. */
const MAX_ROWS = 30;

interface Row {
  readonly from: string;
  readonly to: string;
  readonly end: Place;
  readonly tokens: number;
  /** The messages of the view, half-open. */
  readonly first: number;
  readonly next: number;
}

const HEADING =
  "What compact could replace (stretch between checkpoints | tokens | messages ago | later turns that used something of it | tokens behind it that would leave the cache, * and thinking that would be lost):";

/**
 * Tells the model about each stretch between its checkpoints: its size and age, how many later turns used something of it, and what replacing it would
 * cost, since everything after it is written to the cache again, without its thinking.
 */
export function overviewOf(conversation: Conversation): string {
  const { messages, positions } = conversation.arrange();
  const rows = rowsOf(conversation, messages, positions).filter(({ tokens }) => tokens >= WORTH_MENTIONING_TOKENS);
  if (rows.length === 0) return "";
  const listed = rows
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, MAX_ROWS)
    .sort((a, b) => comparePlaces(a.end, b.end));
  const lastThinking = messages.findLastIndex((message) => message.role === "assistant" && blocksOf(message).some(isThinking));
  const lines = listed.map(({ from, to, end, tokens, first, next }) => {
    const messagesAgo = conversation.length - 1 - end.position;
    const later = messages.slice(next);
    const behind = `${tokensOf(later)}${lastThinking >= next ? "*" : ""}`;
    return `${from} to ${to} | ${tokens} | ${messagesAgo} | ${laterUses(messages.slice(first, next), later)} | ${behind}`;
  });
  return [HEADING, ...lines].join("\n");
}

function rowsOf(conversation: Conversation, messages: readonly Message[], positions: readonly number[]): Row[] {
  const { usable } = conversation.usableCheckpoints();
  const rows: Row[] = [];
  let from = "start";
  let next = 0;
  for (const checkpoint of usable) {
    const first = next;
    const border = { position: checkpoint.position, block: checkpoint.block + 1 };
    while (next < messages.length && isBefore({ position: positions[next] ?? 0, block: 0 }, border)) next++;
    const tokens = tokensOf(messages.slice(first, next));
    rows.push({ from, to: checkpoint.id, end: checkpoint, tokens, first, next });
    from = checkpoint.id;
  }
  return rows;
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + sizeOf(message), 0);
}

const sizes = new WeakMap<Message, number>();

function sizeOf(message: Message): number {
  const known = sizes.get(message) ?? messageTokens(message);
  sizes.set(message, known);
  return known;
}

/** Returns how many later turns of the assistant use a word that came from these tools' results. */
function laterUses(inside: readonly Message[], later: readonly Message[]): number {
  const read = new Set(inside.flatMap((message) => [...wordsRead(message)]));
  if (read.size === 0) return 0;
  return later.filter((message) => sharesWord(wordsSaid(message), read)).length;
}

function sharesWord(said: ReadonlySet<string>, read: ReadonlySet<string>): boolean {
  for (const word of said) if (read.has(word)) return true;
  return false;
}

const words = new WeakMap<Message, { read: ReadonlySet<string>; said: ReadonlySet<string> }>();
/** Names, paths and ids: long, or with a digit or a separator. */
const WORD = /[\w./-]{5,}/g;

function wordsOf(message: Message): { read: ReadonlySet<string>; said: ReadonlySet<string> } {
  const known = words.get(message);
  if (known !== undefined) return known;
  const blocks = blocksOf(message);
  const read = blocks.filter(isToolResult).map(resultText).join("\n");
  const said = blocks
    .map((block) => (isToolUse(block) ? JSON.stringify(block.input) : isText(block) && message.role === "assistant" ? block.text : ""))
    .join("\n");
  const found = { read: distinctive(read), said: distinctive(said) };
  words.set(message, found);
  return found;
}

function wordsRead(message: Message): ReadonlySet<string> {
  return wordsOf(message).read;
}

function wordsSaid(message: Message): ReadonlySet<string> {
  return wordsOf(message).said;
}

function distinctive(text: string): ReadonlySet<string> {
  return new Set((text.match(WORD) ?? []).filter((word) => word.length >= 12 || /[\d_/.-]/.test(word)));
}
