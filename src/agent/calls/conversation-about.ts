import type { CallRecord, CallTotals } from "./call-record.ts";

/** What a list of conversations shows of one: the note `about` of a thread, by branch. It is put again with every call. */
export interface ConversationAbout {
  readonly version: 1;
  readonly thread: string;
  readonly branch: string;
  readonly owner: string;
  /** The first words of the user's first message that are not a reminder; at most 120 characters. */
  readonly title: string;
  readonly api: CallRecord["api"];
  readonly model?: string;
  readonly client: CallRecord["client"];
  readonly policy?: string;
  /** Of a sub-agent the conversation that started it; of a branch the one that it left; after the agent's own compaction the one before it. */
  readonly parent?: { readonly thread: string; readonly branch: string };
  readonly parentKind?: "sub-agent" | "branch" | "compacted";
  readonly beganMs: number;
  readonly lastMs: number;
  readonly calls: number;
  readonly sideCalls: number;
  /** Length of the log. */
  readonly messages: number;
  /** Of the last call. */
  readonly sentTokens: number;
  readonly fullTokens: number;
  readonly total: CallTotals;
  /** Calls in which something of ours failed. */
  readonly faults: number;
}
