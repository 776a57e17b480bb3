import { headLength } from "../../formats/head-of-log.ts";
import { blocksOf, isThinking, type Message } from "../../messages/message.ts";
import type { Request } from "../../messages/request.ts";
import { parseTarget, type Target } from "../../messages/target.ts";
import { modelInfo } from "../../pricing/model-info.ts";
import { targetFor } from "../../pricing/target-for.ts";
import { isHiddenTool } from "../thread/hidden-calls.ts";
import { compactTool } from "../../conversation/tools/compact-tool.ts";
import { recallTool } from "../../conversation/tools/recall-tool.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import { clientMarkers, withMarkers } from "./cache-markers.ts";
import type { ParsedFrontEndOptions } from "./front-end-options.ts";
import { CallMeter, type CallMetrics } from "./metrics.ts";
import type { TooLong } from "./rescue.ts";
import { ClientMessages, type Session } from "./session.ts";
import type { Sessions } from "./sessions.ts";
import type { Answer, Wire, WireRequest } from "./wire.ts";

/** More hidden rounds in a row than a model needs; then the client gets what there is. */
const MAX_HIDDEN_ROUNDS = 8;

/** What came back for a request: an answer, or the provider's refusal, which is the client's to see. */
export type Sent<T> = { readonly answer: T } | { readonly refused: unknown; readonly tooLong: TooLong | undefined };

/** One call of the client's: the session it belongs to, and the requests that it takes. */
export class Exchange<Body, Raw, Event> {
  readonly #options: ParsedFrontEndOptions;
  readonly #sessions: Sessions;
  readonly #wire: Wire<Body, Raw, Event>;
  readonly #request: WireRequest<Body>;
  readonly #conversation: readonly Message[];
  readonly #head: readonly Message[];
  readonly #session: Session;
  readonly #count: (metrics: CallMetrics) => void;
  readonly #meter: CallMeter;
  #rounds = 0;
  #rescued = false;
  /** A request of the client's own was sent: what comes back is not ours to take in. */
  #aside = false;
  hidesCalls = false;

  private constructor(
    options: ParsedFrontEndOptions,
    sessions: Sessions,
    wire: Wire<Body, Raw, Event>,
    request: WireRequest<Body>,
    count: (metrics: CallMetrics) => void,
  ) {
    this.#options = options;
    this.#sessions = sessions;
    this.#wire = wire;
    this.#request = request;
    this.#count = count;
    const head = headLength(request.log);
    this.#head = request.log.slice(0, head);
    this.#conversation = request.log.slice(head);
    const client = new ClientMessages(this.#conversation, wire.format !== "ai-sdk");
    const target = this.#target();
    // Only to an agent, which has tools itself, and never under a name that it has given already.
    const offers = (name: string): boolean => request.tools.length > 0 && request.isKept !== true && !request.tools.includes(name);
    this.#session = sessions.open(client, target, offers);
    this.#session.isBusy = true;
    this.#session.read(client, target);
    this.#meter = new CallMeter(this.#session, request.head, modelInfo(request.model, options.models));
  }

  /** Undefined: not a conversation that can be read. The request then goes on as it came. */
  static open<Body, Raw, Event>(
    options: ParsedFrontEndOptions,
    sessions: Sessions,
    wire: Wire<Body, Raw, Event>,
    body: Body,
    count: (metrics: CallMetrics) => void,
  ): Exchange<Body, Raw, Event> | undefined {
    try {
      const request = wire.readRequest(body);
      return request === undefined ? undefined : new Exchange(options, sessions, wire, request, count);
    } catch (error) {
      options.onEvent({ type: "failed", stage: "request", error, sent: "as-it-came" });
      return undefined;
    }
  }

  readonly isHidden = (name: string): boolean => isHiddenTool(name, this.#session.tools);

  /** Sends the next request. If it is refused as too long, what can be shortened is, and it is sent once more. */
  async rescuing<T>(send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    const sent = await this.#send(send);
    if ("answer" in sent || sent.tooLong === undefined || this.#rescued || this.#aside) return sent;
    this.#rescued = true;
    try {
      const edits = this.#session.refused(sent.tooLong);
      if (edits.length === 0) return sent;
      this.#options.onEvent({ type: "rescued", thread: this.#session.conversation.id, edits });
    } catch (error) {
      this.#options.onEvent({ type: "failed", stage: "request", error, sent: "nothing" });
      return sent;
    }
    return this.#send(send);
  }

  #send<T>(send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    const body = this.#body();
    this.#meter.sent();
    return send(body);
  }

  /** Takes in an answer. `again`: the model called hidden tools only, and goes on with their results. */
  take(read: () => Answer): "again" | "done" {
    try {
      const { message, usage, isPaused } = read();
      this.#meter.answered(usage);
      if (this.#aside) return this.#done();
      this.hidesCalls ||= blocksOf(message).some((block) => block.type === "tool_use" && "name" in block && this.isHidden(String(block.name)));
      const mayGoOn = !isPaused && ++this.#rounds <= MAX_HIDDEN_ROUNDS;
      return this.#session.answered(message, usage?.inputTokens, mayGoOn, this.#wire.format !== "ai-sdk") === "again" ? "again" : this.#done();
    } catch (error) {
      this.#options.onEvent({ type: "failed", stage: "answer", error, sent: "nothing" });
      this.#sessions.forget(this.#session);
      return this.#done();
    }
  }

  close(): void {
    this.#session.isBusy = false;
  }

  /** Where a view cannot be made: the last good one and what is new; else the client's messages without thinking, which may be bound to views of ours; else the request as it came. */
  #body(): Body {
    try {
      return this.#write(this.#marked());
    } catch (error) {
      const [sent, body] = this.#fallback();
      this.#options.onEvent({ type: "failed", stage: "request", error, sent });
      return body;
    }
  }

  #fallback(): ["last-view" | "without-thinking" | "as-it-came", Body] {
    try {
      const last = this.#session.lastGoodView();
      if (last !== undefined) return ["last-view", this.#write(last)];
    } catch {
      // Then the next one.
    }
    this.#aside = true;
    this.#sessions.forget(this.#session);
    if (!this.#session.hasOwnViews) return ["as-it-came", this.#request.body];
    try {
      const messages = this.#wire.codec.encode([...this.#head, ...this.#conversation.map(withoutThinking)]);
      return ["without-thinking", this.#wire.writeRequest(this.#request, messages, [])];
    } catch {
      return ["as-it-came", this.#request.body];
    }
  }

  #marked(): readonly Message[] {
    const view = this.#session.view({ model: this.#request.model, headHash: this.#request.head, atMs: Date.now() });
    this.#meter.shown(view.messages, this.#tools());
    if (this.#wire.format !== "anthropic") return view.messages;
    const markers = clientMarkers(this.#conversation, (number) => this.#session.endOf(number));
    const adds = this.#options.cache && (markers.length > 0 || this.#request.tools.length > 0);
    return withMarkers(this.#request.body as Request, view, markers, this.#session.conversation.inForce, adds);
  }

  #write(view: readonly Message[]): Body {
    return this.#wire.writeRequest(this.#request, this.#wire.codec.encode([...this.#head, ...view]), this.#tools());
  }

  #tools(): ToolDefinition[] {
    const { compact, recall } = this.#session.tools;
    return [...(compact ? [compactTool] : []), ...(recall ? [recallTool] : [])];
  }

  #target(): Target {
    return parseTarget({
      ...targetFor(this.#request.model, this.#options.models),
      ...this.#wire.codec.target,
      ...this.#request.target,
      ...this.#options.target,
    });
  }

  #done(): "done" {
    const metrics = this.#meter.metrics();
    this.#count(metrics);
    this.#options.onEvent({ type: "answered", thread: this.#session.conversation.id, metrics });
    return "done";
  }
}

function withoutThinking(message: Message): Message {
  if (message.role !== "assistant" || typeof message.content === "string" || !message.content.some(isThinking)) return message;
  return { ...message, content: message.content.filter((block) => !isThinking(block)) };
}
