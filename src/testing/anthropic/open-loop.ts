import { isResult, textOf, type ApiMessage, type Block } from "./api-request.ts";

/** Returns the start of the tool loop at the end of the messages; undefined if the user has spoken since the model last did. */
export function openLoopStart(messages: readonly ApiMessage[]): number | undefined {
  let start = 0;
  let turn: Block[] = [];
  messages.forEach(({ role, blocks }, position) => {
    if (role === "assistant") turn = [];
    if (role !== "user") return;
    turn.push(...blocks);
    if (!turn.some(isResult) || turn.some(isSpeech)) start = position + 1;
  });
  return messages.slice(start).some(({ role }) => role === "assistant") ? start : undefined;
}

const REMINDER = /^\s*<system-reminder>[^]*<\/system-reminder>\s*$/;

/** Reminders and the like, which clients add after a result, do not end a loop. */
function isSpeech(block: Block): boolean {
  return !isResult(block) && !(block.type === "text" && REMINDER.test(textOf(block["text"])));
}
