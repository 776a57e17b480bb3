import { blocksOf, textBlock, type Block, type CheckpointBlock, type Message } from "../messages/message.ts";

interface ReminderBlock extends Block {
  readonly type: "system_reminder";
  readonly text: string;
}

export function reminderBlock(text: string): ReminderBlock {
  return { type: "system_reminder", text };
}

/** The same message each time, so that what was sent once is sent again as the same object. */
const shown = new WeakMap<Message, Message>();

/** The message as a provider takes it: checkpoints and reminders, which are blocks of their own in a thread, are text to the model. */
export function shownMessage(message: Message): Message {
  if (message.role !== "user" || !blocksOf(message).some(isThreadBlock)) return message;
  const known = shown.get(message);
  if (known !== undefined) return known;
  const written = { ...message, content: blocksOf(message).map((block) => (isThreadBlock(block) ? textBlock(textOf(block)) : block)) };
  shown.set(message, written);
  return written;
}

/** Blocks that only exist inside a thread. */
export function isThreadBlock(block: Block): block is CheckpointBlock | ReminderBlock {
  return block.type === "checkpoint" || block.type === "system_reminder";
}

function textOf(block: CheckpointBlock | ReminderBlock): string {
  if (block.type === "checkpoint") return `<checkpoint:${block.id}>`;
  const { text } = block;
  return text.trim().startsWith("<system-reminder>") ? text : `<system-reminder>\n${text}\n</system-reminder>`;
}
