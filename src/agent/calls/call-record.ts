import type { Decision } from "../../policy/decision.ts";
import type { Place } from "../../messages/place.ts";

/** The kind of a client's call: part of a conversation; beside one (a title, a summary: no tools); the agent's own compaction; or not read at all. */
export type CallKind = "conversation" | "side" | "compaction" | "unread";

/** Tokens and dollars of one call, or of many together. */
export interface CallTotals {
  readonly calls: number;
  /** Requests that were sent upstream for these calls. */
  readonly requests: number;
  /** Not cached, read from and written to the cache, as the provider reported them. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
  /** Input tokens and dollars of the same calls with the client's own messages. */
  readonly fullTokens: number;
  readonly fullDollars: number;
  /** Calls of models without a known price, whose dollars are not in the sums. */
  readonly unpricedCalls: number;
}

/** One request upstream. A call has several if there were hidden rounds, a rescue or a retry. */
export interface CallRound {
  /** The provider's status; 0: no answer. */
  readonly status: number;
  /** Milliseconds since the call came in: when this round began, when it was sent, its first byte, its end. */
  readonly beganMs: number;
  readonly sentMs: number;
  readonly firstByteMs?: number;
  readonly endMs?: number;
  /** As the provider reported it. `input` is what was neither read from nor written to the cache. */
  readonly usage?: { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number; readonly output: number };
  /** Calls that the client did not see, answered after this round. */
  readonly hidden?: readonly { readonly tool: string; readonly handle?: string; readonly isError?: boolean }[];
  /** Why it was sent again: "too long", "refused view", "stream_options" … */
  readonly retry?: string;
}

/**
 * What was done with one call of a client, and why. Its size is bounded: contents are in the log of its conversation and in the notes of its
 * thread, and are only referred to here. Stored as JSON.
 */
export interface CallRecord {
  readonly version: 1;
  readonly kind: CallKind;
  /** Thread and branch in the store. A side call has the thread of its session's conversation, if there is one. */
  readonly thread: string;
  readonly branch: string;
  /** Its owner, as a keyed hash, or "local". */
  readonly owner: string;
  readonly atMs: number;
  readonly api: "anthropic" | "openai-chat" | "openai-responses" | "ai-sdk" | "other";
  readonly model?: string;
  /** Method and path of the request, without the query. */
  readonly method?: string;
  readonly path?: string;
  readonly client: {
    /** "Claude Code", "Codex" …, as told from the request; else its user agent, shortened. */
    readonly agent?: string;
    readonly version?: string;
    readonly session?: string;
    readonly subAgent?: string;
    readonly parentSession?: string;
    /** The working directory, if the client sends it. */
    readonly project?: string;
  };
  /** The first words of the user's first message that are not a reminder, up to 120 characters. */
  readonly title?: string;
  /** The name of the preset, or "custom". */
  readonly policy?: string;
  /** The status that the client got; 0: no answer. */
  readonly status: number;
  readonly streamed: boolean;
  /** Estimates, scaled to the reported usage if there was any. */
  readonly tokens: { readonly sent: number; readonly full: number };
  readonly bytes: { readonly received: number; readonly sent: number };
  /** Length of the log when the (first) view was sent, and when the call was over. Between them are the answer and hidden rounds. */
  readonly upTo: number;
  readonly end: number;
  /** How many messages the client sent, without system messages at the start. */
  readonly clientMessages: number;
  /** System prompt, tools and settings: the request without its messages, stored once as the note `head:<hash>` of the thread, in parts (`head-parts`). */
  readonly head: {
    readonly hash: string;
    readonly systemTokens: number;
    readonly toolsTokens: number;
    readonly tools: number;
    readonly added: readonly string[];
  };
  /** Ids of the edits that were made or undone for this call, up to 200, and how many there were. */
  readonly edits: readonly string[];
  readonly editCount: number;
  /** Why nothing (new) was done: see the table in docs/proxy.md. */
  readonly nothing?: string;
  readonly decision?: Decision;
  /** The first place where the view differs from the view before. Missing: only new messages came, or it is the first view. */
  readonly firstChanged?: Place;
  /** Cache markers that were sent: where ("system", "tools", or a place of the log), and their lifetime. */
  readonly markers: readonly { readonly at: "system" | "tools" | Place; readonly ttl?: string }[];
  readonly rounds: readonly CallRound[];
  readonly stopReason?: string;
  /** What went wrong on our side: messages without contents. */
  readonly failures: readonly { readonly stage: string; readonly message: string; readonly sent?: string }[];
  readonly cost: CallTotals;
  /** Totals of the conversation up to and including this call. */
  readonly total: CallTotals;
}
