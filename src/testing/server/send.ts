import type { ServerResponse } from "node:http";
import { setImmediate as nextRound } from "node:timers/promises";
import type { Fault, PlayedAnswer, ServerSentEvent } from "../protocol.ts";

type StreamFault = Exclude<Fault, number>;

export function sendJson(
  response: ServerResponse,
  status: number,
  body: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Sends an answer that is not streamed, cut short by the fault if there is one. */
export function sendWhole(response: ServerResponse, answer: PlayedAnswer, fault: StreamFault | undefined): void {
  switch (fault) {
    case undefined:
    case "error-event": // Sent as a status, because there is no stream.
      sendJson(response, 200, answer.json);
      return;
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "hang":
      return;
    case "half-event": {
      const text = JSON.stringify(answer.json);
      response.writeHead(200, { "content-type": "application/json" });
      response.end(text.slice(0, Math.ceil(text.length / 2)));
    }
  }
}

/** Sends events one by one; with a fault, half of them and the fault. */
export async function sendStream(
  response: ServerResponse,
  events: readonly ServerSentEvent[],
  fault: StreamFault | undefined,
  errorEvent: ServerSentEvent,
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" });
  const half = Math.ceil(events.length / 2);
  for (const event of fault === undefined ? events : events.slice(0, half)) {
    response.write(written(event));
    await nextRound(); // Otherwise all events would arrive in one chunk.
  }
  switch (fault) {
    case undefined:
      response.end();
      return;
    case "error-event":
      response.end(written(errorEvent));
      return;
    case "half-event": {
      const next = events[half] === undefined ? "" : written(events[half]);
      response.end(next.slice(0, Math.ceil(next.length / 2)));
      return;
    }
    case "reset":
      // Not a TCP reset, which would also discard what was already sent.
      response.write("\n", () => response.socket?.destroy());
      return;
    case "hang":
      return;
  }
}

function written({ event, data }: ServerSentEvent): string {
  return `${event === undefined ? "" : `event: ${event}\n`}data: ${data}\n\n`;
}
