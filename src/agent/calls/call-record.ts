import type { Decision } from "../../policy/decision.ts";
import type { Place } from "../../messages/place.ts";

/** What a call of a client's was: of a conversation; beside one (a title, a summary: no tools); the agent's own compaction; or not read at all. */
export type CallKind = "conversation" | "side" | "compaction" | "unread";

/** Tokens and dollars, of one call or of many together. */
export interface CallTotals {
  readonly calls: number;
  /** Requests that were sent upstream for them. */
  readonly requests: number;
  /** Past, from and into the cache, as the provider reported them. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
  /** What the same calls would have read and cost with the client's own messages. */
  readonly fullTokens: number;
  readonly fullDollars: number;
  /** Calls of models without a known price: their dollars are in none of the sums. */
  readonly unpricedCalls: number;
}

/** One request upstream. A call has several where there were hidden rounds, a rescue, or a second try. */
export interface CallRound {
  /** What the provider answered; 0: nothing. */
  readonly status: number;
  /** Since the call came in: when this round began, when it was sent, its first byte, its end. Milliseconds. */
  readonly beganMs: number;
  readonly sentMs: number;
  readonly firstByteMs?: number;
  readonly endMs?: number;
  /** As the provider reported it: neither read from nor written to the cache, read, written, said. */
  readonly usage?: { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number; readonly output: number };
  /** Calls that the client did not see, answered after this round. */
  readonly hidden?: readonly { readonly tool: string; readonly handle?: string; readonly isError?: boolean }[];
  /** Why it was sent again: "too long", "refused view", "stream_options" … */
  readonly retry?: string;
}

/**
 * What was done with one call of a client's, and why. Its size is bounded, and grows with what is new: contents are in the log of its
 * conversation and in the notes of its thread, and are only referred to here. Stored as JSON.
 */
export interface CallRecord {
  readonly version: 1;
  readonly kind: CallKind;
  /** The thread of the store, and the branch of it. A side call has the thread of its session's conversation, where there is one. */
  readonly thread: string;
  readonly branch: string;
  /** Who it belongs to, as a keyed hash, or "local". */
  readonly owner: string;
  readonly atMs: number;
  readonly api: "anthropic" | "openai-chat" | "openai-responses" | "ai-sdk" | "other";
  readonly model?: string;
  /** Where it came in; without the query. */
  readonly method?: string;
  readonly path?: string;
  readonly client: {
    /** "Claude Code", "Codex" …, by what the request says; else its user agent, cut. */
    readonly agent?: string;
    readonly version?: string;
    readonly session?: string;
    readonly subAgent?: string;
    readonly parentSession?: string;
    /** The working directory that the client names, if it does. */
    readonly project?: string;
  };
  /** The first words of the user's first message that are not a reminder; at most 120 characters. */
  readonly title?: string;
  /** The name of the preset, or "custom". */
  readonly policy?: string;
  /** The status that the client got; 0: none. */
  readonly status: number;
  readonly streamed: boolean;
  /** Estimates, scaled to what was reported where something was. */
  readonly tokens: { readonly sent: number; readonly full: number };
  readonly bytes: { readonly received: number; readonly sent: number };
  /** Length of the log when the (first) view was sent, and when the call was over: between them lie the answer and hidden rounds. */
  readonly upTo: number;
  readonly end: number;
  /** Messages that the client sent, without system messages at the start. */
  readonly clientMessages: number;
  /** System, tools and settings, stored once as the note `head:<hash>` of the thread: the request without its messages, in parts (`head-parts`). */
  readonly head: {
    readonly hash: string;
    readonly systemTokens: number;
    readonly toolsTokens: number;
    readonly tools: number;
    readonly added: readonly string[];
  };
  /** Ids of the edits that were made or undone for this call; at most 200, and how many there were. */
  readonly edits: readonly string[];
  readonly editCount: number;
  /** Why nothing was done, or nothing new: see the table in docs/proxy.md. */
  readonly nothing?: string;
  readonly decision?: Decision;
  /** The first place of the view that is not what the view before had there; none: only new messages came, or it is the first. */
  readonly firstChanged?: Place;
  /** Cache markers as they were sent: where ("system", "tools", or a place of the log), and how long they live. */
  readonly markers: readonly { readonly at: "system" | "tools" | Place; readonly ttl?: string }[];
  readonly rounds: readonly CallRound[];
  readonly stopReason?: string;
  /** What of ours went wrong: messages without contents. */
  readonly failures: readonly { readonly stage: string; readonly message: string; readonly sent?: string }[];
  readonly cost: CallTotals;
  /** Of the whole conversation, up to this call and with it. */
  readonly total: CallTotals;
}
