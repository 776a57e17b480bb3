import { firstPlace } from "../../edits/edit-places.ts";
import type { Edit } from "../../edits/edit.ts";
import { placeCacheMarkers } from "../../formats/place-cache-markers.ts";
import { blocksOf, isThinking, type Block, type Message } from "../../messages/message.ts";
import type { CacheMarker, Request } from "../../messages/request.ts";
import type { Place } from "../../messages/place.ts";
import type { ShownView } from "../../conversation/conversation.ts";

/** What makes a request differ from the one before. */
export interface Changes {
  readonly edits: readonly Edit[];
  /** How many messages at the end of the last request the client has taken back with this one. */
  readonly takenBack: number;
}

/** A marker of the client, and the position in the log of the message that has it. */
export interface ClientMarker {
  readonly position: number;
  readonly marker: CacheMarker;
}

/** Returns the last marker of each of the client's messages. `endOf`: the length of the log after a message of the client. */
export function clientMarkers(messages: readonly Message[], endOf: (number: number) => number): ClientMarker[] {
  const found: ClientMarker[] = [];
  for (const [number, { content }] of messages.entries()) {
    const marked = typeof content === "string" ? undefined : content.findLast((block) => markerOf(block) !== undefined);
    const marker = marked === undefined ? undefined : markerOf(marked);
    if (marker !== undefined) found.push({ position: endOf(number) - 1, marker });
  }
  return found;
}

export function markerOf(block: Block): CacheMarker | undefined {
  const { cache_control: marker } = block as Block & { readonly cache_control?: CacheMarker | null };
  return marker ?? undefined;
}

/** Returns where a request has markers: in its system prompt, its tools, or at places of the log. `positions`: of its messages. */
export function placedMarkers(request: Request, messages: readonly Message[], positions: readonly number[]): PlacedMarker[] {
  const inHead = (at: "system" | "tools", blocks: unknown): PlacedMarker[] =>
    Array.isArray(blocks) ? (blocks as readonly Block[]).flatMap((block) => placed(at, markerOf(block))) : [];
  const inMessages: PlacedMarker[] = [];
  for (const [number, { content }] of messages.entries())
    if (typeof content !== "string")
      for (const [block, each] of content.entries())
        if ("cache_control" in each) inMessages.push(...placed({ position: positions[number] ?? 0, block }, markerOf(each)));
  return [...inHead("tools", request.tools), ...inHead("system", request.system), ...inMessages];
}

export interface PlacedMarker {
  readonly at: "system" | "tools" | Place;
  readonly ttl?: string;
}

function placed(at: PlacedMarker["at"], marker: CacheMarker | undefined): PlacedMarker[] {
  return marker === undefined ? [] : [{ at, ...(marker.ttl === undefined ? {} : { ttl: marker.ttl }) }];
}

/**
 * Returns the view with the client's markers on its messages that are still shown and, if `added`, with ours: at most four in all, including those of
 * the system prompt and the tools (A6).
 */
export function withMarkers(request: Request, view: ShownView, markers: readonly ClientMarker[], changes: Changes, added: boolean): readonly Message[] {
  const own = new Map(markers.map(({ position, marker }) => [position, marker]));
  const marked = view.messages.map((message, number) => {
    const marker = own.size === 0 ? undefined : own.get(view.positions[number] ?? -1);
    return marker === undefined ? message : withMarker(message, marker);
  });
  if (!added) return marked;
  return placeCacheMarkers({ ...request, messages: marked }, { frontier: frontiersOf(view, changes.edits, changes.takenBack), ...ttlOf(markers) }).messages;
}

function withMarker(message: Message, marker: CacheMarker): Message {
  const blocks = blocksOf(message);
  const last = blocks.findLastIndex((block) => !isThinking(block));
  return last === -1
    ? message
    : { ...message, content: blocks.map((block, number) => (number === last ? Object.assign({}, block, { cache_control: marker }) : block)) };
}

/** Our markers get the lifetime of the client's last one: a longer one may not come after a shorter one (A6). */
function ttlOf(markers: readonly ClientMarker[]): { ttl?: "5m" | "1h" } {
  const ttl = markers.at(-1)?.marker.ttl;
  return ttl === undefined ? {} : { ttl };
}

/**
 * Returns where later requests may diverge from this one, most likely first. After the last message that a batch has changed: the messages before it
 * will stay as they are. Before the first message that the last batch has changed: up to there, the cache still has the earlier requests. And after
 * the first message, for requests after a pause. `takenBack`: before so many messages at the end, if the client took as many back with this request.
 */
export function frontiersOf({ positions }: ShownView, edits: readonly Edit[], takenBack = 0): number[] {
  let [newest, first, last] = [-1, -1, -1];
  for (const edit of edits) {
    // An edit on arrival changed nothing that had been sent.
    if (lastPosition(edit) >= edit.madeAt - 1) continue;
    last = Math.max(last, lastPosition(edit));
    const { position } = firstPlace(edit);
    first = edit.madeAt > newest ? position : edit.madeAt === newest ? Math.min(first, position) : first;
    newest = Math.max(newest, edit.madeAt);
  }
  const after = positions.findLastIndex((position) => position <= last);
  const before = positions.findLastIndex((position) => position < first);
  const lasting = takenBack === 0 ? -1 : positions.findLastIndex((position) => position <= (positions.at(-1) ?? 0) - takenBack);
  return [lasting, after, before, 0].filter((index) => index >= 0 && index < positions.length);
}

function lastPosition(edit: Edit): number {
  if (edit.kind === "replace-range") return edit.to.block === 0 ? edit.to.position - 1 : edit.to.position;
  return edit.kind === "collapse-round" ? edit.lastResult : edit.kind === "strip-blocks" ? (edit.at.at(-1)?.position ?? 0) : firstPlace(edit).position;
}
