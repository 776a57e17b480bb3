import { blocksOf, textBlock, type Block, type CheckpointBlock, type Message } from "../messages/message.ts";

interface ReminderBlock extends Block {
  readonly type: "system_reminder";
  readonly text: string;
}

export function reminderBlock(text: string): ReminderBlock {
  return { type: "system_reminder", text };
}

/** Caches messages, so that what was sent once is sent again as the same object. */
const shown = new WeakMap<Message, Message>();

/** Returns the message in the provider's form: checkpoints and reminders, which are blocks of their own in a thread, become text. */
export function shownMessage(message: Message): Message {
  if (message.role !== "user" || !blocksOf(message).some(isThreadBlock)) return message;
  const known = shown.get(message);
  if (known !== undefined) return known;
  const written = { ...message, content: blocksOf(message).map((block) => (isThreadBlock(block) ? textBlock(textOf(block)) : block)) };
  shown.set(message, written);
  return written;
}

/** Returns whether the block is of a type that exists only inside a thread. */
export function isThreadBlock(block: Block): block is CheckpointBlock | ReminderBlock {
  return block.type === "checkpoint" || block.type === "system_reminder";
}

function textOf(block: CheckpointBlock | ReminderBlock): string {
  if (block.type === "checkpoint") return `<checkpoint:${block.id}>`;
  const { text } = block;
  return text.trim().startsWith("<system-reminder>") ? text : `<system-reminder>\n${text}\n</system-reminder>`;
}
