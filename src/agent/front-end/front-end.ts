import { NO_CONTEXT, type CallContext } from "../calls/call-context.ts";
import type { PassedCall } from "../calls/passed-call.ts";
import { Exchange, type Sent } from "./exchange.ts";
import { FrontEndCore } from "./front-end-core.ts";
import { parseFrontEndOptions, type FrontEndOptions } from "./front-end-options.ts";
import type { CallMetrics } from "./metrics.ts";
import { KnownConversation } from "./known-conversation.ts";
import { previewOf } from "./preview.ts";
import type { OpenStore } from "./saving.ts";
import type { Wire } from "./wire.ts";

/** How a request is sent: by HTTP, or through a model object. */
export interface Transport<Body, Raw, Event> {
  readonly send: (body: Body) => Promise<Sent<Raw>>;
  readonly stream: (body: Body) => Promise<Sent<AsyncIterable<Event>>>;
}

export interface FrontEnd {
  /** The whole answer to the client's request, after as many hidden rounds as it takes. */
  send<Body, Raw, Event>(wire: Wire<Body, Raw, Event>, body: Body, transport: Transport<Body, Raw, Event>, context?: CallContext): Promise<Sent<Raw>>;
  /** The same as a stream: what the model says goes on at once. */
  stream<Body, Raw, Event>(
    wire: Wire<Body, Raw, Event>,
    body: Body,
    transport: Transport<Body, Raw, Event>,
    context?: CallContext,
  ): Promise<Sent<AsyncIterable<Event>>>;
  /** What would be sent for these messages as the conversation stands, where one is known that they go on with. Nothing is taken in or decided. */
  preview<Body, Raw, Event>(wire: Wire<Body, Raw, Event>, body: Body, context: CallContext): Promise<Body | undefined>;
  /** Takes note of a request that is over, and was not read. */
  passed(call: PassedCall): void;
  /** Forgets conversations, and records of calls, that nobody has used since. */
  retain(olderThanMs: number): Promise<void>;
  /** Of all calls so far. */
  metrics(): CallMetrics;
  /** The conversations in memory, the one that was used last first. */
  conversations(): KnownConversation[];
  /** Why what is new cannot be stored now. Undefined: all is well. */
  whyNotReady(): string | undefined;
  /** Fulfilled when all that has happened so far is durable. */
  saved(): Promise<void>;
  /** Waits until all is saved, and closes the store if it was opened here; by itself for a few seconds. Rejected: what is not written by then is lost. */
  close(maxMs?: number): Promise<void>;
}

/** `openStore`: opens one by its address, where the runtime can. */
export function createFrontEnd(options: FrontEndOptions = {}, openStore?: OpenStore): FrontEnd {
  const core = new FrontEndCore(parseFrontEndOptions(options), openStore);
  return {
    send: async (wire, body, transport, context = NO_CONTEXT) => {
      const exchange = await Exchange.open(core, wire, body, context, false);
      if (exchange === undefined) return transport.send(body);
      try {
        return await sendAll(exchange, wire, transport);
      } finally {
        exchange.close();
      }
    },
    stream: async (wire, body, transport, context = NO_CONTEXT) => {
      const exchange = await Exchange.open(core, wire, body, context, true);
      return exchange === undefined ? transport.stream(body) : streamAll(exchange, wire, transport);
    },
    preview: (wire, body, context) => Promise.resolve(previewOf(core, wire, body, context)),
    passed: (call) => core.passed(call),
    retain: (olderThanMs) => core.saving.retain(olderThanMs),
    metrics: () => core.metrics,
    conversations: () => [...core.sessions.all].reverse().map((session) => new KnownConversation(core, session)),
    whyNotReady: () => core.saving.whyNotReady(),
    saved: () => core.saving.saved(),
    close: (maxMs) => core.saving.close(maxMs),
  };
}

async function sendAll<Body, Raw, Event>(
  exchange: Exchange<Body, Raw, Event>,
  wire: Wire<Body, Raw, Event>,
  transport: Transport<Body, Raw, Event>,
): Promise<Sent<Raw>> {
  const raws: Raw[] = [];
  for (;;) {
    const sent = await exchange.rescuing((body) => transport.send(body));
    if (!("answer" in sent)) return sent;
    raws.push(sent.answer);
    const isDone = (await exchange.take(() => wire.readAnswer(sent.answer))) === "done";
    if (isDone) return { answer: raws.length === 1 && !exchange.hidesCalls ? sent.answer : wire.mergeAnswers(raws, exchange.isHidden) };
  }
}

async function streamAll<Body, Raw, Event>(
  exchange: Exchange<Body, Raw, Event>,
  wire: Wire<Body, Raw, Event>,
  transport: Transport<Body, Raw, Event>,
): Promise<Sent<AsyncIterable<Event>>> {
  const send = (): Promise<Sent<AsyncIterable<Event>>> => exchange.rescuing((body) => transport.stream(body));
  let first: Sent<AsyncIterable<Event>>;
  try {
    first = await send();
  } catch (error) {
    exchange.close();
    throw error;
  }
  if (!("answer" in first)) {
    exchange.close();
    return first;
  }
  return { answer: leavable(relayAll(exchange, wire, first.answer, send), exchange, first.answer) };
}

/** A generator that was never begun has nothing to end: who leaves it then leaves the call, and what the provider sends. */
function leavable<Body, Raw, Event>(
  events: AsyncGenerator<Event>,
  exchange: Exchange<Body, Raw, Event>,
  first: AsyncIterable<Event>,
): AsyncIterableIterator<Event> {
  let isBegun = false;
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => {
      isBegun = true;
      return events.next();
    },
    return: async () => {
      if (!isBegun) {
        exchange.close();
        await first[Symbol.asyncIterator]().return?.();
      }
      return events.return(undefined);
    },
  };
}

async function* relayAll<Body, Raw, Event>(
  exchange: Exchange<Body, Raw, Event>,
  wire: Wire<Body, Raw, Event>,
  first: AsyncIterable<Event>,
  send: () => Promise<Sent<AsyncIterable<Event>>>,
): AsyncGenerator<Event> {
  try {
    const relay = wire.createRelay(exchange.isHidden);
    for (let events = first; ;) {
      for await (const event of events) yield* exchange.shown(relay.relay(event));
      const answer = relay.answer();
      // Half an answer is no answer: the client sees what it got, and asks again.
      if (answer === undefined || (await exchange.take(() => answer)) === "done") {
        yield* exchange.shown(relay.end());
        return;
      }
      const next = await send();
      // Nothing but an error can be said in the middle of a stream.
      if (!("answer" in next)) {
        exchange.refusedUnseen(next);
        throw next.refused;
      }
      relay.continue();
      events = next.answer;
    }
  } finally {
    exchange.close();
  }
}
