/**
 * What the double plays, and how a provider's protocol is plugged into it. Nothing in this folder comes from the rest of the
 * package: the double knows the providers' rules by itself, so that an error of ours cannot hide behind its own check.
 */

/** What the model says in one response, in no provider's format. */
export interface Turn {
  /** Text of the thinking that comes first; signed and bound to the request as the provider would. */
  readonly thinking?: string;
  /** Thinking that the provider does not show. */
  readonly redactedThinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Counted from the length of what is said, unless given. */
  readonly outputTokens?: number;
  /** Default: `tools` where there are calls, else `end`. */
  readonly stop?: "end" | "tools" | "length" | "pause";
  /** Instead of an answer, or in the middle of it. */
  readonly fault?: Fault;
}

export interface ScriptedCall {
  readonly name: string;
  /** A text is the input of a custom tool, which only OpenAI has. */
  readonly input: Readonly<Record<string, unknown>> | string;
  /** Of the tool, where OpenAI's Responses put it into one. */
  readonly namespace?: string;
  /** Made up, and unique, unless given. */
  readonly id?: string;
}

/**
 * - a status such as 429, 500 or 529: that error, in the provider's own words, before anything of the answer;
 * - `reset`: the connection is cut, in the middle of the stream if there is one;
 * - `half-event`: the stream ends in the middle of an event;
 * - `error-event`: the stream ends with the provider's error event;
 * - `hang`: nothing more comes until the client gives up.
 */
export type Fault = number | "reset" | "half-event" | "error-event" | "hang";

export type ProtocolName = "anthropic" | "openai-chat" | "openai-responses";

/** A request as a script reads it: the same for every protocol. */
export interface SeenRequest {
  readonly protocol: ProtocolName;
  readonly model: string;
  readonly streamed: boolean;
  readonly system: string;
  /** Names of the tools that the model may call. */
  readonly tools: readonly string[];
  readonly messages: readonly SeenMessage[];
  /** How many requests were answered before this one, by this double. */
  readonly turn: number;
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface SeenMessage {
  readonly role: "system" | "user" | "assistant";
  /** All text that is not in a result. */
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly results: readonly { readonly callId: string; readonly text: string; readonly isError: boolean }[];
}

/** A list of turns, one for each request; or a function of the request. */
export type Script = readonly Turn[] | ((request: SeenRequest) => Turn | Promise<Turn>);

/** What a provider answers instead of a model's response: its status, and the body with its own error text. */
export interface Rejection {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The rule of the table that the request breaks, such as "A2.1"; for the test that reads it. */
  readonly rule: string;
}

/** Counts of one request, as the provider's cache accounting gives them. All of them are tokens, and disjoint. */
export interface InputCounts {
  readonly uncached: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

export interface ServerSentEvent {
  /** The name of the event, where the protocol has one. */
  readonly event?: string;
  /** JSON, or text such as `[DONE]`. */
  readonly data: string;
}

/** An answer, ready to be sent in either way. */
export interface PlayedAnswer {
  readonly json: Readonly<Record<string, unknown>>;
  readonly events: readonly ServerSentEvent[];
  /** For the record of requests, where the protocol has such counts. */
  readonly counts?: InputCounts;
}

/** What the double does for one protocol. One value per running double: it may remember what it sent. */
export interface Protocol {
  readonly name: ProtocolName;
  /** Of the requests that create a response, such as `/v1/messages`. */
  readonly path: string;
  /** What the provider would refuse, the first rule that is broken; undefined if it accepts the request. */
  readonly check: (body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string | undefined>>) => Rejection | undefined;
  readonly read: (body: Readonly<Record<string, unknown>>, turn: number) => SeenRequest;
  /** Called once for each accepted request, with the time at which it came. Also remembers what must be remembered: cache entries, signatures. */
  readonly answer: (body: Readonly<Record<string, unknown>>, turn: Turn, nowMs: number) => PlayedAnswer;
  /** The provider's body for an error status such as 429, 500, 529. */
  readonly errorBody: (status: number) => Readonly<Record<string, unknown>>;
  /** The event that ends a stream with an error. */
  readonly errorEvent: (status: number) => ServerSentEvent;
  /** A larger request is refused with status 413. Default: no limit. */
  readonly maxBodyBytes?: number;
  /** Where the provider counts the tokens of a request without answering it. */
  readonly count?: {
    readonly path: string;
    readonly check: Protocol["check"];
    readonly answer: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  };
}

/** What every protocol of one double is told. */
export interface ProtocolOptions {
  /** Tokens of a piece of the prompt (a tool, a system block, a block of a message). Default: a quarter of the characters of its JSON. */
  readonly tokensOf: (piece: unknown) => number;
  /** Over it, the request is refused as too long. */
  readonly windowTokens: number;
  /** A response id or call id that was never given out before, with this prefix. */
  readonly newId: (prefix: string) => string;
}
