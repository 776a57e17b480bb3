import { isRecord, type ApiRequest } from "../api-request.ts";
import { automaticMarker, markersOn, piecesOf } from "../cache-markers.ts";
import { SHAPE, type Refusal } from "../refusal.ts";

const MOST_MARKERS = 4;
const LONG_BEHIND_SHORT =
  "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.";

/** A6: the number, places and order of cache markers. */
export function* cacheRefusals(request: ApiRequest): Generator<Refusal> {
  const pieces = piecesOf(request);
  const explicit = markersOn(pieces);
  const automatic = automaticMarker(request, pieces);
  for (const { path, isOnEmptyText } of explicit) {
    if (isOnEmptyText) yield { rule: "A6", message: `${path}.text: cache_control cannot be set for empty text blocks` };
  }
  const onSame = explicit.filter(({ index }) => index === automatic?.index);
  if (automatic !== undefined && onSame.some(({ ttl }) => ttl !== automatic.ttl))
    yield { rule: "A6", message: "cache_control: the last block has a cache_control with a different ttl" };
  const markers = automatic === undefined || onSame.length > 0 ? explicit : [...explicit, automatic];
  if (markers.length > MOST_MARKERS)
    yield { rule: "A6", message: `A maximum of ${MOST_MARKERS} blocks with cache_control may be provided. Found ${markers.length}.` };
  let hasShort = false;
  for (const { ttl, path } of markers) {
    if (ttl === "1h" && hasShort) yield { rule: "A6", message: `${path === "cache_control" ? path : `${path}.cache_control`}.ttl: ${LONG_BEHIND_SHORT}` };
    hasShort ||= ttl === "5m";
  }
  yield* markerShape(request);
}

/** Checks the marker itself: the table has two times to live (F). */
function* markerShape(request: ApiRequest): Generator<Refusal> {
  const places = [...piecesOf(request), { value: request.body, path: "" }];
  for (const { value, path } of places) {
    const marker = value["cache_control"];
    if (marker === undefined || marker === null) continue;
    const at = path === "" ? "cache_control" : `${path}.cache_control`;
    if (!isRecord(marker) || marker["type"] !== "ephemeral") yield { rule: SHAPE, message: `${at}.type: Input should be 'ephemeral'` };
    else if (!["5m", "1h", undefined, null].includes(marker["ttl"] as string | null | undefined))
      yield { rule: SHAPE, message: `${at}.ephemeral.ttl: Input should be '5m' or '1h'` };
  }
}
