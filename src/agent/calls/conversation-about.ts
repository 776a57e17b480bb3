import { blocksOf, isText, type Message } from "../../messages/message.ts";
import type { CallRecord, CallTotals } from "./call-record.ts";

/** What a list of conversations shows. Stored as JSON, and rewritten with every call. */
export interface ConversationAbout {
  readonly version: 1;
  readonly thread: string;
  readonly branch: string;
  readonly owner: string;
  readonly title: string;
  readonly api: CallRecord["api"];
  readonly model?: string;
  readonly client: CallRecord["client"];
  readonly policy?: string;
  readonly parent?: { readonly thread: string; readonly branch: string };
  readonly parentKind?: "sub-agent" | "branch" | "compacted";
  readonly beganMs: number;
  readonly lastMs: number;
  readonly calls: number;
  /** Requests without tools that named the same session: titles, summaries. */
  readonly sideCalls: number;
  /** Length of the log. */
  readonly messages: number;
  /** Tokens of the last call. */
  readonly sentTokens: number;
  readonly fullTokens: number;
  readonly total: CallTotals;
  /** Calls in which something failed on our side. */
  readonly faults: number;
}

const TITLE_CHARS = 120;

/** Returns the first words of the user's first message that are not a reminder. */
export function titleOf(messages: readonly Message[]): string {
  for (const message of messages) {
    if (message.role !== "user") continue;
    for (const block of blocksOf(message)) {
      if (!isText(block)) continue;
      const text = block.text.replaceAll(/<(system-reminder|environment_context|user_instructions)>[\s\S]*?<\/\1>/g, "").trim();
      if (text !== "") return text.replaceAll(/\s+/g, " ").slice(0, TITLE_CHARS);
    }
  }
  return "";
}
