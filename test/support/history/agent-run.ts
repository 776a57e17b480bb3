import type { Commit, History } from "../../../src/history/index.ts";
import { use } from "../build.ts";

/** user · greps c1 · reads c2 and lists c3 at once · answer · next question · greps c4 · answer */
export interface AgentRun {
  readonly question: Commit;
  readonly grep: Commit;
  readonly grepResult: Commit;
  readonly both: Commit;
  readonly readResult: Commit;
  readonly listResult: Commit;
  readonly answer: Commit;
  readonly next: Commit;
  readonly grepAgain: Commit;
  readonly grepAgainResult: Commit;
  readonly lastAnswer: Commit;
}

export const GREP_OUTPUT: string = Array.from({ length: 60 }, (_, line) => `src/config-${line}.py:${line}: DATABASE_URL = env("DATABASE_URL")`).join("\n");

export async function agentRun(history: History): Promise<AgentRun> {
  return {
    question: await history.user("Where is the database configured?"),
    grep: await history.assistant([use("c1", "grep", { pattern: "DATABASE" })]),
    grepResult: await history.toolResult("c1", "grep", GREP_OUTPUT),
    both: await history.assistant([use("c2", "read_file", { path: "config.py" }), use("c3", "ls")]),
    readResult: await history.toolResult("c2", "read_file", "host = db.example\nport = 5432"),
    listResult: await history.toolResult("c3", "ls", "config.py\nmain.py"),
    answer: await history.assistant("In config.py."),
    next: await history.user("And who reads it?"),
    grepAgain: await history.assistant([use("c4", "grep", { pattern: "import config" })]),
    grepAgainResult: await history.toolResult("c4", "grep", "main.py:1: import config"),
    lastAnswer: await history.assistant("main.py does."),
  };
}

/** A view in short: roles, texts, calls and results. */
export function outline(messages: readonly { readonly role: string; readonly content: unknown }[]): string[] {
  return messages.map(({ role, content }) => `${role}: ${typeof content === "string" ? content : (content as unknown[]).map(short).join(", ")}`);
}

function short(value: unknown): string {
  const block = value as { type: string; text?: string; id?: string; name?: string; tool_use_id?: string; content?: unknown; is_error?: boolean };
  if (block.type === "tool_use") return `${block.name}(${block.id})`;
  if (block.type !== "tool_result") return block.text ?? block.type;
  const content = typeof block.content === "string" ? block.content : JSON.stringify(block.content);
  return `${block.is_error === true ? "error " : ""}${block.tool_use_id}=${content.length > 40 ? `${content.length} characters` : content}`;
}
