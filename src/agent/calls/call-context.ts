import type { CallRecord } from "./call-record.ts";

/** What a request says about its conversation, besides its messages. All of it may be missing or wrong. */
export interface ConversationHints {
  /** The client's own name for the conversation: `x-palimpsest-thread`. */
  readonly thread: string | undefined;
  readonly session: string | undefined;
  /** The sub-agent of the session that sent it. */
  readonly agent: string | undefined;
  readonly parentSession: string | undefined;
}

/** What is known about a call besides its body. Wrapped clients know none of it. */
export interface CallContext {
  /** Conversations of different owners are kept apart. */
  readonly owner: string;
  readonly hints: ConversationHints;
  readonly client: CallRecord["client"];
  /** The name of a preset that replaces the policy of the options. */
  readonly policy: string | undefined;
  /** The client's own request is sent, whatever the view is. */
  readonly observe: boolean;
  readonly method?: string;
  readonly path?: string;
  /** Returns the size of the client's body, and of the last body that was sent. */
  readonly bytes: () => { readonly received: number; readonly sent: number };
  /** Called as soon as it is known what will be sent. */
  readonly onView: (view: { readonly thread: string; readonly tokens: CallRecord["tokens"]; readonly nothing: string | undefined }) => void;
}

/** The thread name of calls that belong to no conversation. */
export const BESIDE = "beside";

export const NO_HINTS: ConversationHints = { thread: undefined, session: undefined, agent: undefined, parentSession: undefined };

export const NO_CONTEXT: CallContext = {
  owner: "local",
  hints: NO_HINTS,
  client: {},
  policy: undefined,
  observe: false,
  bytes: () => ({ received: 0, sent: 0 }),
  onView: () => undefined,
};
