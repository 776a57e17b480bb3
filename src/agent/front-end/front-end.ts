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
  /** Returns the whole answer to the client's request, after as many hidden rounds as it takes. */
  send<Body, Raw, Event>(wire: Wire<Body, Raw, Event>, body: Body, transport: Transport<Body, Raw, Event>, context?: CallContext): Promise<Sent<Raw>>;
  /** The same as a stream: text is passed on at once. */
  stream<Body, Raw, Event>(
    wire: Wire<Body, Raw, Event>,
    body: Body,
    transport: Transport<Body, Raw, Event>,
    context?: CallContext,
  ): Promise<Sent<AsyncIterable<Event>>>;
  /** Returns what would be sent for these messages now, if they continue a known conversation. Changes nothing. */
  preview<Body, Raw, Event>(wire: Wire<Body, Raw, Event>, body: Body, context: CallContext): Promise<Body | undefined>;
  /** Records a request that is over and was not read. */
  passed(call: PassedCall): void;
  /** Deletes conversations and records of calls that have not been used since. */
  retain(olderThanMs: number): Promise<void>;
  /** Returns the metrics of all calls so far. */
  metrics(): CallMetrics;
  /** Returns the conversations in memory, most recently used first. */
  conversations(): KnownConversation[];
  /** Returns why nothing can be stored at the moment. Undefined: it can. */
  whyNotReady(): string | undefined;
  /** Fulfilled when everything so far is durable. */
  saved(): Promise<void>;
  /** Waits until everything is saved, 5 seconds by default, then closes the store if it was opened here. Rejects if something could not be written and is lost. */
  close(maxMs?: number): Promise<void>;
}

/** `openStore`: opens a store by its address, if the runtime can. */
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

/** A generator that was never started runs no `finally`: leaving it has to close the call and the provider's stream as well. */
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
      // An incomplete answer is not kept: the client sees what it got, and asks again.
      if (answer === undefined || (await exchange.take(() => answer)) === "done") {
        yield* exchange.shown(relay.end());
        return;
      }
      const next = await send();
      // In the middle of a stream, only an error can follow.
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
