import { blocksOf, isText, type Message } from "../../messages/message.ts";

/** How agents ask for a summary of the conversation, before they continue with the summary alone. */
const REQUESTS: readonly RegExp[] = [
  // Claude Code.
  /^(CRITICAL: Respond with TEXT ONLY|Your task is to create a detailed summary of (the|this) conversation)/,
  /Your task is to create a detailed summary of (the|this|the RECENT portion of the) conversation/,
  // Codex.
  /^You are performing a CONTEXT CHECKPOINT COMPACTION/,
  // opencode.
  /^(Provide a detailed prompt for continuing our conversation above|Summarize our conversation above|Create a new anchored summary from the conversation history|Update the anchored summary below)/,
  // pi.
  /^The messages above are a conversation to summarize/,
];
/** The request is at the start of the message; only reminders come before it. */
const READ_CHARS = 4_000;

/** Returns whether the last message asks for a summary that will replace the conversation. */
export function asksForCompaction(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  if (last?.role !== "user" || messages.length < 2) return false;
  return blocksOf(last).some((block) => isText(block) && REQUESTS.some((request) => request.test(block.text.slice(0, READ_CHARS).trimStart())));
}
