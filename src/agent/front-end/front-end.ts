import { Exchange, type Sent } from "./exchange.ts";
import { parseFrontEndOptions, type FrontEndOptions } from "./front-end-options.ts";
import { NO_METRICS, sumOfMetrics, type CallMetrics } from "./metrics.ts";
import { Sessions } from "./sessions.ts";
import type { Wire } from "./wire.ts";

/** How a request is sent: by HTTP, or through a model object. */
export interface Transport<Body, Raw, Event> {
  readonly send: (body: Body) => Promise<Sent<Raw>>;
  readonly stream: (body: Body) => Promise<Sent<AsyncIterable<Event>>>;
}

export interface FrontEnd {
  /** The whole answer to the client's request, after as many hidden rounds as it takes. */
  send<Body, Raw, Event>(wire: Wire<Body, Raw, Event>, body: Body, transport: Transport<Body, Raw, Event>): Promise<Sent<Raw>>;
  /** The same as a stream: what the model says goes on at once. */
  stream<Body, Raw, Event>(wire: Wire<Body, Raw, Event>, body: Body, transport: Transport<Body, Raw, Event>): Promise<Sent<AsyncIterable<Event>>>;
  /** Of all calls so far. */
  metrics(): CallMetrics;
}

export function createFrontEnd(options: FrontEndOptions = {}): FrontEnd {
  const parsed = parseFrontEndOptions(options);
  const sessions = new Sessions(parsed);
  let total = NO_METRICS;
  const count = (metrics: CallMetrics): void => {
    total = sumOfMetrics(total, metrics);
  };
  return {
    send: async (wire, body, transport) => {
      const exchange = Exchange.open(parsed, sessions, wire, body, count);
      if (exchange === undefined) return transport.send(body);
      try {
        return await sendAll(exchange, wire, transport);
      } finally {
        exchange.close();
      }
    },
    stream: async (wire, body, transport) => {
      const exchange = Exchange.open(parsed, sessions, wire, body, count);
      return exchange === undefined ? transport.stream(body) : streamAll(exchange, wire, transport);
    },
    metrics: () => total,
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
    const isDone = exchange.take(() => wire.readAnswer(sent.answer)) === "done";
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
  return { answer: relayAll(exchange, wire, first.answer, send) };
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
      for await (const event of events) yield* relay.relay(event);
      const answer = relay.answer();
      // Half an answer is no answer: the client sees what it got, and asks again.
      if (answer === undefined || exchange.take(() => answer) === "done") {
        yield* relay.end();
        return;
      }
      const next = await send();
      // Nothing but an error can be said in the middle of a stream.
      if (!("answer" in next)) throw next.refused;
      relay.continue();
      events = next.answer;
    }
  } finally {
    exchange.close();
  }
}
