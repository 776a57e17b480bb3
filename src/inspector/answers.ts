/** The answers of the inspector's HTTP API. The app imports these types and nothing else from the server. docs/inspector.md describes each. */

import type { CallKind, CallRound } from "../agent/calls/call-record.ts";
import type { ConversationAbout } from "../agent/calls/conversation-about.ts";

export interface ConversationRef {
  readonly thread: string;
  readonly branch: string;
}

/** `GET about`: where the page is served and what it shows. */
export interface AboutAnswer {
  readonly version: string;
  /** Whether the page shows the conversations of a proxy, a store or a session file. */
  readonly source: "proxy" | "store" | "file";
  /** The name of the store or file. */
  readonly name: string;
  /** The address that clients connect to, if the source is a proxy. */
  readonly address?: string;
  readonly policy?: string;
  /** The page shows the demo, because there is no real conversation yet. */
  readonly isDemo: boolean;
  /** Threads of the store without a recorded call. 100 means 100 or more. */
  readonly unrecorded: number;
  /** Sentences about guessed prices, unreadable lines and the like. */
  readonly remarks: readonly string[];
}

/** A conversation in the list. */
export interface ConversationRow extends Omit<ConversationAbout, "version" | "owner"> {
  readonly isDemo: boolean;
  /** A sample of its calls, from the first to the last. */
  readonly spark: { readonly sent: readonly number[]; readonly full: readonly number[] };
}

/** `GET conversations`: newest first. A parent is on every page that has one of its children. */
export interface ConversationsAnswer {
  readonly conversations: readonly ConversationRow[];
  /** `?after=` of the next page; missing on the last page. */
  readonly next?: string;
}

/** `GET totals`: the sums of all conversations that match the filters, side calls included. */
export interface TotalsAnswer {
  readonly conversations: number;
  readonly calls: number;
  readonly dollars: number;
  readonly fullDollars: number;
  /** There are more conversations than were counted. */
  readonly isPartial: boolean;
  readonly agents: readonly string[];
  readonly models: readonly string[];
  readonly projects: readonly string[];
}

/** A part of a sum; the parts add up to it. */
export interface Part {
  readonly label: string;
  readonly value: number;
}

/** `GET conversations/<thread>/<branch>` */
export interface ConversationAnswer {
  readonly conversation: ConversationRow;
  readonly parent?: ConversationRow;
  readonly children: readonly ConversationRow[];
  /** The number of the first recorded call; 0 if there is none. */
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly cost: {
    readonly parts: readonly Part[];
    readonly sum: number;
  };
  readonly saved: {
    readonly parts: readonly Part[];
    readonly rewrites: number;
    readonly rewriteDollars: number;
    readonly recalls: number;
    readonly recallDollars: number;
  };
  readonly leftOut: {
    readonly parts: readonly Part[];
    readonly sum: number;
    /** The largest parts, in words. */
    readonly mostly: readonly string[];
  };
  readonly edits: { readonly inForce: number; readonly undone: number };
}

export type Mark = "batch" | "digest" | "compaction" | "recall" | "pause" | "fault";

/** A call in charts and tables. */
export interface CallPoint {
  readonly sequence: number;
  readonly kind: CallKind;
  readonly atMs: number;
  readonly model?: string;
  readonly status: number;
  readonly sent: number;
  readonly full: number;
  readonly read: number;
  readonly written: number;
  readonly uncached: number;
  readonly output: number;
  readonly dollars: number;
  readonly fullDollars: number;
  /** From arrival to end; missing if unknown. */
  readonly ms?: number;
  readonly edits: number;
  readonly marks: readonly Mark[];
  /** The time since the previous call, if it exceeds the cache lifetime. */
  readonly pauseMs?: number;
  readonly nothing?: string;
  readonly because?: string;
}

/** `GET conversations/<thread>/<branch>/calls` */
export interface CallsAnswer {
  readonly calls: readonly CallPoint[];
  readonly next?: number;
}

/** One block of a message, or of the system prompt and tools. */
export interface BlockView {
  /** Its position and block in the log; "head" or "view" if it is not in the log. */
  readonly place: string;
  readonly role: "system" | "user" | "assistant";
  readonly kind: "system" | "tools" | "text" | "thinking" | "call" | "result" | "media" | "summary" | "note" | "checkpoint" | "other";
  /** The tool of a call or result, and its arguments. */
  readonly name?: string;
  readonly gist?: string;
  readonly tokens: number;
  readonly chars: number;
  /** The beginning, if `isCut`; else the whole text. */
  readonly text: string;
  readonly isCut: boolean;
  /** The end of a cut text. */
  readonly tail?: string;
  readonly lines: number;
  readonly isError?: boolean;
  readonly media?: readonly { readonly index: number; readonly type: string; readonly bytes: number; readonly isShowable: boolean }[];
  /** The id for `GET …/text?id=` and `GET …/media?id=`. */
  readonly id: string;
}

export interface EditCard {
  readonly id: string;
  readonly pass: string;
  readonly reason: string;
  readonly kind: string;
  readonly before: number;
  readonly after: number;
  readonly handle?: string;
  /** The call that it was made for; missing if that is no longer recorded. */
  readonly sequence?: number;
  readonly isNew: boolean;
  /** The number of the first call after it was undone. */
  readonly undoneAt?: number;
  readonly by: string;
}

/** The client's blocks beside the blocks that were sent in their place. */
export interface PairRow {
  readonly type: "same" | "changed" | "left-out" | "added";
  /** The number of the row in the call, from 0. */
  readonly row: number;
  /** The first blocks of the client. */
  readonly left: readonly BlockView[];
  /** The first blocks that were sent; empty if they are the same as `left`. */
  readonly right: readonly BlockView[];
  /** The number of all blocks on the left. */
  readonly leftBlocks: number;
  /** The place of the last block, if there are several. */
  readonly leftEnd?: string;
  readonly leftTokens: number;
  readonly rightTokens: number;
  readonly edits: readonly EditCard[];
  /** One of its edits was made for this call. */
  readonly isNew: boolean;
  /** The client did not see it: a hidden round, a checkpoint. */
  readonly isHidden?: boolean;
  /** It is the answer, so it was not sent. */
  readonly isAnswer?: boolean;
  /** The cache was broken here. */
  readonly isFirstChanged?: boolean;
}

/** Rows of little interest, folded into one. */
export interface FoldRow {
  readonly type: "fold";
  readonly row: number;
  /** The row after its last. */
  readonly to: number;
  readonly blocks: number;
  readonly edits: number;
  readonly tokens: number;
  readonly what: string;
}

export type Row = PairRow | FoldRow;

/** `GET …/calls/<n>/rows` */
export interface RowsAnswer {
  readonly rows: readonly Row[];
  /** The number of items; a fold counts as one. */
  readonly total: number;
  readonly from: number;
}

/** `GET …/calls/<n>/blocks`: the client's blocks of one row. */
export interface BlocksAnswer {
  readonly blocks: readonly BlockView[];
  readonly from: number;
  readonly total: number;
}

/** `GET …/calls/<n>/text`: a piece of the text of one block. */
export interface TextAnswer {
  readonly text: string;
  readonly from: number;
  readonly chars: number;
}

export type Round = CallRound;

/** `GET …/calls/<n>` */
export interface CallAnswer extends CallPoint {
  readonly conversation: ConversationRow;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly method?: string;
  readonly path?: string;
  readonly streamed: boolean;
  readonly stopReason?: string;
  /** What was done and why: one sentence, and more for the reader who opens it. */
  readonly decision: { readonly sentence: string; readonly more: readonly string[]; readonly isQuiet: boolean };
  readonly rounds: readonly Round[];
  readonly failures: readonly { readonly stage: string; readonly message: string }[];
  readonly cache: {
    /** The parts of the request, in order; small neighbours are merged. */
    readonly segments: readonly { readonly label: string; readonly tokens: number }[];
    readonly headTokens: { readonly system: number; readonly tools: number };
    /** The first block that differs from the previous call. */
    readonly firstChanged?: { readonly place: string; readonly label: string; readonly beforeTokens: number };
    readonly sinceMs?: number;
    readonly livesMs?: number;
    readonly markers: readonly string[];
  };
  readonly sides: {
    readonly client: { readonly tokens: number; readonly blocks: number };
    readonly sent: { readonly tokens: number; readonly blocks: number };
    readonly rows: number;
    readonly newEdits: number;
    readonly edits: number;
  };
  /** Why the blocks cannot be shown; missing if they can. */
  readonly unreadable?: string;
}

/** Something other than a message that happened in a conversation. */
export interface EditEvent {
  readonly key: string;
  readonly sequence?: number;
  readonly icon: Mark | "undone";
  readonly title: string;
  readonly tag: string;
  readonly text: string;
  readonly before: number;
  readonly after: number;
  readonly edits: number;
  readonly isUndone: boolean;
}

/** `GET …/edits`: newest first. */
export interface EditsAnswer {
  readonly events: readonly EditEvent[];
  readonly next?: number;
  readonly inForce: number;
  readonly undone: number;
}

export interface ContextPart {
  readonly label: string;
  readonly detail: string;
  readonly tokens: number;
  readonly group: "fixed" | "results" | "words" | "ours";
}

/** `GET …/calls/<n>/context`: what fills the request, largest first. */
export interface ContextAnswer {
  readonly sent: readonly ContextPart[];
  readonly full: readonly ContextPart[];
}

/** A place in a conversation where the words were found. */
export interface Hit extends ConversationRef {
  readonly title: string;
  /** The first recorded call that sent it, if any. */
  readonly sequence?: number;
  readonly place: string;
  readonly who: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
  /** "sent", or what has replaced it, in words. */
  readonly state: string;
  readonly isShortened: boolean;
}

/** `GET search` */
export interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly next?: string;
  /** Conversations that were searched for this page. */
  readonly searched: number;
}

/** The body of every response with an error status. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    /** What happened. */
    readonly message: string;
    /** What it means for running agents. */
    readonly meaning?: string;
    /** What to do. */
    readonly remedy: string;
  };
}

/** `GET events`: the names of the server-sent events, and their data. */
export interface LiveEvents {
  readonly conversation: ConversationRow;
  readonly demo: { readonly isDemo: boolean };
  /** The store cannot be read; the store can be read again. */
  readonly trouble: ErrorAnswer;
  readonly well: Readonly<Record<string, never>>;
}
