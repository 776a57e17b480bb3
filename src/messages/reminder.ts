import { isText, type Block } from "./message.ts";

const OPEN = "<system-reminder>";
const CLOSE = "</system-reminder>";

/** A block that is a reminder and nothing else. */
export function isReminder(block: Block): boolean {
  if (block.type === "system_reminder") return true;
  if (!isText(block)) return false;
  const rest = withoutReminders(block.text);
  return rest !== block.text && rest.trim() === "";
}

/** The text without its `<system-reminder>` spans. A tag that is never closed is ordinary text. */
export function withoutReminders(text: string): string {
  if (text.length < OPEN.length + CLOSE.length) return text;
  let rest = "";
  let from = 0;
  for (;;) {
    const open = text.indexOf(OPEN, from);
    const close = open === -1 ? -1 : text.indexOf(CLOSE, open + OPEN.length);
    if (close === -1) return from === 0 ? text : rest + text.slice(from);
    rest += text.slice(from, open);
    from = close + CLOSE.length;
  }
}
