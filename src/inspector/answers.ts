/** What the inspector's HTTP API answers: the app imports these types, and nothing else of the server. docs/inspector.md describes each. */

/** Tokens and dollars, as they were billed, and as they would have been with the client's own messages. */
export interface Totals {
  readonly calls: number;
  readonly requests: number;
  /** Neither read from nor written to the cache; read; written; said. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  readonly dollars: number;
  readonly fullTokens: number;
  readonly fullDollars: number;
  /** Calls of models without a known price: in none of the sums. */
  readonly unpricedCalls: number;
}

export interface Client {
  readonly agent?: string;
  readonly version?: string;
  readonly session?: string;
  readonly subAgent?: string;
  readonly parentSession?: string;
  readonly project?: string;
}

export interface ConversationRef {
  readonly thread: string;
  readonly branch: string;
}

/** `GET about`: where the page is, and what it shows. */
export interface AboutAnswer {
  readonly version: string;
  /** What is shown: conversations of a proxy, those of a store, or those of a session file. */
  readonly source: "proxy" | "store" | "file";
  /** What it is called: the store's name, or the file's. */
  readonly name: string;
  /** Where clients connect to, of a proxy. */
  readonly address?: string;
  readonly policy?: string;
  /** What is shown is the demo: no real conversation has come yet. */
  readonly isDemo: boolean;
  /** Threads of the store of which no call was recorded; 100: so many or more. */
  readonly unrecorded: number;
  /** Sentences about what was read: prices that are a guess, lines that could not be read. */
  readonly remarks: readonly string[];
}

/** A conversation, as the list shows it. */
export interface ConversationRow extends ConversationRef {
  readonly title: string;
  readonly api: string;
  readonly model?: string;
  readonly client: Client;
  readonly policy?: string;
  readonly parent?: ConversationRef;
  readonly parentKind?: "sub-agent" | "branch" | "compacted";
  readonly beganMs: number;
  readonly lastMs: number;
  readonly calls: number;
  readonly sideCalls: number;
  readonly messages: number;
  readonly sentTokens: number;
  readonly fullTokens: number;
  readonly total: Totals;
  readonly faults: number;
  readonly isDemo: boolean;
  /** Of some of its calls, from the first to the last. */
  readonly spark: { readonly sent: readonly number[]; readonly full: readonly number[] };
}

/** `GET conversations`: the newest first. A parent is there wherever one of its children is. */
export interface ConversationsAnswer {
  readonly conversations: readonly ConversationRow[];
  /** `?after=` of the next page; none: these are the last. */
  readonly next?: string;
}

/** `GET totals`: of all that the filters let through, side calls included. */
export interface TotalsAnswer {
  readonly conversations: number;
  readonly calls: number;
  readonly dollars: number;
  readonly fullDollars: number;
  /** There are more than were counted. */
  readonly isPartial: boolean;
  readonly agents: readonly string[];
  readonly models: readonly string[];
  readonly projects: readonly string[];
}

/** A sum with its parts: they add up to it. */
export interface Part {
  readonly label: string;
  readonly value: number;
}

/** `GET conversations/<thread>/<branch>` */
export interface ConversationAnswer {
  readonly conversation: ConversationRow;
  readonly parent?: ConversationRow;
  readonly children: readonly ConversationRow[];
  /** Of the recorded calls; 0: there is none. */
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
    /** What most of it is, in words. */
    readonly mostly: readonly string[];
  };
  readonly edits: { readonly inForce: number; readonly undone: number };
}

export type Mark = "batch" | "digest" | "compaction" | "recall" | "pause" | "fault";

/** A call, as charts and tables show it. */
export interface CallPoint {
  readonly sequence: number;
  readonly kind: "conversation" | "side" | "compaction" | "unread";
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
  /** From its arrival to its end; none: nobody knows. */
  readonly ms?: number;
  readonly edits: number;
  readonly marks: readonly Mark[];
  /** Since the call before it, where that is longer than the cache lives. */
  readonly pauseMs?: number;
  readonly nothing?: string;
  readonly because?: string;
}

/** `GET conversations/<thread>/<branch>/calls` */
export interface CallsAnswer {
  readonly calls: readonly CallPoint[];
  readonly next?: number;
}

/** One block of a message, or what stands before the messages. */
export interface BlockView {
  /** Where it is in the log: position and block; of what is not in the log, "head" or "view". */
  readonly place: string;
  readonly role: "system" | "user" | "assistant";
  readonly kind: "system" | "tools" | "text" | "thinking" | "call" | "result" | "media" | "summary" | "note" | "checkpoint" | "other";
  /** Of a call or a result the tool, and what it was called with. */
  readonly name?: string;
  readonly gist?: string;
  readonly tokens: number;
  readonly chars: number;
  /** The beginning; `isCut`: there is more. */
  readonly text: string;
  readonly isCut: boolean;
  /** The end, where it is cut. */
  readonly tail?: string;
  readonly lines: number;
  readonly isError?: boolean;
  readonly media?: readonly { readonly index: number; readonly type: string; readonly bytes: number; readonly isShowable: boolean }[];
  /** Names it in `GET …/text?id=` and `GET …/media?id=`. */
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
  /** The call that it was made for; none: it is no longer recorded. */
  readonly sequence?: number;
  readonly isNew: boolean;
  /** Undone later, by the call with this number or before it. */
  readonly undoneAt?: number;
  readonly by: string;
}

/** What the client sent at a place, beside what was sent there. */
export interface PairRow {
  readonly type: "same" | "changed" | "left-out" | "added";
  /** Counts rows of the call from 0. */
  readonly row: number;
  /** The first ones. */
  readonly left: readonly BlockView[];
  /** Of a row that is the same: none, they are those of `left`. */
  readonly right: readonly BlockView[];
  /** How many there are. */
  readonly leftBlocks: number;
  /** The place of the last one, where there are several. */
  readonly leftEnd?: string;
  readonly leftTokens: number;
  readonly rightTokens: number;
  readonly edits: readonly EditCard[];
  /** Made for this call. */
  readonly isNew: boolean;
  /** The client did not see it: a hidden round, a checkpoint. */
  readonly isHidden?: boolean;
  /** It came back: it was not sent. */
  readonly isAnswer?: boolean;
  /** The cache was broken here. */
  readonly isFirstChanged?: boolean;
}

/** Rows that are not of interest, folded into one. */
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
  /** How many there are, folded ones as one. */
  readonly total: number;
  readonly from: number;
}

/** `GET …/calls/<n>/blocks`: those of the client's side of one row. */
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

export interface Round {
  readonly status: number;
  readonly beganMs: number;
  readonly sentMs: number;
  readonly firstByteMs?: number;
  readonly endMs?: number;
  readonly usage?: { readonly input: number; readonly cacheRead: number; readonly cacheWrite: number; readonly output: number };
  readonly hidden?: readonly { readonly tool: string; readonly handle?: string; readonly isError?: boolean }[];
  readonly retry?: string;
}

/** `GET …/calls/<n>` */
export interface CallAnswer extends CallPoint {
  readonly conversation: ConversationRow;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly method?: string;
  readonly path?: string;
  readonly streamed: boolean;
  readonly stopReason?: string;
  /** What was done and why: in one sentence, and in those behind it. */
  readonly decision: { readonly sentence: string; readonly more: readonly string[]; readonly isQuiet: boolean };
  readonly rounds: readonly Round[];
  readonly failures: readonly { readonly stage: string; readonly message: string }[];
  readonly cache: {
    /** What was sent, in order, neighbours of little size as one; tokens. */
    readonly segments: readonly { readonly label: string; readonly tokens: number }[];
    readonly headTokens: { readonly system: number; readonly tools: number };
    /** The first block that is not what it was in the call before. */
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
  /** Why the blocks cannot be shown; none: they can. */
  readonly unreadable?: string;
}

/** What happened in a conversation besides what was said. */
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

/** `GET …/edits`: the newest first. */
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

/** `GET …/calls/<n>/context`: what fills it, the largest first. */
export interface ContextAnswer {
  readonly sent: readonly ContextPart[];
  readonly full: readonly ContextPart[];
}

/** A place where something was said. */
export interface Hit extends ConversationRef {
  readonly title: string;
  /** The call that it was sent with first; none: with none that is recorded. */
  readonly sequence?: number;
  readonly place: string;
  readonly who: string;
  readonly before: string;
  readonly match: string;
  readonly after: string;
  /** "sent", or what became of it, in words. */
  readonly state: string;
  readonly isShortened: boolean;
}

/** `GET search` */
export interface SearchAnswer {
  readonly hits: readonly Hit[];
  readonly next?: string;
  /** Conversations that were looked through for this page. */
  readonly searched: number;
}

/** Every answer that is no success. */
export interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    /** What happened. */
    readonly message: string;
    /** What it means for agents that are at work. */
    readonly meaning?: string;
    /** What to do. */
    readonly remedy: string;
  };
}

/** `GET events`, as server-sent events: their names, and what each carries. */
export interface LiveEvents {
  readonly conversation: ConversationRow;
  readonly demo: { readonly isDemo: boolean };
  /** The store cannot be read; and it can be read again. */
  readonly trouble: ErrorAnswer;
  readonly well: Readonly<Record<string, never>>;
}
