import fc from "fast-check";
import type { Block, Message } from "../../src/messages/message.ts";

/** What clients and providers put on messages and blocks beside their meaning: cache markers and fields of their own. */
export interface Decorations {
  /** Picks among the blocks that may carry a marker; at most four (A6). */
  readonly markers: readonly number[];
  /** How many of the markers, from the first one on, live for an hour: 1h never comes after 5m (A6). */
  readonly longLived: number;
  readonly nested: boolean;
  readonly blockFields: readonly { readonly pick: number; readonly fields: Readonly<Record<string, unknown>> }[];
  readonly messageFields: readonly { readonly pick: number; readonly fields: Readonly<Record<string, unknown>> }[];
}

const fieldsOf = fc.constantFrom<Record<string, unknown>>({ citations: null }, { "x-trace": "7", parsed: { a: [] } }, { timestamp: "2026-11-15T00:00:00Z" });
const messageFieldsOf = fc.constantFrom<Record<string, unknown>>({ id: "msg_1" }, { stop_reason: null, usage: { input_tokens: 1 } }, { name: "ann" });
const pick: fc.Arbitrary<number> = fc.nat({ max: 9999 });

function usually<T>(plain: T, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 2, arbitrary: fc.constant(plain) }, { weight: 1, arbitrary });
}

export const decorations: fc.Arbitrary<Decorations> = fc.record({
  markers: usually<number[]>([], fc.array(pick, { maxLength: 4 })),
  longLived: fc.nat({ max: 4 }),
  nested: fc.boolean(),
  blockFields: usually<Decorations["blockFields"]>([], fc.array(fc.record({ pick, fields: fieldsOf }), { maxLength: 3 })),
  messageFields: usually<Decorations["messageFields"]>([], fc.array(fc.record({ pick, fields: messageFieldsOf }), { maxLength: 2 })),
});

export function decorate(messages: readonly Message[], wish: Decorations): Message[] {
  return mark(addMessageFields(addBlockFields(messages, wish), wish), wish);
}

interface Spot {
  readonly position: number;
  readonly block: number;
}

function spots(messages: readonly Message[], eligible: (block: Block, message: Message) => boolean): Spot[] {
  return messages.flatMap((message, position) => {
    if (typeof message.content === "string") return [];
    return message.content.flatMap((entry, block) => (eligible(entry, message) ? [{ position, block }] : []));
  });
}

function changeBlock(messages: readonly Message[], spot: Spot, change: (block: Block) => Block): Message[] {
  return messages.map((message, position) => {
    if (position !== spot.position || typeof message.content === "string") return message;
    return { ...message, content: message.content.map((entry, block) => (block === spot.block ? change(entry) : entry)) };
  });
}

function addBlockFields(messages: readonly Message[], wish: Decorations): Message[] {
  const all = spots(messages, () => true);
  return wish.blockFields.reduce<Message[]>(
    (changed, { pick: number, fields }) => {
      const spot = all[number % all.length];
      return spot === undefined ? changed : changeBlock(changed, spot, (entry) => ({ ...entry, ...fields }));
    },
    [...messages],
  );
}

function addMessageFields(messages: readonly Message[], wish: Decorations): Message[] {
  return wish.messageFields.reduce<Message[]>(
    (changed, { pick: number, fields }) => changed.map((message, index) => (index === number % changed.length ? { ...message, ...fields } : message)),
    [...messages],
  );
}

const MARKABLE: ReadonlySet<string> = new Set(["text", "image", "document", "tool_use", "tool_result"]);

function mark(messages: readonly Message[], wish: Decorations): Message[] {
  const eligible = spots(messages, (entry, message) => MARKABLE.has(entry.type) && !("clear_at" in message));
  if (eligible.length === 0) return [...messages];
  const chosen = [...new Set(wish.markers.map((number) => number % eligible.length))].sort((a, b) => a - b);
  return chosen.reduce<Message[]>(
    (changed, index, order) => {
      const spot = eligible[index];
      const marker = { cache_control: { type: "ephemeral", ...(order < wish.longLived ? { ttl: "1h" } : {}) } };
      return spot === undefined ? changed : changeBlock(changed, spot, (entry) => withMarker(entry, marker, wish.nested));
    },
    [...messages],
  );
}

/** On the block, or on the last text inside a tool result. */
function withMarker(entry: Block, marker: Readonly<Record<string, unknown>>, nested: boolean): Block {
  const parts: unknown = nested && entry.type === "tool_result" && "content" in entry ? entry.content : undefined;
  const last: unknown = Array.isArray(parts) ? parts.at(-1) : undefined;
  if (!Array.isArray(parts) || typeof last !== "object" || last === null || !("type" in last) || last.type !== "text") return { ...entry, ...marker };
  return { ...entry, ...{ content: [...(parts.slice(0, -1) as Block[]), { ...last, ...marker }] } };
}
