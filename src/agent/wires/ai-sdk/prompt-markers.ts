import { placeCacheMarkers } from "../../../formats/place-cache-markers.ts";
import { nativesOf } from "../../../formats/origin.ts";
import { textBlock, type Block, type Message } from "../../../messages/message.ts";
import type { CacheMarker } from "../../../messages/request.ts";
import { isRecord } from "../../../errors/is-record.ts";
import { modelInfo } from "../../../pricing/model-info.ts";
import type { WrittenMarker } from "../../front-end/wire.ts";
import { fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";

/** Returns whether a model takes Anthropic's cache markers. `provider`: the model's own name for its provider. A gateway names the maker in the model's name. */
export function takesMarkers(provider: string, modelId: string): boolean {
  if (/(^|\W)anthropic(\W|$)/.test(provider)) return true;
  const guesses: string[] = [];
  const info = modelInfo(modelId, { onWarning: (guess) => guesses.push(guess) });
  return guesses.length === 0 && info.provider === "anthropic";
}

/** Returns the marker in provider options, as the SDK reads it. */
function markerIn(providerOptions: unknown): CacheMarker | undefined {
  const { cacheControl, cache_control: other } = fieldsOf(fieldsOf(providerOptions)["anthropic"]);
  const marker = cacheControl ?? other;
  return isRecord(marker) && marker["type"] === "ephemeral" ? (marker as unknown as CacheMarker) : undefined;
}

/** Returns the marker on a tool or on a block decoded from a prompt: its own or, if it ends the message `ends`, the message's. */
export function promptMarkerOf(value: object, ends: Message | undefined): CacheMarker | undefined {
  const [native = value] = nativesOf<JsonFields>(value) ?? [];
  const message = ends === undefined ? undefined : nativesOf<JsonFields>(ends)?.at(-1);
  return markerIn((native as JsonFields)["providerOptions"]) ?? markerIn(message?.["providerOptions"]);
}

/** Returns the marker of the whole request, which applies to the last block that can have one. */
export function automaticMarkerOf(body: object): CacheMarker | undefined {
  return markerIn(fieldsOf(body)["providerOptions"]);
}

/** Returns a block that can carry a marker exactly if the part can. */
function standIn({ type, text }: JsonFields): Block {
  switch (type) {
    case "text":
      return textBlock(typeof text === "string" ? text : "");
    case "tool-call":
      return { type: "tool_use", id: "call", name: "tool", input: {} } as Block;
    case "tool-result":
      return { type: "tool_result", tool_use_id: "call" } as Block;
    case "file":
      return { type: "document" };
    default:
      return { type: "other" };
  }
}

/**
 * Returns the prompt with cache markers where `placeCacheMarkers` would put them: at most four, including the client's in its prompt, tools and options.
 * `frontier`: indexes into the prompt.
 */
export function withPromptMarkers(body: object, frontier: readonly number[]): object {
  const { prompt: given, tools } = fieldsOf(body);
  const prompt = objectsIn(given);
  const messages = prompt.map(asMessage);
  const automatic = automaticMarkerOf(body);
  const own = messages.flatMap(({ content }) => (content as readonly MarkedBlock[]).flatMap(({ cache_control: marker }) => marker ?? []));
  const request = {
    messages,
    tools: objectsIn(tools).map((tool) => ({ cache_control: markerIn(tool["providerOptions"]) })),
    // System messages are the system prompt, with their markers.
    system: messages.filter(({ role }) => role === "system").flatMap(({ content }) => content),
    ...(automatic === undefined ? {} : { cache_control: automatic }),
  };
  const ttl = own.at(-1)?.ttl;
  const marked = placeCacheMarkers(
    { ...request, messages: messages.map((message) => (message.role === "system" ? { ...message, content: [] } : message)) },
    { frontier, ...(ttl === undefined ? {} : { ttl }) },
  );
  const written = prompt.map((message, number) => withNew(message, messages[number]?.content ?? [], marked.messages[number]?.content ?? []));
  return { ...body, prompt: written };
}

/** Returns all markers of a prompt, the client's and ours. */
export function promptMarkers(body: object): WrittenMarker[] {
  return objectsIn(fieldsOf(body)["prompt"])
    .map(asMessage)
    .flatMap(({ content }, message) =>
      (content as readonly MarkedBlock[]).flatMap(({ cache_control: marker }, part) =>
        marker === undefined ? [] : [{ message, part, ...(marker.ttl === undefined ? {} : { ttl: marker.ttl }) }],
      ),
    );
}

type MarkedBlock = Block & { readonly cache_control?: CacheMarker };

/** Converts only what the markers depend on. */
function asMessage(message: JsonFields): Message & { readonly content: readonly Block[] } {
  const { role, content, providerOptions } = message;
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);
  const blocks = parts.map((part: JsonFields, number): MarkedBlock => {
    const marker = markerIn(part["providerOptions"]) ?? (number === parts.length - 1 ? markerIn(providerOptions) : undefined);
    return { ...standIn(part), ...(marker === undefined ? {} : { cache_control: marker }) };
  });
  return { role: role === "system" || role === "assistant" ? role : "user", content: blocks };
}

function withNew(message: JsonFields, before: readonly Block[], after: string | readonly Block[]): JsonFields {
  const number = typeof after === "string" ? -1 : after.findIndex((block, index) => block !== before[index]);
  const marker = (after[number] as MarkedBlock | undefined)?.cache_control;
  if (marker === undefined) return message;
  const { content } = message;
  if (typeof content === "string") return withOption(message, marker);
  return { ...message, content: objectsIn(content).map((part, index) => (index === number ? withOption(part, marker) : part)) };
}

function withOption(value: JsonFields, cacheControl: CacheMarker): JsonFields {
  const options = fieldsOf(value["providerOptions"]);
  return { ...value, providerOptions: { ...options, anthropic: { ...fieldsOf(options["anthropic"]), cacheControl } } };
}
