import type { Codec } from "../../formats/codec.ts";
import type { Message } from "../../messages/message.ts";
import type { ShownView } from "../../conversation/conversation.ts";
import { frontiersOf, type Changes, type PlacedMarker } from "./cache-markers.ts";
import type { WireMarkers } from "./wire.ts";

export interface WrittenView {
  readonly codec: Codec<object, object>;
  /** System messages before those of the view. */
  readonly head: readonly Message[];
  readonly view: ShownView;
  readonly changes: Changes;
  /** Also add ours. */
  readonly adds: boolean;
}

/** Puts cache markers on a request that is not in Anthropic's format, and returns where in the log they are. */
export function withWrittenMarkers<Body>(
  body: Body,
  { place, list }: WireMarkers<Body>,
  { codec, head, view, changes, adds }: WrittenView,
): { readonly body: Body; readonly placed: readonly PlacedMarker[] } {
  let end = 0;
  const ends = [...head, ...view.messages].map((message) => (end += writtenLength(codec, message)));
  const frontier = frontiersOf(view, changes.edits, changes.takenBack).map((number) => (ends[head.length + number] ?? 0) - 1);
  const written = adds
    ? place(
        body,
        frontier.filter((index) => index >= 0 && index < end),
      )
    : body;
  const placed = list(written).map(({ message, part, ttl }): PlacedMarker => {
    const number = ends.findIndex((each) => message < each) - head.length;
    return { at: number < 0 ? "system" : { position: view.positions[number] ?? 0, block: part }, ...(ttl === undefined ? {} : { ttl }) };
  });
  return { body: written, placed };
}

/** Returns as how many messages of the format it is written. */
function writtenLength(codec: Codec<object, object>, message: Message): number {
  try {
    return codec.encode([message]).length;
  } catch {
    // It cannot be encoded by itself.
    return 1;
  }
}
