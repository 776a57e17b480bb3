import type { Codec, FormatName } from "../../formats/codec.ts";
import type { Message } from "../../messages/message.ts";
import type { CacheMarker } from "../../messages/request.ts";
import type { Target } from "../../messages/target.ts";
import type { ReportedUsage } from "../../messages/usage.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";

/** A response of the model. */
export interface Answer {
  /** As a message of the log: decoded, so that it can be encoded again as it was. */
  readonly message: Message;
  /** As the provider reported it. */
  readonly usage: ReportedUsage | undefined;
  /** The provider paused its own tools: the next request ends with this message. */
  readonly isPaused: boolean;
  /** What the provider keeps it by, where it may. */
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
  /** The model has to call a tool: one that is named, or any. */
  readonly forcesTool?: boolean;
  /** What the request itself says about thinking and prefill, over what the model's table says. */
  readonly target: Partial<Target>;
  /** The provider keeps the answer, with our calls in it, and the client may go on from it by its id. */
  readonly isKept?: boolean;
  /** The id of the answer that the request goes on from: the provider has what came before, and `messages` are only what is new. */
  readonly goesOnFrom?: string | undefined;
  /** JSON of everything that stands before the messages: system, tools and what else is part of the cached prompt. */
  readonly head: string;
}

/** A cache marker in a request as it is written: on which part of which of its messages. */
export interface WrittenMarker {
  readonly message: number;
  readonly part: number;
  readonly ttl?: string;
}

/** Anthropic's cache markers in requests of another form. */
export interface WireMarkers<Body> {
  /** The client's on a tool or a decoded block. `ends`: the message that ends with it, if one does. */
  readonly of: (value: object, ends: Message | undefined) => CacheMarker | undefined;
  /** The client's on the request as a whole. */
  readonly automaticOf: (body: Body) => CacheMarker | undefined;
  /** At most four, with the client's: at the end, and behind these of the request's messages. */
  readonly place: (body: Body, frontier: readonly number[]) => Body;
  readonly list: (body: Body) => readonly WrittenMarker[];
}

/** Asking for the usage of a stream, so that the client does not see it. */
export interface WireUsage<Body, Event> {
  /** Undefined: the client asks for it itself. */
  readonly ask: (body: Body) => Body | undefined;
  /** Does a refusal say that this must not be asked for? */
  readonly isRefused: (said: string) => boolean;
  /** The event as it would have come, had nobody asked. Undefined: it would not have. */
  readonly hide: (event: Event) => Event | undefined;
}

/**
 * How requests and answers of one API are read and written. `Raw` is a whole answer, `Event` a piece of one that is streamed.
 * Everything here is a pure function of its input, but for a relay.
 */
export interface Wire<Body, Raw, Event> {
  readonly format: FormatName;
  readonly codec: Codec<object, object>;
  /** Undefined: not a request that a thread can be read from (no messages, state kept by the provider): it is passed on as it is. */
  readonly readRequest: (body: Body) => WireRequest<Body> | undefined;
  /** The request with other messages, and with more tools before the client's own. Never changes `request.body`. */
  readonly writeRequest: (request: WireRequest<Body>, messages: readonly object[], tools: readonly ToolDefinition[]) => Body;
  /** The request, going on from this answer. Only of APIs whose provider keeps answers. */
  readonly goOnFrom?: (body: Body, answerId: string) => Body;
  readonly readAnswer: (raw: Raw) => Answer;
  /**
   * One answer for the client, in place of the several that hidden rounds took: the content of all of them, one behind the other,
   * without the hidden calls, and the rest of the last one (id, usage). Where no call is left, it does not say that the model
   * stopped to call tools.
   */
  readonly mergeAnswers: (raws: readonly Raw[], isHidden: (toolName: string) => boolean) => Raw;
  readonly createRelay: (isHidden: (toolName: string) => boolean) => Relay<Event>;
  /** Where a stream tells its usage only if it is asked to. */
  readonly usage?: WireUsage<Body, Event>;
  /** Where the provider has Anthropic's cache and the format is not Anthropic's. */
  readonly markers?: WireMarkers<Body>;
}

/**
 * A stream of answers on its way to the client, who sees them as one: the blocks of all of them, one behind the other, without the
 * hidden calls. What ends an answer (stop reason, usage) is held back until it is known whether another one follows.
 */
export interface Relay<Event> {
  /** What of this event the client gets now. */
  relay(event: Event): readonly Event[];
  /** The answer that has just ended, hidden calls included. Undefined if its end did not come. */
  answer(): Answer | undefined;
  /** A further answer follows: forget how the last one ended. */
  continue(): void;
  /** What was held back of the last answer. */
  end(): readonly Event[];
}
