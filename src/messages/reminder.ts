import { isText, type Block } from "./message.ts";

const OPEN = "<system-reminder>";
const CLOSE = "</system-reminder>";

/** Says whether the block consists only of a reminder. */
export function isReminder(block: Block): boolean {
  if (block.type === "system_reminder") return true;
  if (!isText(block)) return false;
  const rest = withoutReminders(block.text);
  return rest !== block.text && rest.trim() === "";
}

/**
 * Returns the text without its `<system-reminder>` spans. Nested spans go with the outer one. A span that is opened twice and closed once
 * ends there. A tag that is never closed is ordinary text.
 */
export function withoutReminders(text: string): string {
  if (text.length < OPEN.length + CLOSE.length || !text.includes(OPEN)) return text;
  let rest = "";
  let from = 0;
  const ends = endsOfReminders(text);
  for (let open = text.indexOf(OPEN); open !== -1; open = text.indexOf(OPEN, from)) {
    const end = ends.get(open) ?? endOf(text.indexOf(CLOSE, open + OPEN.length));
    if (end === undefined) break;
    rest += text.slice(from, open);
    from = end;
  }
  return from === 0 ? text : rest + text.slice(from);
}

/** Returns the ends of closed spans by their starts; a closing tag closes the nearest open one. */
function endsOfReminders(text: string): ReadonlyMap<number, number> {
  const ends = new Map<number, number>();
  const open: number[] = [];
  let nextOpen = text.indexOf(OPEN);
  for (let close = text.indexOf(CLOSE); close !== -1; close = text.indexOf(CLOSE, close + CLOSE.length)) {
    for (; nextOpen !== -1 && nextOpen < close; nextOpen = text.indexOf(OPEN, nextOpen + OPEN.length)) open.push(nextOpen);
    const opened = open.pop();
    if (opened !== undefined) ends.set(opened, close + CLOSE.length);
  }
  return ends;
}

function endOf(close: number): number | undefined {
  return close === -1 ? undefined : close + CLOSE.length;
}
