import { hash64 } from "../../edits/edit-id.ts";
import type { Proposal } from "../../edits/edit.ts";
import { headLength } from "../../formats/head-of-log.ts";
import { blocksOf, isThinking, type Block, type Message } from "../../messages/message.ts";
import type { Place } from "../../messages/place.ts";
import type { Request } from "../../messages/request.ts";
import { estimateTokens } from "../../tokens/estimate-tokens.ts";
import type { ToolDefinition } from "../../conversation/tools/tool-definition.ts";
import type { ShownView } from "../../conversation/conversation.ts";
import { refuseLostLoopStart } from "../../conversation/loop-start.ts";
import { STALE_PASS } from "../../conversation/stale-thinking.ts";
import { CallDraft } from "../calls/call-draft.ts";
import { BESIDE, type CallContext } from "../calls/call-context.ts";
import { titleOf } from "../calls/conversation-about.ts";
import { areClientsOwn, withClientsOwn } from "./clients-own.ts";
import { clientMarkers, markerOf, placedMarkers, withMarkers } from "./cache-markers.ts";
import { withCheckpointInResult } from "./carry-checkpoint.ts";
import { ClientMessages } from "./client-messages.ts";
import type { FrontEndCore } from "./front-end-core.ts";
import type { FrontEndEvent } from "./front-end-event.ts";
import { fullThreadOf } from "./full-thread.ts";
import { mayMindView, mindsMessagesOnly } from "./may-mind-view.ts";
import { CallMeter, pricedModel } from "./metrics.ts";
import { sizeOfAll } from "./message-size.ts";
import { storedHead } from "./stored-head.ts";
import type { TooLong } from "./rescue.ts";
import type { OwnRequest } from "./own-request.ts";
import type { Session } from "./session.ts";
import { openCall, targetOf, type OpenedCall } from "./open-call.ts";
import { ProviderChain } from "./provider-chain.ts";
import { toolsOf } from "./tools-of.ts";
import { withWrittenMarkers } from "./written-markers.ts";
import type { Answer, Wire, WireMarkers, WireRequest } from "./wire.ts";

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
type Fallback = Extract<FrontEndEvent, { readonly type: "failed" }>["sent"];

/** One call of the client: its session, and the requests that it takes. */
export class Exchange<Body, Raw, Event> {
  readonly #core: FrontEndCore;
  readonly #wire: Wire<Body, Raw, Event>;
  readonly #request: WireRequest<Body>;
  readonly #context: CallContext;
  readonly #conversation: readonly Message[];
  readonly #head: readonly Message[];
  /** Undefined: the call belongs to no conversation, and the client's own request is sent. */
  #session: Session | undefined;
  readonly #kind: OpenedCall["kind"];
  /** The session is a copy, and nothing of the call is kept. */
  #isCopy: boolean;
  readonly #carries: boolean;
  readonly #meter: CallMeter;
  readonly #draft: CallDraft;
  readonly #headHash: string;
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
    const head = headLength(request.log);
    this.#head = request.log.slice(0, head);
    this.#conversation = request.log.slice(head);
    this.#session = opened.session;
    this.#kind = opened.kind;
    this.#chain = opened.from === undefined ? undefined : new ProviderChain(opened.from);
    this.#isCopy = opened.session !== undefined && opened.isCopy;
    this.#carries = opened.session === undefined && opened.carries;
    this.#headHash = hashOfHead(request.head);
    const priced = pricedModel(request.model, core.options.models);
    const thread = this.#session === undefined ? undefined : fullThreadOf(this.#session, priced.info);
    this.#meter = new CallMeter(thread, this.#ownRequest(), priced, context.observe);
    // The thinking was signed with tools that this request does not have (A4.8).
    if (this.#isCopy && request.tools.length === 0 && this.#session?.conversation.target.bindsThinking === true) this.#stripThinking();
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
    return mayMindView(said) && !(mindsMessagesOnly(said) && areClientsOwn(this.#shown, this.#conversation));
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
    const session = this.#core.finder.passing(this.#conversation.length, target, this.#wire.format);
    session.read(new ClientMessages(this.#conversation), target);
    return session;
  }

  /** Our view was refused. Other forms, down to the client's own request, may be accepted; each is tried once. */
  async #recover<T>(first: Refused, send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    const error = new Error(`The provider refused the request: ${(first.said ?? "").slice(0, 300)}`);
    const isBound = IS_BOUND.test(first.said ?? "");
    if (isBound && this.#stripThinking()) {
      this.#failed("request", error, "view-without-thinking");
      const sent = await this.#send(send, this.#body(), "thinking bound to another prefix");
      if ("answer" in sent || sent.status !== 400) return sent;
    }
    if (!isBound && this.#session?.hasOwnViews !== true) return first;
    if (this.#chain !== undefined) return this.#sendUncut(this.#chain, first, error, send);
    for (const [name, body] of this.#otherForms()) {
      this.#failed("request", error, name);
      const sent = await this.#send(send, body, "refused view");
      if ("answer" in sent || sent.status !== 400) return sent;
    }
    return first;
  }

  /** The only other form for a kept answer: the provider has the earlier messages, and the client's own request may lack results of hidden calls. */
  async #sendUncut<T>(chain: ProviderChain, first: Refused, error: Error, send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    if (this.#session === undefined) return first;
    this.#failed("request", error, "last-view");
    const sent = await this.#send(send, this.#write(chain.uncut(this.#session.conversation)), "refused view");
    return "answer" in sent || sent.status !== 400 ? sent : first;
  }

  /** Removes all thinking that may be left out. False: there is none, or the open tool loop needs it. */
  #stripThinking(): boolean {
    const conversation = this.#session?.conversation;
    if (conversation === undefined) return false;
    const { index, log, target } = conversation;
    if (index.thinking.length === 0) return false;
    const reason = "the provider says that it is bound to another conversation";
    const strip: Proposal = { kind: "strip-blocks", at: index.thinking, pass: STALE_PASS, reason, madeAt: log.length };
    try {
      const check = ({ messages }: { readonly messages: readonly Message[] }): void => refuseLostLoopStart({ ...conversation.parsed, target }, messages);
      const edits = conversation.commit([strip], { check });
      this.#draft.edited(edits);
      return edits.length > 0;
    } catch {
      return false;
    }
  }

  *#otherForms(): Generator<readonly [Fallback, Body]> {
    const last = this.#lastGood;
    if (last !== undefined) yield ["last-view", this.#write(last)];
    this.#leave();
    const bare = this.#withoutThinking();
    if (bare !== undefined) yield ["without-thinking", bare];
    yield ["as-it-came", this.#request.body];
  }

  async #send<T>(send: (body: Body) => Promise<Sent<T>>, body: Body, retry?: string): Promise<Sent<T>> {
    await this.#save();
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
        await this.#save();
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
      const [sent, body] = this.#fallback();
      this.#failed("request", error, sent);
      return body;
    }
  }

  #own(): Body {
    this.#meter.shown(this.#conversation, []);
    const { hints, owner } = this.#context;
    const thread = hints.thread ?? this.#core.sessions.namedLike(hints, owner, undefined)?.conversation.id ?? BESIDE;
    this.#context.onView({ thread, tokens: this.#meter.tokens, nothing: this.#draft.nothing });
    // Thinking that was signed under our tools and views may not be in any other request (A4.8).
    return (this.#carries ? this.#withoutThinking() : undefined) ?? this.#request.body;
  }

  #fallback(): [Fallback, Body] {
    this.#shown = [];
    try {
      const last = this.#session === undefined ? undefined : this.#lastView(this.#session);
      if (last !== undefined) return ["last-view", this.#write(last)];
    } catch {
      // Falls through to the next form.
    }
    const hasOwnViews = this.#session?.hasOwnViews === true;
    this.#leave();
    const bare = hasOwnViews ? this.#withoutThinking() : undefined;
    return bare === undefined ? ["as-it-came", this.#request.body] : ["without-thinking", bare];
  }

  #lastView(session: Session): readonly Message[] | undefined {
    return this.#chain === undefined ? session.lastGoodView() : this.#chain.uncut(session.conversation);
  }

  #leave(): void {
    this.#aside = true;
    if (this.#session !== undefined) this.#core.sessions.forget(this.#session);
  }

  #withoutThinking(): Body | undefined {
    try {
      const bare = this.#conversation.map(withoutThinking);
      if (bare.every((message, number) => message === this.#conversation[number])) return undefined;
      const messages = this.#wire.codec.encode([...this.#head, ...bare]);
      return this.#wire.writeRequest(this.#request, messages, []);
    } catch {
      return undefined;
    }
  }

  #viewOf(session: Session): Body {
    const before = session.shownBefore;
    const view = this.#isCopy ? session.viewAsItIs() : session.view({ model: this.#request.model, headHash: this.#headHash, atMs: Date.now() });
    this.#noteView(session, view, before);
    const isAnthropic = this.#wire.format === "anthropic";
    const shown = this.#chain === undefined ? withClientsOwn(session, view, this.#conversation, isAnthropic) : this.#chain.newIn(view);
    const messages = session.tools.compact ? shown.map(withCheckpointInResult) : shown;
    this.#shown = messages;
    if (!isAnthropic) return this.#markedBody(session, { ...view, messages });
    const markers = clientMarkers(this.#conversation, (number) => session.endOf(number));
    const adds = this.#core.options.cache && (markers.length > 0 || this.#request.tools.length > 0);
    const marked = withMarkers(this.#request.body as Request, { ...view, messages }, markers, session.conversation.inForce, adds);
    this.#draft.markers = placedMarkers(this.#request.body as Request, marked, view.positions);
    return this.#write(marked);
  }

  /** For providers with Anthropic's cache and another format: markers go on the written request, which already has the client's. */
  #markedBody(session: Session, view: ShownView): Body {
    const body = this.#write(view.messages);
    const { markers, codec } = this.#wire;
    if (markers === undefined) return body;
    const adds = this.#core.options.cache && (markers.list(body).length > 0 || this.#request.tools.length > 0);
    const marked = withWrittenMarkers(body, markers, { codec, head: this.#head, view, edits: session.conversation.inForce, adds });
    this.#draft.markers = marked.placed;
    return marked.body;
  }

  /** Returns the request as the client would have sent it without us. Messages that only the provider keeps come from the log. */
  #ownRequest(): OwnRequest {
    const { body } = this.#request;
    const session = this.#chain === undefined ? undefined : this.#session;
    const messages = session?.aligned.flatMap(({ sent, end }) => sent ?? session.conversation.log[end - 1] ?? []) ?? this.#conversation;
    return { body: body as object, headHash: this.#headHash, system: this.#head, messages, ...markersIn(body, this.#wire.markers) };
  }

  #noteView(session: Session, view: ShownView, before: readonly Message[]): void {
    const draft = this.#draft;
    const { edits } = session.takeNews();
    draft.edited(edits);
    this.#meter.shown(view.messages, this.#tools());
    if (this.#upTo === 0) this.#upTo = session.conversation.length;
    draft.firstChanged ??= firstChanged(view, before);
    draft.nothing = this.#whyNothing(session);
    this.#context.onView({ thread: this.#context.hints.thread ?? session.conversation.id, tokens: this.#meter.tokens, nothing: draft.nothing });
  }

  /** Returns why nothing new was done for this call. */
  #whyNothing(session: Session): string | undefined {
    if (this.#kind === "compaction") return "compaction";
    if (this.#kind === "side") return "no-tools";
    if (this.#draft.editCount > 0) return undefined;
    if (session.origin.isForeign && session.conversation.edits.length === 0) return "met-in-the-middle";
    const { because } = session.decision ?? {};
    if (because === "it would not pay") return "would-not-pay";
    return because === undefined && this.#core.options.policyName === undefined && this.#context.policy === undefined ? "no-policy" : "nothing-to-do";
  }

  #write(view: readonly Message[]): Body {
    // With kept answers, the provider has the system messages after the first request.
    const head = this.#rounds === 0 || this.#chain === undefined ? this.#head : [];
    const body = this.#wire.writeRequest(this.#request, this.#wire.codec.encode([...head, ...view]), this.#tools());
    return this.#chain === undefined || this.#wire.goOnFrom === undefined ? body : this.#wire.goOnFrom(body, this.#chain.answerId);
  }

  /** A summary request of an agent, or one that continues a kept answer, gets none of our tools if it has none of its own. */
  #tools(): ToolDefinition[] {
    const mayLack = this.#isCopy || this.#chain !== undefined;
    if (this.#session === undefined || (mayLack && this.#request.tools.length === 0)) return [];
    return toolsOf(this.#session.tools);
  }

  async #save(): Promise<void> {
    if (this.#session === undefined || this.#isCopy || this.#aside) return;
    await this.#core.save(this.#session, {
      hash: this.#headHash,
      read: () => storedHead(this.#request.body as object, this.#core.options.redact),
    });
  }

  #describe(): void {
    const draft = this.#draft;
    const { tools } = this.#request;
    draft.kind = this.#kind;
    draft.model = this.#request.model;
    draft.policy = this.#context.policy ?? this.#core.options.policyName;
    draft.title = titleOf(this.#conversation);
    draft.clientMessages = this.#conversation.length;
    if (this.#session === undefined) draft.nothing = "no-tools";
    const { system, tools: listed } = sizesOfHead(this.#request.head, this.#request.body as object, this.#head);
    draft.head = { hash: this.#headHash, systemTokens: system, toolsTokens: listed, tools: tools.length, added: this.#tools().map(({ name }) => name) };
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

/** The provider objects to thinking that was moved or changed since it was signed (A4.8, A4.1). */
const IS_BOUND = /Invalid `signature` in `thinking` block|bound to a different conversation|`thinking` or `redacted_thinking` blocks .* cannot be modified/;

function markersIn<Body>(body: Body, markers: WireMarkers<Body> | undefined): Pick<OwnRequest, "markerOf" | "automatic"> {
  if (markers !== undefined) return { markerOf: markers.of, automatic: markers.automaticOf(body) };
  return { markerOf: (value) => markerOf(value as Block), automatic: (body as Request).cache_control ?? undefined };
}

/** Returns the first place where the view differs from the view before. Undefined: only new messages have come, or it is the first view. */
function firstChanged({ messages, positions }: ShownView, before: readonly Message[]): Place | undefined {
  const number = before.findIndex((message, index) => message !== messages[index]);
  if (number === -1) return undefined;
  const was = before[number];
  const is = messages[number];
  const blocks = is === undefined ? [] : blocksOf(is);
  const earlier = was === undefined ? [] : blocksOf(was);
  const block = blocks.findIndex((each, index) => each !== earlier[index]);
  return { position: positions[number] ?? positions.at(-1) ?? 0, block: Math.max(0, block) };
}

/** Remembers the last result, because the head is the same string in nearly every request of a conversation. */
let lastHash = { head: "", hash: "" };
let lastSizes = { head: "", system: 0, tools: 0 };

function hashOfHead(head: string): string {
  if (lastHash.head !== head) lastHash = { head, hash: hash64(head) };
  return lastHash.hash;
}

function sizesOfHead(head: string, body: object, system: readonly Message[]): { readonly system: number; readonly tools: number } {
  if (lastSizes.head !== head) {
    const { system: own, instructions, tools } = body as Readonly<Record<string, unknown>>;
    const tokensOf = (value: unknown): number => (value === undefined ? 0 : estimateTokens(typeof value === "string" ? value : JSON.stringify(value)));
    lastSizes = { head, system: tokensOf(own) + tokensOf(instructions) + sizeOfAll(system), tools: tokensOf(tools) };
  }
  return lastSizes;
}

function withoutThinking(message: Message): Message {
  if (message.role !== "assistant" || typeof message.content === "string" || !message.content.some(isThinking)) return message;
  return { ...message, content: message.content.filter((block) => !isThinking(block)) };
}
