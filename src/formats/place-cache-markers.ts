import { invalid } from "../errors/palimpsest-error.ts";
import { count, oneOf, oneOrMore, parseOptions } from "../errors/parse-options.ts";
import { blocksOf, isServerCall, isServerResult, isText, isToolResult, type Block, type Message } from "../messages/message.ts";
import { isRecord } from "../errors/is-record.ts";
import { parseMessages } from "../messages/parse-messages.ts";
import { comparePlaces, type Place } from "../messages/place.ts";
import type { CacheMarker, Request } from "../messages/request.ts";

export interface MarkerOptions {
  /**
   * An index into `request.messages`: the last message that the last batch of edits made final. A marker goes on its end.
   * An array also names other places where later requests may diverge from this one, most important first.
   */
  readonly frontier?: number | readonly number[];
  /** How long the provider keeps the entries of the new markers. Default "5m". */
  readonly ttl?: "5m" | "1h";
}

/** A6: the limit per request, the automatic marker included. */
const MAX_MARKERS = 4;

/**
 * Returns the request with cache markers that the next requests can use, because entries exist only at markers. One is at
 * the tail. One is on the frontier of the last batch, for when the present tail is out of reach (20 blocks). The caller's
 * markers stay and count. Call it after all edits: a marker on a message that an edit removes is lost.
 */
export function placeCacheMarkers<R extends Request>(request: R, options: MarkerOptions = {}): R {
  const { frontier = [], ttl = "5m" } = parseOptions(options, "options", { frontier: oneOrMore(count), ttl: oneOf("5m", "1h") });
  const frontiers = typeof frontier === "number" ? [frontier] : frontier;
  if (!isRecord(request)) throw invalid("INVALID_INPUT", "request", "a request { messages }", request);
  const messages = parseMessages(request.messages);
  for (const part of ["tools", "system"] as const) {
    const given: unknown = request[part];
    if (given !== undefined && !Array.isArray(given) && !(part === "system" && typeof given === "string"))
      throw invalid("INVALID_INPUT", `request.${part}`, part === "tools" ? "an array of tools" : "a string or an array of blocks", given);
  }
  const outside = frontiers.find((index) => index >= messages.length);
  if (outside !== undefined) throw invalid("INVALID_OPTION", "options.frontier", `an index into the ${messages.length} messages`, outside);
  const markers = markersOf(request);
  const automatic = isMarker(request.cache_control);
  const tail = lastMarkable(messages, messages.length - 1);
  const places = [automatic ? undefined : tail, ...frontiers.map((index) => lastMarkable(messages, index))]
    .filter((place) => place !== undefined)
    // The automatic marker is already on the last block.
    .filter((place) => !(automatic && tail !== undefined && comparePlaces(place, tail) === 0))
    .filter((place, number, all) => all.findIndex((other) => comparePlaces(place, other) === 0) === number)
    .filter((place) => !markers.some(({ at }) => at !== undefined && comparePlaces(place, at) === 0))
    .slice(0, Math.max(0, MAX_MARKERS - markers.length));
  if (places.length === 0) return request;
  const marked = [...messages];
  for (const place of places) {
    const message = marked[place.position];
    if (message !== undefined) marked[place.position] = withMarker(message, place.block, markerAt(place, ttl, markers));
  }
  return { ...request, messages: marked };
}

interface PlacedMarker {
  /** Undefined for a marker before the messages: on a tool or in the system prompt. */
  readonly at: Place | undefined;
  readonly ttl: "5m" | "1h";
}

/** Returns the caller's markers in the order in which the provider reads them: tools, system, messages, the automatic one. */
function markersOf(request: Request): PlacedMarker[] {
  const found: PlacedMarker[] = [];
  const look = (part: unknown, at: Place | undefined): void => {
    const marker = isRecord(part) ? part["cache_control"] : undefined;
    if (isMarker(marker)) found.push({ at, ttl: marker.ttl ?? "5m" });
  };
  for (const part of [...(request.tools ?? []), ...(typeof request.system === "string" ? [] : (request.system ?? []))]) look(part, undefined);
  // Loops, because every block of every message is looked at in every call.
  for (const [position, { content }] of request.messages.entries()) {
    if (typeof content === "string") continue;
    for (const [number, block] of content.entries()) {
      if (isToolResult(block) && Array.isArray(block.content)) for (const part of block.content) look(part, { position, block: number });
      if ("cache_control" in block) look(block, { position, block: number });
    }
  }
  look(request, { position: request.messages.length, block: 0 });
  return found;
}

function isMarker(value: unknown): value is CacheMarker {
  return isRecord(value) && value["type"] === "ephemeral";
}

/** A6: no 1h after 5m. So 1h if the caller has a later 1h marker, 5m if it has an earlier 5m marker. */
function markerAt(place: Place, ttl: "5m" | "1h", markers: readonly PlacedMarker[]): CacheMarker {
  const isBefore = ({ at }: PlacedMarker): boolean => at === undefined || comparePlaces(at, place) < 0;
  const hasShortBefore = markers.some((marker) => marker.ttl === "5m" && isBefore(marker));
  const hasLongBehind = markers.some((marker) => marker.ttl === "1h" && !isBefore(marker));
  return (ttl === "1h" || hasLongBehind) && !hasShortBefore ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" };
}

/** Returns the last block that may carry a marker, in this message or before it. */
function lastMarkable(messages: readonly Message[], from: number): Place | undefined {
  for (let position = from; position >= 0; position--) {
    const message = messages[position];
    // A1.11: some system messages accept no marker.
    if (message === undefined || message.role === "system") continue;
    const block = blocksOf(message).findLastIndex(isMarkable);
    if (block !== -1) return { position, block };
  }
  return undefined;
}

const MARKABLE: ReadonlySet<string> = new Set(["image", "document", "search_result", "tool_use", "tool_result"]);

/** A6: empty text and thinking accept no marker. Unknown blocks are left alone. */
function isMarkable(block: Block): boolean {
  if (isText(block)) return block.text.trim() !== "";
  return MARKABLE.has(block.type) || isServerCall(block) || isServerResult(block);
}

function withMarker(message: Message, number: number, marker: CacheMarker): Message {
  const content = blocksOf(message).map((block, index) => (index === number ? { ...block, cache_control: marker } : block));
  return { ...message, content };
}
