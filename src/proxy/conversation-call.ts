import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isRecord } from "../errors/is-record.ts";
import type { Sent } from "../agent/front-end/exchange.ts";
import { AnswerStream, type HideEvent, type RawEvents } from "./answer-stream.ts";
import { WIRES, type ApiName } from "./api.ts";
import type { ClientCall } from "./client-call.ts";
import type { CallContext } from "../agent/calls/call-context.ts";
import { clientOf, hintsOf } from "./conversation-hints.ts";
import type { EngineCall } from "./engine.ts";
import { ClientGone } from "./http/client-answer.ts";
import { readableEncodings, unpackBody } from "./http/content-encoding.ts";
import { errorEvent, keepAlive } from "./http/dialect-errors.ts";
import type { HeaderChanges } from "./http/headers.ts";
import { readWhole } from "./http/read-whole.ts";
import { UpstreamFailure } from "./http/upstreams.ts";
import { outgoingFor } from "./outgoing-bodies.ts";
import type { Received } from "./request-reader.ts";
import { Refusal, refusalOf } from "./refusal.ts";
import { isHiddenRetry, retryDelayMs } from "./retry-delay.ts";

export interface ConversationCallOptions {
  readonly call: ClientCall;
  readonly api: ApiName;
  readonly received: Received;
  readonly owner: string;
  readonly policy: string | undefined;
}

/** What the engine reports about a call, as soon as it knows. */
type View = Parameters<CallContext["onView"]>[0];

/** A rewritten answer has other bytes than the provider's, so these headers no longer apply. */
const REWRITTEN: HeaderChanges = { "content-length": undefined, "content-encoding": undefined };
/** Larger than any model writes: such an answer is not unpacked. */
const MOST_ANSWER_BYTES = 256 * 1024 * 1024;

/** A request whose conversation is read: asks the engine what to send, and carries the answer to the client. */
export class ConversationCall {
  readonly #call: ClientCall;
  readonly #api: ApiName;
  readonly #received: Received;
  readonly #engineCall: EngineCall;
  readonly #raws: RawEvents = new WeakMap();
  #view: View | undefined;
  /** The provider's answers that the engine was given. */
  readonly #answers: IncomingMessage[] = [];
  #stream: AnswerStream | undefined;
  /** The answer cannot contain a call that has to be hidden from the client. */
  #isRaw = true;
  #hide: HideEvent | undefined;

  constructor({ call, api, received, owner, policy }: ConversationCallOptions) {
    this.#call = call;
    this.#api = api;
    this.#received = received;
    call.receivedBytes = received.unpacked.length;
    this.#engineCall = {
      api,
      body: received.body,
      context: contextOf({ call, api, received, owner, policy }, (view) => {
        this.#view = view;
      }),
      signal: call.answer.signal,
      transport: { send: (request) => this.#sendWhole(request), stream: (request) => this.#sendStream(request) },
    };
  }

  async run(): Promise<void> {
    const isStream = this.#received.body["stream"] === true;
    const { engine } = this.#call.context;
    let sent: Sent<object>;
    try {
      sent = isStream ? await engine.stream(this.#engineCall) : await engine.send(this.#engineCall);
    } catch (error) {
      await this.#failOpen(error);
      return;
    } finally {
      this.#call.thread = this.#view?.thread;
    }
    if (!("answer" in sent)) await this.#refuse(sent.refused);
    else if (isStream) await this.#deliverStream(sent.answer as AsyncIterable<object>);
    else this.#deliverWhole(sent.answer);
  }

  async #sendWhole(request: object): Promise<Sent<object>> {
    const { signal } = this.#call.answer;
    const incoming = await this.#send(request);
    if (!isOk(incoming)) return refusalOf(incoming, signal);
    const bytes = await readWhole(incoming, signal);
    const unpacked = await unpackBody(bytes, incoming.headers["content-encoding"], MOST_ANSWER_BYTES);
    const answer = unpacked === undefined ? undefined : objectIn(unpacked);
    if (answer === undefined) return { refused: new Refusal(incoming, bytes), tooLong: undefined };
    this.#answers.push(incoming);
    this.#raws.set(answer, bytes);
    return { answer };
  }

  async #sendStream(request: object): Promise<Sent<AsyncIterable<object>>> {
    const { answer } = this.#call;
    const incoming = await this.#pinging(() => this.#send(request));
    if (!isOk(incoming)) return refusalOf(incoming, answer.signal);
    const isEvents = /^text\/event-stream\b/i.test(incoming.headers["content-type"] ?? "");
    // If the model has only the client's tools, it cannot call one that the client should not see.
    this.#isRaw &&= this.#call.context.options.observe || (isRecord(request) && request["tools"] === this.#received.body["tools"]);
    this.#hide = this.#hiddenIn(request);
    const stream = isEvents ? AnswerStream.open({ incoming, answer, isRaw: this.#isRaw, hide: this.#hide, raws: this.#raws }) : undefined;
    if (stream === undefined) return { refused: new Refusal(incoming), tooLong: undefined };
    this.#stream?.leave();
    this.#stream = stream;
    this.#answers.push(incoming);
    return { answer: stream.events() };
  }

  /** Returns what removes from a stream what we asked for and the client did not. */
  #hiddenIn(request: object): HideEvent | undefined {
    if (this.#call.context.options.observe || request === this.#received.body) return undefined;
    const { usage } = WIRES[this.#api];
    return usage?.ask(request) === undefined && usage?.ask(this.#received.body) !== undefined ? usage.hide : undefined;
  }

  /** In a hidden round the client already has the start of its answer and cannot retry, so we retry for it, up to `hiddenRetryMs`. */
  async #send(request: object): Promise<IncomingMessage> {
    const call = this.#call;
    const { answer, context } = call;
    const outgoing = outgoingFor(request, {
      received: this.#received,
      observe: context.options.observe,
      ignoresMarkers: context.options.tools === "off",
      asItCame: this.#view?.nothing ?? "no-conversation",
      onFailure: (error) => call.failed("splice", error),
    });
    call.sentBytes = outgoing.isOwn ? this.#received.unpacked.length : outgoing.bytes.length;
    call.nothing = outgoing.nothing ?? this.#view?.nothing;
    if (context.options.observe) call.observedBytes = outgoing.wantedBytes;
    const encodings = readableEncodings(call.request.headers["accept-encoding"]);
    const changes = { ...(encodings === undefined ? {} : { "accept-encoding": encodings }), ...(outgoing.isOwn ? {} : { "content-encoding": undefined }) };
    let leftMs = context.options.hiddenRetryMs;
    for (let attempt = 0; ; attempt++) {
      const incoming = await call.send(outgoing.bytes, changes);
      const delayMs = retryDelayMs(incoming, attempt);
      if (this.#answers.length === 0 || !isHiddenRetry(incoming) || delayMs > leftMs) return incoming;
      incoming.on("error", () => undefined).resume();
      leftMs -= delayMs;
      await wait(delayMs, undefined, { signal: answer.signal });
    }
  }

  /** Keeps the stream alive between two answers. */
  async #pinging<T>(work: () => Promise<T>): Promise<T> {
    const { answer, context } = this.#call;
    if (!answer.hasBegun) return work();
    const ping = Buffer.from(keepAlive(this.#api));
    const timer = setInterval(() => void answer.write(ping).catch(() => undefined), context.options.pingMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  #deliverWhole(merged: object): void {
    const raw = this.#raws.get(merged);
    const incoming = this.#answers.at(-1);
    if (incoming === undefined) this.#call.answer.json(200, merged, this.#ownHeaders());
    else if (raw !== undefined) this.#call.answer.whole(incoming, this.#ownHeaders(), raw);
    else {
      const bytes = Buffer.from(JSON.stringify(merged));
      this.#call.answer.whole(incoming, { ...REWRITTEN, "content-length": String(bytes.length), ...this.#ownHeaders() }, bytes);
    }
  }

  async #deliverStream(events: AsyncIterable<object>): Promise<void> {
    const { answer } = this.#call;
    const first = this.#stream;
    if (first === undefined) {
      await this.#failOpen(new TypeError("the engine answered without asking the provider"));
      return;
    }
    const isRaw = this.#isRaw;
    answer.head(first.incoming, { ...(isRaw && this.#hide === undefined ? {} : REWRITTEN), ...this.#ownHeaders() });
    try {
      for await (const event of events) if (!isRaw) await answer.write(this.#raws.get(event) ?? written(event));
    } catch (error) {
      if (!(await this.#continues(error, isRaw))) return;
    }
    await this.#stream?.finish();
    answer.end();
  }

  /** The answer has begun. If it is the provider's own bytes, it continues; otherwise all that can follow is an error event. */
  async #continues(error: unknown, isRaw: boolean): Promise<boolean> {
    const { answer } = this.#call;
    if (error instanceof UpstreamFailure || error instanceof ClientGone || answer.signal.aborted) throw error;
    if (error instanceof Refusal) {
      await answer.write(await this.#refusalEvent(error));
      answer.end();
      return false;
    }
    this.#call.failed("stream", error);
    if (isRaw) return true;
    await answer.write(Buffer.from(errorEvent(this.#api, 500, "palimpsest: the answer could not be read to its end.")));
    answer.end();
    return false;
  }

  /** Returns the provider's refusal of a hidden round as an event. */
  async #refusalEvent({ incoming, bytes }: Refusal): Promise<Buffer> {
    const status = incoming.statusCode ?? 500;
    const said = bytes ?? (await readWhole(incoming, this.#call.answer.signal));
    const unpacked = await unpackBody(said, incoming.headers["content-encoding"], MOST_ANSWER_BYTES);
    const body = unpacked === undefined ? undefined : objectIn(unpacked);
    return Buffer.from(errorEvent(this.#api, status, `The provider answered with status ${status}.`, body));
  }

  async #refuse(refused: unknown): Promise<void> {
    const { answer } = this.#call;
    if (!(refused instanceof Refusal)) {
      await this.#failOpen(new TypeError("the engine refused a request itself"));
    } else if (refused.bytes === undefined) {
      await answer.pipe(refused.incoming, this.#ownHeaders());
    } else {
      answer.whole(refused.incoming, this.#ownHeaders(), refused.bytes);
    }
  }

  /** The client sees failures of the provider, but not ours. */
  async #failOpen(error: unknown): Promise<void> {
    if (error instanceof UpstreamFailure || error instanceof ClientGone || this.#call.answer.signal.aborted) throw error;
    this.#call.failed("engine", error);
    await this.#call.passThrough(this.#received.bytes, "failed");
  }

  #ownHeaders(): HeaderChanges {
    if (this.#view === undefined) return {};
    const { thread, tokens } = this.#view;
    return { "x-palimpsest-thread": thread, "x-palimpsest-tokens": `${tokens.sent}/${tokens.full}` };
  }
}

/** Returns what the engine is told about a call besides its body. */
export function contextOf({ call, received, owner, policy }: ConversationCallOptions, onView: CallContext["onView"]): CallContext {
  const { headers, method = "POST" } = call.request;
  const hints = hintsOf(headers, received.body);
  return {
    owner,
    hints,
    client: clientOf(headers, hints),
    policy,
    observe: call.context.options.observe,
    method,
    path: call.path,
    bytes: () => ({ received: received.unpacked.length, sent: call.sentBytes }),
    onView,
  };
}

function isOk({ statusCode = 500 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function objectIn(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function written(event: object): Buffer {
  const { type } = event as { readonly type?: unknown };
  return Buffer.from(`${typeof type === "string" ? `event: ${type}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
}
