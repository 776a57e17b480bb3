import { placeCacheMarkers } from "../../../formats/place-cache-markers.ts";
import { nativesOf } from "../../../formats/origin.ts";
import { textBlock, type Block, type Message } from "../../../messages/message.ts";
import type { CacheMarker } from "../../../messages/request.ts";
import { isRecord } from "../../../errors/is-record.ts";
import { modelInfo } from "../../../pricing/model-info.ts";
import type { WrittenMarker } from "../../front-end/wire.ts";
import { fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";

/** Does a model of the SDK take Anthropic's cache markers? `provider`: its own name for itself. A gateway says whose model it is in the model's name. */
export function takesMarkers(provider: string, modelId: string): boolean {
  if (/(^|\W)anthropic(\W|$)/.test(provider)) return true;
  const guesses: string[] = [];
  const info = modelInfo(modelId, { onWarning: (guess) => guesses.push(guess) });
  return guesses.length === 0 && info.provider === "anthropic";
}

/** The marker among the options of a provider, as the SDK reads it. */
function markerIn(providerOptions: unknown): CacheMarker | undefined {
  const { cacheControl, cache_control: other } = fieldsOf(fieldsOf(providerOptions)["anthropic"]);
  const marker = cacheControl ?? other;
  return isRecord(marker) && marker["type"] === "ephemeral" ? (marker as unknown as CacheMarker) : undefined;
}

/** The marker on a block that was decoded from a prompt, or on a tool: its own, or, where the block is the last one of this message, that of the message. */
export function promptMarkerOf(value: object, ends: Message | undefined): CacheMarker | undefined {
  const [native = value] = nativesOf<JsonFields>(value) ?? [];
  const message = ends === undefined ? undefined : nativesOf<JsonFields>(ends)?.at(-1);
  return markerIn((native as JsonFields)["providerOptions"]) ?? markerIn(message?.["providerOptions"]);
}

/** The marker of the whole request: on the last block that can have one. */
export function automaticMarkerOf(body: object): CacheMarker | undefined {
  return markerIn(fieldsOf(body)["providerOptions"]);
}

/** A block that can be marked where the part can. */
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
 * The prompt with cache markers where `placeCacheMarkers` would put them, at most four with the client's own in its prompt, its tools and its options.
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
    // A system message is the system prompt, but with its markers.
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

/** The markers of a prompt, the client's and ours. */
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

/** As far as markers need it. */
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
