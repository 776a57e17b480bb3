import type { Codec, FormatName } from "../../formats/codec.ts";
import type { Message } from "../../messages/message.ts";
import type { CacheMarker } from "../../messages/request.ts";
import type { Target } from "../../messages/target.ts";
import type { ReportedUsage } from "../../messages/usage.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";

/** A response of the model. */
export interface Answer {
  /** As a message of the log, decoded so that it can be encoded back unchanged. */
  readonly message: Message;
  /** As the provider reported it. */
  readonly usage: ReportedUsage | undefined;
  /** The provider paused while running its own tools: the next request ends with this message. */
  readonly isPaused: boolean;
  /** The id by which the provider may keep it. */
  readonly id?: string | undefined;
}

/** What is read of a request before anything is done with it. */
export interface WireRequest<Body> {
  readonly body: Body;
  readonly model: string;
  /** The conversation, in the format's own messages. */
  readonly messages: readonly object[];
  /** The same, decoded. */
  readonly log: readonly Message[];
  /** Names of the tools that the client has. */
  readonly tools: readonly string[];
  /** The model has to call a tool: a named one, or any. */
  readonly forcesTool?: boolean;
  /** What the request itself says about thinking and prefill, overriding the model's table. */
  readonly target: Partial<Target>;
  /** The provider keeps the answer, with our calls in it, and the client may continue from its id. */
  readonly isKept?: boolean;
  /** The id of the answer that the request continues: the provider has everything before it, and `messages` are only the new ones. */
  readonly goesOnFrom?: string | undefined;
  /** JSON of everything before the messages: system, tools and whatever else is part of the cached prompt. */
  readonly head: string;
}

/** A cache marker in a written request: on which part of which message. */
export interface WrittenMarker {
  readonly message: number;
  readonly part: number;
  readonly ttl?: string;
}

/** Anthropic's cache markers in requests of another format. */
export interface WireMarkers<Body> {
  /** Returns the client's marker on a tool or a decoded block. `ends`: the message that ends with it, if any. */
  readonly of: (value: object, ends: Message | undefined) => CacheMarker | undefined;
  /** Returns the client's marker on the request as a whole. */
  readonly automaticOf: (body: Body) => CacheMarker | undefined;
  /** Adds markers, at most four with the client's: at the end, and after these of the request's messages. */
  readonly place: (body: Body, frontier: readonly number[]) => Body;
  readonly list: (body: Body) => readonly WrittenMarker[];
}

/** Asks for the usage of a stream without the client seeing it. */
export interface WireUsage<Body, Event> {
  /** Returns the request that asks for it. Undefined: the client asks itself. */
  readonly ask: (body: Body) => Body | undefined;
  /** Returns whether a refusal says that the provider does not support this. */
  readonly isRefused: (said: string) => boolean;
  /** Returns the event as it would have come without asking. Undefined: it would not have come. */
  readonly hide: (event: Event) => Event | undefined;
}

/**
 * How requests and answers of one API are read and written. `Raw` is a whole answer, `Event` a piece of one that is streamed.
 * Everything here is a pure function of its input, except for a relay.
 */
export interface Wire<Body, Raw, Event> {
  readonly format: FormatName;
  readonly codec: Codec<object, object>;
  /** Undefined: no thread can be read from the request (no messages, state kept by the provider). It is passed on as it is. */
  readonly readRequest: (body: Body) => WireRequest<Body> | undefined;
  /** Returns the request with other messages, and with extra tools before the client's own. Never changes `request.body`. */
  readonly writeRequest: (request: WireRequest<Body>, messages: readonly object[], tools: readonly ToolDefinition[]) => Body;
  /** Returns the request as a continuation of this answer. Only for APIs whose provider keeps answers. */
  readonly goOnFrom?: (body: Body, answerId: string) => Body;
  readonly readAnswer: (raw: Raw) => Answer;
  /**
   * Merges the answers of several hidden rounds into one for the client: the content of all of them in order, without the hidden calls, and the other
   * fields of the last one (id, usage). If no call is left, its stop reason is not that of a tool call.
   */
  readonly mergeAnswers: (raws: readonly Raw[], isHidden: (toolName: string) => boolean) => Raw;
  readonly createRelay: (isHidden: (toolName: string) => boolean) => Relay<Event>;
  /** For APIs that report a stream's usage only on request. */
  readonly usage?: WireUsage<Body, Event>;
  /** For providers with Anthropic's cache and another format. */
  readonly markers?: WireMarkers<Body>;
}

/**
 * Turns a stream of answers into one for the client: the blocks of all of them in order, without the hidden calls. The end of an answer (stop reason,
 * usage) is held back until it is known whether another one follows.
 */
export interface Relay<Event> {
  /** Returns what the client gets for this event now. */
  relay(event: Event): readonly Event[];
  /** Returns the answer that has just ended, including hidden calls. Undefined: it is incomplete. */
  answer(): Answer | undefined;
  /** Another answer follows: forgets how the last one ended. */
  continue(): void;
  /** Returns what was held back of the last answer. */
  end(): readonly Event[];
}
