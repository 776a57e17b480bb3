import { blocksOf, isText, type Message } from "../../messages/message.ts";
import { isReminder, withoutReminders } from "../../messages/reminder.ts";

const MOST_CHARS = 120;

/** What a conversation is called: the first words of the user's first message that are not a reminder. */
export function titleOf(log: readonly Message[]): string {
  for (const message of log) {
    if (message.role !== "user") continue;
    for (const block of blocksOf(message)) {
      if (!isText(block) || isReminder(block)) continue;
      // Only the beginning is looked at: a message may hold megabytes.
      const words = withoutReminders(block.text.slice(0, 20_000)).replace(/\s+/g, " ").trim();
      if (words !== "") return cut(words);
    }
  }
  return "";
}

function cut(words: string): string {
  const characters = [...words.slice(0, MOST_CHARS * 2)];
  return characters.length <= MOST_CHARS ? words.slice(0, MOST_CHARS * 2) : `${characters.slice(0, MOST_CHARS - 1).join("")}…`;
}
