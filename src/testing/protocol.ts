/**
 * What the double plays, and how a provider's protocol plugs into it. Rules in this folder are independent of the rest of the
 * package: the double has its own copy of the providers' rules, so that an error of ours cannot hide behind our own check.
 */

/** One response of the model, independent of a provider's format. */
export interface Turn {
  /** The text of the thinking, which comes first. It is signed and bound to the request as the provider would do it. */
  readonly thinking?: string;
  /** Thinking that the provider does not show. */
  readonly redactedThinking?: string;
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Default: estimated from the length of the answer. */
  readonly outputTokens?: number;
  /** Default: `tools` if there are calls, else `end`. */
  readonly stop?: "end" | "tools" | "length" | "pause";
  /** A fault instead of the answer, or in the middle of it. */
  readonly fault?: Fault;
}

export interface ScriptedCall {
  readonly name: string;
  /** A string is the input of a custom tool, which only OpenAI has. */
  readonly input: Readonly<Record<string, unknown>> | string;
  /** The namespace of the tool, if OpenAI's Responses put it into one. */
  readonly namespace?: string;
  /** Default: a generated unique id. */
  readonly id?: string;
}

/**
 * - a status such as 429, 500 or 529: that error, in the provider's own words, before the answer begins;
 * - `reset`: the connection is cut, in the middle of the stream if there is one;
 * - `half-event`: the stream ends in the middle of an event;
 * - `error-event`: the stream ends with the provider's error event;
 * - `hang`: nothing more comes until the client gives up.
 */
export type Fault = number | "reset" | "half-event" | "error-event" | "hang";

export type ProtocolName = "anthropic" | "openai-chat" | "openai-responses";

/** A request as a script sees it: the same for every protocol. */
export interface SeenRequest {
  readonly protocol: ProtocolName;
  readonly model: string;
  readonly streamed: boolean;
  readonly system: string;
  /** Names of the tools that the model may call. */
  readonly tools: readonly string[];
  readonly messages: readonly SeenMessage[];
  /** The number of requests that this double has answered before. */
  readonly turn: number;
  /** The original body. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface SeenMessage {
  readonly role: "system" | "user" | "assistant";
  /** All text outside results. */
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly results: readonly { readonly callId: string; readonly text: string; readonly isError: boolean }[];
}

/** A list of turns, one per request, or a function of the request. */
export type Script = readonly Turn[] | ((request: SeenRequest) => Turn | Promise<Turn>);

/** A provider's answer instead of a model's response: the status, and the body with the provider's error text. */
export interface Rejection {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  /** The rule that the request breaks, such as "A2.1", for tests to check. */
  readonly rule: string;
}

/** The input tokens of one request, as the provider's cache accounting reports them. The counts are disjoint. */
export interface InputCounts {
  readonly uncached: number;
  readonly cacheRead: number;
  /** Anthropic's writes. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** OpenAI's writes, from GPT-5.6 on. */
  readonly cacheWrite30m: number;
  readonly cacheWrite12h: number;
}

export interface ServerSentEvent {
  /** The name of the event, if the protocol has one. */
  readonly event?: string;
  /** JSON, or text such as `[DONE]`. */
  readonly data: string;
}

/** An answer, ready to be sent as a stream or as a whole. */
export interface PlayedAnswer {
  readonly json: Readonly<Record<string, unknown>>;
  readonly events: readonly ServerSentEvent[];
  /** For the record of requests, if the protocol has such counts. */
  readonly counts?: InputCounts;
}

/** One protocol of the double. Each running double has its own value, because it may remember what it sent. */
export interface Protocol {
  readonly name: ProtocolName;
  /** The path of requests that create a response, such as `/v1/messages`. */
  readonly path: string;
  /** Returns the first broken rule; undefined if the provider accepts the request. */
  readonly check: (body: Readonly<Record<string, unknown>>, headers: Readonly<Record<string, string | undefined>>) => Rejection | undefined;
  readonly read: (body: Readonly<Record<string, unknown>>, turn: number) => SeenRequest;
  /** Called once for each accepted request, with its time of arrival. Also records cache entries and signatures. */
  readonly answer: (body: Readonly<Record<string, unknown>>, turn: Turn, nowMs: number) => PlayedAnswer;
  /** Returns the provider's body for an error status such as 429, 500, 529. */
  readonly errorBody: (status: number) => Readonly<Record<string, unknown>>;
  /** Returns the event that ends a stream with an error. */
  readonly errorEvent: (status: number) => ServerSentEvent;
  /** A larger request is refused with status 413. Default: no limit. */
  readonly maxBodyBytes?: number;
  /** The endpoint that counts the tokens of a request without answering it. */
  readonly count?: {
    readonly path: string;
    readonly check: Protocol["check"];
    readonly answer: (body: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  };
}

/** Options for every protocol of one double. */
export interface ProtocolOptions {
  /** Returns the tokens of a piece of the prompt (a tool, a system block, a message block). Default: a quarter of the characters of its JSON. */
  readonly tokensOf: (piece: unknown) => number;
  /** A longer request is refused. */
  readonly windowTokens: number;
  /** Returns a new, unique response id or call id with this prefix. */
  readonly newId: (prefix: string) => string;
}
