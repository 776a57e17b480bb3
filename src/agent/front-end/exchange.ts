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

/** More hidden rounds in a row than a model needs; then the client gets what there is. */
const MAX_HIDDEN_ROUNDS = 8;

/** What came back for a request: an answer, or the provider's refusal, which is the client's to see. */
export type Sent<T> =
  | { readonly answer: T }
  | {
      readonly refused: unknown;
      readonly tooLong: TooLong | undefined;
      /** The status, and what a refusal with 400 says. */
      readonly status?: number | undefined;
      readonly said?: string | undefined;
    };

type Refused = Exclude<Sent<never>, { readonly answer: never }>;
type Fallback = Extract<FrontEndEvent, { readonly type: "failed" }>["sent"];

/** One call of the client's: the session it belongs to, and the requests that it takes. */
export class Exchange<Body, Raw, Event> {
  readonly #core: FrontEndCore;
  readonly #wire: Wire<Body, Raw, Event>;
  readonly #request: WireRequest<Body>;
  readonly #context: CallContext;
  readonly #conversation: readonly Message[];
  readonly #head: readonly Message[];
  /** Undefined: a call beside the conversations. Its request is the client's own. */
  #session: Session | undefined;
  readonly #kind: OpenedCall["kind"];
  /** What comes of it is not taken in. */
  #isCopy: boolean;
  readonly #carries: boolean;
  readonly #meter: CallMeter;
  readonly #draft: CallDraft;
  readonly #headHash: string;
  readonly #chain: ProviderChain | undefined;
  /** Of the answers that the provider keeps. */
  readonly #keptIds: string[] = [];
  /** The messages of the view that is sent. */
  #shown: readonly Message[] = [];
  /** What the call before was sent with, and what has come in since. */
  #lastGood: readonly Message[] | undefined;
  #upTo = 0;
  #rounds = 0;
  #rescued = false;
  /** A request of the client's own was sent: what comes back is not ours to take in. */
  #aside = false;
  #isClosed = false;
  /** The usage was asked for by us. */
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
    // Thinking was signed under tools that this request does not have (A4.8).
    if (this.#isCopy && request.tools.length === 0 && this.#session?.conversation.target.bindsThinking === true) this.#stripThinking();
    this.#describe();
  }

  /** Undefined: not a conversation that can be read. The request then goes on as it came. */
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

  /** Sends the next request. If it is refused as too long, what can be shortened is, and it is sent once more; if it is refused for what we made of it, in another form. */
  async rescuing<T>(send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    const sent = await this.#send(send, this.#body());
    // Where calls are observed, what was refused is the client's own, and would only be sent again.
    if ("answer" in sent || this.#aside || this.#context.observe) return sent;
    if (sent.tooLong !== undefined) return this.#rescue(sent, sent.tooLong, send);
    // Of what goes on from a kept answer, nothing that the provider could mind is ours, unless something new was shortened.
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

  /** For a request that founds no conversation, and does not fit: one that lasts as long as this call. */
  #passing(): Session {
    this.#isCopy = true;
    const target = targetOf(this.#core, this.#wire, this.#request);
    const session = this.#core.sessions.passing(this.#conversation.length, target, this.#wire.format);
    session.read(new ClientMessages(this.#conversation), target);
    return session;
  }

  /** A view of ours was refused. What the client would have sent without us may be accepted; each form is tried once. */
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

  /** What came before lies with the provider, and the client's own request may lack results of ours: of other forms there is only this one. */
  async #sendUncut<T>(chain: ProviderChain, first: Refused, error: Error, send: (body: Body) => Promise<Sent<T>>): Promise<Sent<T>> {
    if (this.#session === undefined) return first;
    this.#failed("request", error, "last-view");
    const sent = await this.#send(send, this.#write(chain.uncut(this.#session.conversation)), "refused view");
    return "answer" in sent || sent.status !== 400 ? sent : first;
  }

  /** Takes out all thinking that may be left out. False: there is none, or the open loop cannot do without it. */
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

  /** The request that asks for the usage of its stream, where the client does not. */
  #asking(body: Body): Body | undefined {
    if (!this.#draft.streamed || this.#context.observe || this.#core.asksNoUsage.has(this.#request.model)) return undefined;
    return this.#wire.usage?.ask(body);
  }

  /** What the client sees of these events: without a usage that it has not asked for. */
  shown(events: readonly Event[]): readonly Event[] {
    const hide = this.#wire.usage?.hide;
    if (!this.#hidesUsage || hide === undefined) return events;
    return events.flatMap((event) => hide(event) ?? []);
  }

  /** Takes in an answer. `again`: the model called hidden tools only, and goes on with their results. */
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
      // What the provider keeps, hidden rounds of this call included, no edit changes any more.
      if (this.#chain !== undefined) this.#session.conversation.fixedUntil = upTo;
      const outcome = this.#session.answered(message, this.#context.observe ? undefined : usage?.inputTokens, mayGoOn);
      const { edits, hidden } = this.#session.takeNews();
      this.#draft.edited(edits);
      this.#draft.ended(usage, hidden);
      this.#chain?.answered(id, upTo);
      if (id !== undefined && this.#request.isKept === true) this.#keptIds.push(id);
      // What comes after a hidden round, and the client's next request, rest on it.
      if (outcome === "done") {
        if (!this.#isCopy) this.#core.sessions.noteSaid(this.#session);
        if (!this.#isCopy) this.#core.keptAnswers.note(this.#session, this.#keptIds, upTo);
        // What it has cost is saved with it.
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

  /** A hidden round was refused where the client has the beginning of a stream. */
  refusedUnseen({ status, said }: Refused): void {
    const words = status === undefined ? "The provider refused it" : `The provider answered with status ${status}`;
    this.#draft.failed("hidden round", `${words}${said === undefined ? "." : `: ${said}`}`);
  }

  /** Call it when all is over, also after a failure. */
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

  /** Where a view cannot be made: the last good one and what is new; else the client's messages without thinking, which may be bound to views of ours; else the request as it came. */
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
    // What was signed under tools and views of ours no other request may hold (A4.8).
    return (this.#carries ? this.#withoutThinking() : undefined) ?? this.#request.body;
  }

  #fallback(): [Fallback, Body] {
    this.#shown = [];
    try {
      const last = this.#session === undefined ? undefined : this.#lastView(this.#session);
      if (last !== undefined) return ["last-view", this.#write(last)];
    } catch {
      // Then the next one.
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

  /** Where the format is not Anthropic's and the provider's cache is: on what is written, where the client's stand already. */
  #markedBody(session: Session, view: ShownView): Body {
    const body = this.#write(view.messages);
    const { markers, codec } = this.#wire;
    if (markers === undefined) return body;
    const adds = this.#core.options.cache && (markers.list(body).length > 0 || this.#request.tools.length > 0);
    const marked = withWrittenMarkers(body, markers, { codec, head: this.#head, view, edits: session.conversation.inForce, adds });
    this.#draft.markers = marked.placed;
    return marked.body;
  }

  /** As the client would have sent it without us. Of what the provider keeps, the log has what it was. */
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

  /** Why nothing new was done for this call. */
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
    // What the client says before its messages comes with its first request.
    const head = this.#rounds === 0 || this.#chain === undefined ? this.#head : [];
    const body = this.#wire.writeRequest(this.#request, this.#wire.codec.encode([...head, ...view]), this.#tools());
    return this.#chain === undefined || this.#wire.goOnFrom === undefined ? body : this.#wire.goOnFrom(body, this.#chain.answerId);
  }

  /** An agent's summary request has none of its own, and gets none; nor does one that goes on from what the provider keeps. */
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

/** Thinking that is not where, or not what, it was when it was signed (A4.8, A4.1). */
const IS_BOUND = /Invalid `signature` in `thinking` block|bound to a different conversation|`thinking` or `redacted_thinking` blocks .* cannot be modified/;

function markersIn<Body>(body: Body, markers: WireMarkers<Body> | undefined): Pick<OwnRequest, "markerOf" | "automatic"> {
  if (markers !== undefined) return { markerOf: markers.of, automatic: markers.automaticOf(body) };
  return { markerOf: (value) => markerOf(value as Block), automatic: (body as Request).cache_control ?? undefined };
}

/** The first place that is not what the view before had there. None: only new messages have come, or it is the first. */
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

/** The head is the same string, or nearly, in every request of a conversation. */
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
