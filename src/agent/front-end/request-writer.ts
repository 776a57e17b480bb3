import type { ShownView } from "../../conversation/conversation.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import { headLength } from "../../formats/head-of-log.ts";
import { isThinking, type Message } from "../../messages/message.ts";
import type { Request } from "../../messages/request.ts";
import type { CallRecord } from "../calls/call-record.ts";
import { clientMarkers, placedMarkers, withMarkers, type Changes } from "./cache-markers.ts";
import { withCheckpointInResult } from "./carry-checkpoint.ts";
import { withClientsOwn } from "./clients-own.ts";
import type { ProviderChain } from "./provider-chain.ts";
import type { Session } from "./session.ts";
import type { Wire, WireRequest } from "./wire.ts";
import { withWrittenMarkers } from "./written-markers.ts";

interface Written<Body> {
  readonly body: Body;
  /** The messages in it, before cache markers are placed. */
  readonly messages: readonly Message[];
  readonly markers: CallRecord["markers"];
}

/** Writes the requests of one call, in the format of its API. */
export class RequestWriter<Body, Raw, Event> {
  readonly #wire: Wire<Body, Raw, Event>;
  readonly #request: WireRequest<Body>;
  readonly #chain: ProviderChain | undefined;
  /** System messages at the start of the client's request. */
  readonly head: readonly Message[];
  /** The client's messages after them. */
  readonly conversation: readonly Message[];

  constructor(wire: Wire<Body, Raw, Event>, request: WireRequest<Body>, chain: ProviderChain | undefined) {
    this.#wire = wire;
    this.#request = request;
    this.#chain = chain;
    const head = headLength(request.log);
    this.head = request.log.slice(0, head);
    this.conversation = request.log.slice(head);
  }

  write(messages: readonly Message[], tools: readonly ToolDefinition[]): Body {
    // With kept answers, the provider has the system messages after the first request.
    const head = this.#chain?.hasAnswered === true ? [] : this.head;
    const body = this.#wire.writeRequest(this.#request, this.#wire.codec.encode([...head, ...messages]), tools);
    return this.#chain === undefined || this.#wire.goOnFrom === undefined ? body : this.#wire.goOnFrom(body, this.#chain.answerId);
  }

  /** Returns a view as a request, with the client's own bytes and markers where it can. `marks`: adds our markers too. */
  writeView(session: Session, view: ShownView, tools: readonly ToolDefinition[], marks: boolean): Written<Body> {
    const isAnthropic = this.#wire.format === "anthropic";
    const shown = this.#chain === undefined ? withClientsOwn(session, view, this.conversation, isAnthropic) : this.#chain.newIn(view);
    const messages = session.tools.compact ? shown.map(withCheckpointInResult) : shown;
    if (!isAnthropic) return this.#marked(session, { ...view, messages }, tools, marks);
    const request = this.#request.body as Request;
    const markers = clientMarkers(this.conversation, (number) => session.endOf(number));
    const adds = marks && (markers.length > 0 || this.#request.tools.length > 0);
    const marked = withMarkers(request, { ...view, messages }, markers, changesIn(session), adds);
    return { messages, markers: placedMarkers(request, marked, view.positions), body: this.write(marked, tools) };
  }

  /** For providers with Anthropic's cache and another format: markers go on the written request, which already has the client's. */
  #marked(session: Session, view: ShownView, tools: readonly ToolDefinition[], marks: boolean): Written<Body> {
    const { messages } = view;
    const body = this.write(messages, tools);
    const { markers, codec } = this.#wire;
    if (markers === undefined) return { body, messages, markers: [] };
    const adds = marks && (markers.list(body).length > 0 || this.#request.tools.length > 0);
    const marked = withWrittenMarkers(body, markers, { codec, head: this.head, view, changes: changesIn(session), adds });
    return { body: marked.body, messages, markers: marked.placed };
  }

  /** Returns the client's own request without thinking. Undefined: it has none, or cannot be written. */
  withoutThinking(): Body | undefined {
    try {
      const bare = this.conversation.map(withoutThinking);
      if (bare.every((message, number) => message === this.conversation[number])) return undefined;
      return this.#wire.writeRequest(this.#request, this.#wire.codec.encode([...this.head, ...bare]), []);
    } catch {
      return undefined;
    }
  }
}

function changesIn({ conversation, takenBack }: Session): Changes {
  return { edits: conversation.inForce, takenBack };
}

function withoutThinking(message: Message): Message {
  if (message.role !== "assistant" || typeof message.content === "string" || !message.content.some(isThinking)) return message;
  return { ...message, content: message.content.filter((block) => !isThinking(block)) };
}
