import type { ShownView } from "../../conversation/conversation.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import { blocksOf, type Message } from "../../messages/message.ts";
import { BESIDE, type CallContext } from "../calls/call-context.ts";
import { CallDraft } from "../calls/call-draft.ts";
import { areClientsOwn } from "./clients-own.ts";
import { titleOf } from "../calls/conversation-about.ts";
import { ClientMessages } from "./client-messages.ts";
import { describeView } from "./describe-call.ts";
import type { FrontEndCore } from "./front-end-core.ts";
import { fullThreadOf } from "./full-thread.ts";
import { mayMindView, mindsMessagesOnly } from "./may-mind-view.ts";
import { CallMeter, pricedModel } from "./metrics.ts";
import { openCall, targetOf, type OpenedCall } from "./open-call.ts";
import { formAfterFailure, formsAfterRefusal, stripThinking, type Fallback, type FormSources } from "./other-forms.ts";
import { ownRequestOf, type OwnRequest } from "./own-request.ts";
import { ProviderChain } from "./provider-chain.ts";
import { requestHead, type RequestHead } from "./request-head.ts";
import { RequestWriter } from "./request-writer.ts";
import type { TooLong } from "./rescue.ts";
import type { Session } from "./session.ts";
import { storedHead } from "./stored-head.ts";
import { toolsOf } from "./tools-of.ts";
import type { Answer, Wire, WireRequest } from "./wire.ts";

/** More hidden rounds in a row than a model needs; after that the client gets the answer as it is. */
const MAX_HIDDEN_ROUNDS = 8;

/** The outcome of a request: an answer, or the provider's refusal, which the client may get to see. */
export type Sent<T> =
  | { readonly answer: T }
  | {
      readonly refused: unknown;
      readonly tooLong: TooLong | undefined;
      /** The status, and the text of a refusal with 400. */
      readonly status?: number | undefined;
      readonly said?: string | undefined;
    };

type Refused = Exclude<Sent<never>, { readonly answer: never }>;

/** One call of the client: its session, and the requests that it takes. */
export class Exchange<Body, Raw, Event> {
  readonly #core: FrontEndCore;
  readonly #wire: Wire<Body, Raw, Event>;
  readonly #request: WireRequest<Body>;
  readonly #context: CallContext;
  /** Undefined: the call belongs to no conversation, and the client's own request is sent. */
  #session: Session | undefined;
  readonly #kind: OpenedCall["kind"];
  /** The session is a copy, and nothing of the call is kept. */
  #isCopy: boolean;
  readonly #carries: boolean;
  readonly #meter: CallMeter;
  readonly #draft: CallDraft;
  readonly #requestHead: RequestHead;
  readonly #writer: RequestWriter<Body, Raw, Event>;
  readonly #chain: ProviderChain | undefined;
  /** Ids of the answers that the provider keeps. */
  readonly #keptIds: string[] = [];
  /** The messages of the view that is sent. */
  #shown: readonly Message[] = [];
  /** The last view, and the messages that have come since. */
  #lastGood: readonly Message[] | undefined;
  #upTo = 0;
  #rounds = 0;
  #rescued = false;
  /** The client's own request was sent, so the answer does not go into the log. */
  #aside = false;
  #isClosed = false;
  /** We asked for the usage, and the client did not. */
  #hidesUsage = false;
  hidesCalls = false;

  private constructor(
    core: FrontEndCore,
    wire: Wire<Body, Raw, Event>,
    request: WireRequest<Body>,
    context: CallContext,
    draft: CallDraft,
    opened: OpenedCall,
  ) {
    this.#core = core;
    this.#wire = wire;
    this.#request = request;
    this.#context = context;
    this.#draft = draft;
    this.#session = opened.session;
    this.#kind = opened.kind;
    this.#chain = opened.from === undefined ? undefined : new ProviderChain(opened.from);
    this.#writer = new RequestWriter(wire, request, this.#chain);
    this.#isCopy = opened.session !== undefined && opened.isCopy;
    this.#carries = opened.session === undefined && opened.carries;
    this.#requestHead = requestHead(request.head, request.body as object, this.#writer.head);
    const priced = pricedModel(request.model, core.options.models);
    const thread = this.#session === undefined ? undefined : fullThreadOf(this.#session, priced.info);
    this.#meter = new CallMeter(thread, this.#ownRequest(), priced, context.observe);
    // The thinking was signed with tools that this request does not have (A4.8).
    if (this.#isCopy && request.tools.length === 0 && this.#session?.conversation.target.bindsThinking === true) draft.edited(stripThinking(this.#session));
    this.#describe();
  }

  /** Undefined: not a conversation that can be read. The request is then sent as it came. */
  static async open<Body, Raw, Event>(
    core: FrontEndCore,
    wire: Wire<Body, Raw, Event>,
    body: Body,
    context: CallContext,
    isStreamed: boolean,
  ): Promise<Exchange<Body, Raw, Event> | undefined> {
    const draft = new CallDraft(context);
    draft.streamed = isStreamed;
    try {
      const request = wire.readRequest(body);
      if (request === undefined) return undefined;
      const target = targetOf(core, wire, request);
      const opened = await openCall(core, wire, request, context, target);
      if (opened === undefined) return undefined;
      const { client } = opened;
      try {
        if (opened.session !== undefined) opened.session.conversation.fixedUntil = opened.from?.upTo ?? 0;
        if (opened.session !== undefined && !opened.isCopy) opened.session.usePolicy(context.policy);
        opened.session?.read(client, target);
        return new Exchange(core, wire, request, context, draft, opened);
      } catch (error) {
        if (opened.session !== undefined) {
          opened.session.isBusy = false;
          core.sessions.forget(opened.session);
        }
        throw error;
      }
    } catch (error) {
      core.options.onEvent({ type: "failed", stage: "request", error, sent: "as-it-came" });
      return undefined;
    }
  }

  readonly isHidden = (name: string): boolean => this.#tools().some((tool) => tool.name === name);

  /** Sends the next request. If it is refused as too long, it is shortened hard and sent once more; if our view is refused, it is sent in another form. */
  async rescuing<T>(send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    const sent = await this.#send(send, this.#body());
    // With observe, the refused request was the client's own, and would only be sent again.
    if ("answer" in sent || this.#aside || this.#context.observe) return sent;
    if (sent.tooLong !== undefined) return this.#rescue(sent, sent.tooLong, send);
    // A request that continues a kept answer has nothing of ours to object to, unless new messages were shortened.
    if (this.#session === undefined || this.#chain?.isCut(this.#session.conversation) === false) return sent;
    return sent.status === 400 && this.#mayBeOurs(sent.said ?? "") ? this.#recover(sent, send) : sent;
  }

  /** Could what the provider minds be our doing? */
  #mayBeOurs(said: string): boolean {
    return mayMindView(said) && !(mindsMessagesOnly(said) && areClientsOwn(this.#shown, this.#writer.conversation));
  }

  async #rescue<T>(sent: Sent<T>, tooLong: TooLong, send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    if (this.#rescued) return sent;
    this.#rescued = true;
    try {
      const session = (this.#session ??= this.#passing());
      const edits = session.refused(tooLong);
      if (edits.length === 0) return sent;
      this.#core.options.onEvent({ type: "rescued", thread: session.conversation.id, edits });
    } catch (error) {
      this.#failed("request", error, "nothing");
      return sent;
    }
    return this.#send(send, this.#body(), "too long");
  }

  /** Makes a session for this call only: the request begins no conversation, but does not fit. */
  #passing(): Session {
    this.#isCopy = true;
    const target = targetOf(this.#core, this.#wire, this.#request);
    const session = this.#core.finder.passing(this.#writer.conversation.length, target, this.#wire.format);
    session.read(new ClientMessages(this.#writer.conversation), target);
    return session;
  }

  /** Our view was refused. Other forms, down to the client's own request, may be accepted; each is tried once. */
  async #recover<T>(first: Refused, send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    const error = new Error(`The provider refused the request: ${(first.said ?? "").slice(0, 300)}`);
    for (const [name, retry, body] of formsAfterRefusal(
      first.said ?? "",
      this.#sources(() => this.#lastGood),
    )) {
      if (isClientsOwn(name)) this.#leave();
      this.#failed("request", error, name);
      const sent = await this.#send(send, body ?? this.#body(), retry);
      if ("answer" in sent || sent.status !== 400) return sent;
    }
    return first;
  }

  #sources(lastGood: FormSources<Body>["lastGood"]): FormSources<Body> {
    return {
      session: this.#session,
      chain: this.#chain,
      lastGood,
      write: (view) => this.#writer.write(view, this.#tools()),
      withoutThinking: () => this.#writer.withoutThinking(),
      asItCame: this.#request.body,
      onEdited: (edits) => this.#draft.edited(edits),
    };
  }

  async #send<T>(send: (body: Body) => Promise<Sent<T>>, body: Body, retry?: string): Promise<Sent<T>> {
    await this.#saved((session, head) => this.#core.saveDecisions(session, head));
    const asking = this.#asking(body);
    const sent = await this.#sendOnce(send, asking ?? body, retry);
    this.#hidesUsage = asking !== undefined;
    if (asking === undefined || "answer" in sent || this.#wire.usage?.isRefused(sent.said ?? "") !== true) return sent;
    this.#core.asksNoUsage.add(this.#request.model);
    this.#hidesUsage = false;
    return this.#sendOnce(send, body, "stream_options");
  }

  async #sendOnce<T>(send: (body: Body) => Promise<Sent<T>>, body: Body, retry: string | undefined): Promise<Sent<T>> {
    this.#meter.sent();
    this.#draft.sent(retry);
    const sent = await send(body);
    this.#draft.begun("answer" in sent ? 200 : (sent.status ?? 0));
    return sent;
  }

  /** Returns the body that also asks for the stream's usage. Undefined: the client asks itself, or the provider refuses it. */
  #asking(body: Body): Body | undefined {
    if (!this.#draft.streamed || this.#context.observe || this.#core.asksNoUsage.has(this.#request.model)) return undefined;
    return this.#wire.usage?.ask(body);
  }

  /** Returns the events as the client gets them: without a usage that it has not asked for. */
  shown(events: readonly Event[]): readonly Event[] {
    const hide = this.#wire.usage?.hide;
    if (!this.#hidesUsage || hide === undefined) return events;
    return events.flatMap((event) => hide(event) ?? []);
  }

  /** Adds an answer to the log. `again`: the model called hidden tools only, and continues with their results. */
  async take(read: () => Answer): Promise<"again" | "done"> {
    try {
      const { message, usage, isPaused, id } = read();
      this.#meter.answered(usage, message, this.isHidden);
      if (this.#aside || this.#session === undefined) {
        this.#draft.ended(usage);
        return this.#done();
      }
      this.hidesCalls ||= blocksOf(message).some((block) => block.type === "tool_use" && "name" in block && this.isHidden(String(block.name)));
      const mayGoOn = !isPaused && ++this.#rounds <= MAX_HIDDEN_ROUNDS;
      const upTo = this.#session.conversation.length + 1;
      // Edits can no longer change what the provider keeps, including hidden rounds of this call.
      if (this.#chain !== undefined) this.#session.conversation.fixedUntil = upTo;
      const outcome = this.#session.answered(message, this.#context.observe ? undefined : usage?.inputTokens, mayGoOn);
      const { edits, hidden } = this.#session.takeNews();
      this.#draft.edited(edits);
      this.#draft.ended(usage, hidden);
      this.#chain?.answered(id, upTo);
      if (id !== undefined && this.#request.isKept === true) this.#keptIds.push(id);
      // Saved before a hidden round continues and before the client can send its next request.
      if (outcome === "done") {
        if (!this.#isCopy) this.#core.finder.noteSaid(this.#session);
        if (!this.#isCopy) this.#core.keptAnswers.note(this.#session, this.#keptIds, upTo);
        // Computed first, because its cost is saved with it.
        this.#meter.metrics();
        await this.#saved((session, head) => this.#core.save(session, head));
      }
      return outcome === "again" ? "again" : this.#done();
    } catch (error) {
      this.#failed("answer", error, "nothing");
      if (this.#session !== undefined) this.#core.sessions.forget(this.#session);
      return this.#done();
    }
  }

  /** Notes that a hidden round was refused after the client's stream had begun. */
  refusedUnseen({ status, said }: Refused): void {
    const words = status === undefined ? "The provider refused it" : `The provider answered with status ${status}`;
    this.#draft.failed("hidden round", `${words}${said === undefined ? "." : `: ${said}`}`);
  }

  /** Has to be called at the end, also after a failure. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    if (this.#session !== undefined && !this.#isCopy) this.#session.isBusy = false;
    this.#core.finish(this.#draft, {
      api: this.#wire.format,
      session: this.#session,
      isCopy: this.#isCopy,
      owner: this.#context.owner,
      hints: this.#context.hints,
      upTo: this.#upTo,
      meter: this.#meter,
    });
  }

  /** If no view can be made: the last good view with new messages; else the client's messages without thinking, which may be bound to our views; else the request as it came. */
  #body(): Body {
    const session = this.#session;
    if (session === undefined) return this.#own();
    try {
      this.#lastGood = this.#lastView(session);
      return this.#viewOf(session);
    } catch (error) {
      this.#shown = [];
      const [sent, body] = formAfterFailure(this.#sources(() => this.#lastView(session)));
      if (isClientsOwn(sent)) this.#leave();
      this.#failed("request", error, sent);
      return body;
    }
  }

  #own(): Body {
    this.#meter.shown(this.#writer.conversation, []);
    const { hints, owner } = this.#context;
    const thread = hints.thread ?? this.#core.sessions.namedLike(hints, owner, undefined)?.conversation.id ?? BESIDE;
    this.#context.onView({ thread, tokens: this.#meter.tokens, nothing: this.#draft.nothing });
    // Thinking that was signed under our tools and views may not be in any other request (A4.8).
    return (this.#carries ? this.#writer.withoutThinking() : undefined) ?? this.#request.body;
  }

  #lastView(session: Session): readonly Message[] | undefined {
    return this.#chain === undefined ? session.lastGoodView() : this.#chain.uncut(session.conversation);
  }

  #leave(): void {
    this.#aside = true;
    if (this.#session !== undefined) this.#core.sessions.forget(this.#session);
  }

  #viewOf(session: Session): Body {
    const before = session.shownBefore;
    const view = this.#isCopy ? session.viewAsItIs() : session.view({ model: this.#request.model, headHash: this.#requestHead.hash, atMs: Date.now() });
    this.#noteView(session, view, before);
    const { body, messages, markers } = this.#writer.writeView(session, view, this.#tools(), this.#core.options.cache);
    this.#shown = messages;
    this.#draft.markers = markers;
    return body;
  }

  /** Returns the request as the client would have sent it without us. Messages that only the provider keeps come from the log. */
  #ownRequest(): OwnRequest {
    const session = this.#chain === undefined ? undefined : this.#session;
    const messages = session?.aligned.flatMap(({ sent, end }) => sent ?? session.conversation.log[end - 1] ?? []) ?? this.#writer.conversation;
    return ownRequestOf(this.#request.body, this.#requestHead.hash, this.#writer.head, messages, this.#wire.markers);
  }

  #noteView(session: Session, view: ShownView, before: readonly Message[]): void {
    const draft = this.#draft;
    const { edits } = session.takeNews();
    draft.edited(edits);
    this.#meter.shown(view.messages, this.#tools());
    if (this.#upTo === 0) this.#upTo = session.conversation.length;
    describeView(draft, session, view, before, this.#context, this.#core.options);
    this.#context.onView({ thread: this.#context.hints.thread ?? session.conversation.id, tokens: this.#meter.tokens, nothing: draft.nothing });
  }

  /** A summary request of an agent, or one that continues a kept answer, gets none of our tools if it has none of its own. */
  #tools(): ToolDefinition[] {
    const mayLack = this.#isCopy || this.#chain !== undefined;
    if (this.#session === undefined || (mayLack && this.#request.tools.length === 0)) return [];
    return toolsOf(this.#session.tools);
  }

  async #saved(save: FrontEndCore["save"]): Promise<void> {
    if (this.#session === undefined || this.#isCopy || this.#aside) return;
    await save(this.#session, {
      hash: this.#requestHead.hash,
      read: () => storedHead(this.#request.body as object, this.#core.options.redact),
    });
  }

  #describe(): void {
    const draft = this.#draft;
    const { tools } = this.#request;
    draft.kind = this.#kind;
    draft.model = this.#request.model;
    draft.policy = this.#context.policy ?? this.#core.options.policyName;
    draft.title = titleOf(this.#writer.conversation);
    draft.clientMessages = this.#writer.conversation.length;
    if (this.#session === undefined) draft.nothing = "no-tools";
    draft.head = { ...this.#requestHead, tools: tools.length, added: this.#tools().map(({ name }) => name) };
  }

  #failed(stage: "request" | "answer", error: unknown, sent: Fallback): void {
    this.#draft.failed(stage, error, sent);
    this.#core.options.onEvent({ type: "failed", stage, error, sent });
  }

  #done(): "done" {
    const metrics = this.#meter.metrics();
    this.#core.answered(this.#session?.conversation.id ?? "", metrics);
    return "done";
  }
}

function isClientsOwn(form: Fallback): boolean {
  return form === "without-thinking" || form === "as-it-came";
}
