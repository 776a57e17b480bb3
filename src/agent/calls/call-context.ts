import type { CallRecord } from "./call-record.ts";

/** What a request says about the conversation that it belongs to, beside its messages. All of it may be missing, or wrong. */
export interface ConversationHints {
  /** The client names the conversation itself: `x-palimpsest-thread`. */
  readonly thread: string | undefined;
  readonly session: string | undefined;
  /** A sub-agent of the session. */
  readonly agent: string | undefined;
  readonly parentSession: string | undefined;
}

/** What is known of a call beside its body. A wrapped client knows nothing of it. */
export interface CallContext {
  /** Conversations of different owners know nothing of each other. */
  readonly owner: string;
  readonly hints: ConversationHints;
  readonly client: CallRecord["client"];
  /** The name of a preset, instead of what the options say. */
  readonly policy: string | undefined;
  /** The client's own request is sent, whatever comes out. */
  readonly observe: boolean;
  readonly method?: string;
  readonly path?: string;
  /** Bytes of the client's body, and of what was sent last, as soon as they are known. */
  readonly bytes: () => { readonly received: number; readonly sent: number };
  /** Called once, as soon as it is known what will be sent. */
  readonly onView: (view: { readonly thread: string; readonly tokens: CallRecord["tokens"]; readonly nothing: string | undefined }) => void;
}

/** What calls that belong to no conversation are called. */
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
