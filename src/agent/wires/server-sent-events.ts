import { createParser } from "eventsource-parser";
import { isRecord } from "../../errors/is-record.ts";
import { fieldsOf } from "./json-fields.ts";

/** A piece of a stream of server-sent events. Comments are passed on too, because they keep a connection open. */
export type ServerSentPart =
  | { readonly kind: "event"; readonly event?: string; readonly id?: string; readonly data: string }
  | { readonly kind: "comment"; readonly comment: string }
  | { readonly kind: "retry"; readonly retryMs: number };

/** The end of OpenAI's chat streams. */
export const DONE: ServerSentPart = { kind: "event", data: "[DONE]" };

/** Reads parts as they come. An incomplete event at the end is dropped. */
export async function* readServerSentEvents(bytes: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentPart, void, void> {
  const parts: ServerSentPart[] = [];
  const parser = createParser({
    onEvent: ({ event, id, data }) => void parts.push({ kind: "event", ...(event === undefined ? {} : { event }), ...(id === undefined ? {} : { id }), data }),
    onComment: (comment) => void parts.push({ kind: "comment", comment }),
    onRetry: (retryMs) => void parts.push({ kind: "retry", retryMs }),
  });
  const decoder = new TextDecoder();
  for await (const chunk of bytes) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* parts.splice(0);
  }
}

export function writeServerSentEvent(part: ServerSentPart): Uint8Array {
  return new TextEncoder().encode(`${linesOf(part).join("\n")}\n\n`);
}

function linesOf(part: ServerSentPart): readonly string[] {
  switch (part.kind) {
    case "comment":
      return [`: ${part.comment}`];
    case "retry":
      return [`retry: ${part.retryMs}`];
    case "event": {
      const { event, id, data } = part;
      return [
        ...(event === undefined ? [] : [`event: ${event}`]),
        ...(id === undefined ? [] : [`id: ${id}`]),
        ...data.split("\n").map((line) => `data: ${line}`),
      ];
    }
  }
}

/** Returns the API's event in a part. Undefined: a comment, `[DONE]`, or data that is not a JSON object. */
export function parseEvent(part: ServerSentPart): object | undefined {
  if (part.kind !== "event") return undefined;
  try {
    const value: unknown = JSON.parse(part.data);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Anthropic's events and those of the Responses API are named by their type; chat chunks have no name. */
export function toServerSentEvent(event: object): ServerSentPart {
  const { type } = fieldsOf(event);
  return { kind: "event", ...(typeof type === "string" ? { event: type } : {}), data: JSON.stringify(event) };
}
