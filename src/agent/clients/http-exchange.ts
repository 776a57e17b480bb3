import { isRecord } from "../../errors/is-record.ts";
import { tooLongIn } from "../front-end/rescue.ts";
import type { Sent } from "../front-end/exchange.ts";
import type { FrontEnd, Transport } from "../front-end/front-end.ts";
import type { Wire } from "../front-end/wire.ts";
import { DONE, parseEvent, readServerSentEvents, toServerSentEvent, writeServerSentEvent } from "../wires/server-sent-events.ts";

type JsonWire = Wire<object, object, object>;

/** Sends a body in place of the client's own, with the rest of its request unchanged. */
export type SendBody = (body: string) => Promise<Response>;

/** Handles one HTTP request of a client. A request that is not a readable conversation is passed on byte for byte. */
export async function exchangeOverHttp(frontEnd: FrontEnd, wire: JsonWire, body: string, send: SendBody): Promise<Response> {
  const parsed = parseObject(body);
  if (parsed === undefined) return send(body);
  return isStreamed(parsed) ? streamedResponse(frontEnd, wire, parsed, body, send) : wholeResponse(frontEnd, wire, parsed, body, send);
}

async function wholeResponse(frontEnd: FrontEnd, wire: JsonWire, parsed: object, body: string, send: SendBody): Promise<Response> {
  let last: Response | undefined;
  const transport: Transport<object, object, object> = {
    send: async (request) => {
      const response = await send(request === parsed ? body : JSON.stringify(request));
      if (!response.ok) return refusalOf(response);
      last = response;
      return { answer: (await response.json()) as object };
    },
    stream: () => Promise.reject(new TypeError("not a stream")),
  };
  const sent = await frontEnd.send(wire, parsed, transport);
  if (!("answer" in sent)) return sent.refused as Response;
  return new Response(JSON.stringify(sent.answer), { status: last?.status ?? 200, headers: headersOf(last) });
}

async function streamedResponse(frontEnd: FrontEnd, wire: JsonWire, parsed: object, body: string, send: SendBody): Promise<Response> {
  let first: Response | undefined;
  const transport: Transport<object, object, object> = {
    send: () => Promise.reject(new TypeError("a stream")),
    stream: async (request) => {
      const response = await send(request === parsed ? body : JSON.stringify(request));
      if (!response.ok) return refusalOf(response);
      first ??= response;
      return { answer: eventsOf(response) };
    },
  };
  const sent = await frontEnd.stream(wire, parsed, transport);
  if (!("answer" in sent)) return sent.refused as Response;
  return new Response(bytesOf(sent.answer, wire), { status: first?.status ?? 200, headers: headersOf(first) });
}

/** Reads the (short) body of a refusal: only its text says whether the request is too long, or our view was refused. */
async function refusalOf(response: Response): Promise<Sent<never>> {
  const { status, statusText } = response;
  if (status !== 400 && status !== 413) return { refused: response, tooLong: undefined, status };
  const said = await response.text();
  return { refused: new Response(said, { status, statusText, headers: headersOf(response) }), tooLong: tooLongIn(said), status, said };
}

async function* eventsOf(response: Response): AsyncGenerator<object> {
  if (response.body === null) return;
  for await (const part of readServerSentEvents(response.body)) {
    const event = parseEvent(part);
    if (event !== undefined) yield event;
  }
}

function bytesOf(events: AsyncIterable<object>, wire: JsonWire): ReadableStream<Uint8Array> {
  const iterator = events[Symbol.asyncIterator]();
  let isEnding = false;
  return new ReadableStream({
    async pull(controller) {
      const next = await iterator.next().catch((error: unknown) => error);
      if (next instanceof Response) {
        controller.enqueue(new TextEncoder().encode(await errorEvent(next, wire)));
        controller.close();
        return;
      }
      if (!isResult(next)) throw next;
      if (next.done !== true) {
        controller.enqueue(writeServerSentEvent(toServerSentEvent(next.value)));
        return;
      }
      if (wire.format === "openai-chat" && !isEnding) controller.enqueue(writeServerSentEvent(DONE));
      isEnding = true;
      controller.close();
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function isResult(next: unknown): next is IteratorResult<object, void> {
  return isRecord(next) && ("done" in next || "value" in next);
}

/** Returns the provider's refusal of a hidden round as the error event that ends a stream of its API. */
async function errorEvent(refused: Response, { format }: JsonWire): Promise<string> {
  const said = parseObject(await refused.text());
  const message = `The provider answered with status ${refused.status}.`;
  const body = isRecord(said?.["error"]) ? said : { type: "error", error: { type: "api_error", message } };
  if (format === "anthropic") return `event: error\ndata: ${JSON.stringify(body)}\n\n`;
  if (format === "openai-chat") return `data: ${JSON.stringify(body)}\n\n`;
  const { code = null, param = null, ...error } = body["error"] as Readonly<Record<string, unknown>>;
  return `event: error\ndata: ${JSON.stringify({ type: "error", code, message: error["message"] ?? message, param })}\n\n`;
}

/** Returns the provider's headers, without those about its bytes: ours differ. */
function headersOf(response: Response | undefined): Headers {
  const headers = new Headers(response?.headers);
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) headers.delete(name);
  return headers;
}

export function parseObject(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isStreamed(body: object): boolean {
  return "stream" in body && body.stream === true;
}
