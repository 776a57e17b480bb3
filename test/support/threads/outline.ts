import type { Thread } from "../../../src/agent/index.ts";
import type { Block } from "../../../src/index.ts";
import { blocksIn } from "../judged-request.ts";

/** Checkpoints are random: in an outline they are called A, B, C, in the order in which the thread issued them. */
export function checkpointsOf(thread: Thread): string[] {
  return thread.log().flatMap((message) => blocksIn(message).flatMap((block) => (block.type === "checkpoint" && "id" in block ? [String(block.id)] : [])));
}

/** The id of the checkpoint that an outline calls by this letter. */
export function idOf(thread: Thread, letter: string): string {
  return checkpointsOf(thread)[letter.charCodeAt(0) - 65] ?? "none";
}

/** The next request, one line for each message: `user: words <A>`, `assistant: (thinking) words [read 1]`, `user: {1: found} <B>`. */
export function outline(thread: Thread): string[] {
  const ids = checkpointsOf(thread);
  return thread.request().messages.map(
    (message) =>
      `${message.role}: ${blocksIn(message)
        .map((block) => shown(block, ids))
        .join(" ")}`,
  );
}

function shown(block: Block, ids: readonly string[]): string {
  const { type, text, id, name, tool_use_id: callId, content, is_error: isError, thinking } = block as Block & Record<string, string>;
  if (type === "text") return named(String(text), ids);
  if (type === "thinking") return `(${String(thinking)})`;
  if (type === "tool_use") return `[${String(name)} ${String(id)}]`;
  if (type !== "tool_result") return `<${type}>`;
  return `{${String(callId)}${isError === undefined ? "" : "!"}: ${typeof content === "string" ? named(content, ids) : (JSON.stringify(content) ?? "")}}`;
}

function named(text: string, ids: readonly string[]): string {
  const found = /^<checkpoint:(.*)>$/.exec(text)?.[1];
  const number = found === undefined ? -1 : ids.indexOf(found);
  return number === -1 ? text.replace(/\s+/g, " ") : `<${String.fromCharCode(65 + number)}>`;
}
