import { isRecord } from "../../errors/is-record.ts";
import { messageFacts, timeOf, usageUnlessNone, type MessageFacts } from "./message-facts.ts";
import { countOf, fieldAt, itemsOf } from "./unchecked-fields.ts";

/** A sample of an Inspect log, as far as this package reads it. */
export interface Sample {
  readonly id: string | number;
  readonly epoch: number;
  readonly messages: readonly object[];
  readonly events?: readonly object[] | null;
  readonly attachments?: Attachments | null;
}

/** Long texts that are stored once, by hash. */
export type Attachments = Readonly<Record<string, unknown>>;

export function isSample(value: unknown): value is Sample {
  return isRecord(value) && "id" in value && typeof value["epoch"] === "number" && Array.isArray(value["messages"]);
}

const REFERENCE = "attachment://";

/** Returns the value with attachment references replaced by their texts; the same object if it has none. */
export function resolveAttachments<T>(value: T, attachments: Attachments): T;
export function resolveAttachments(value: unknown, attachments: Attachments): unknown {
  if (typeof value === "string") return value.startsWith(REFERENCE) ? (attachments[value.slice(REFERENCE.length)] ?? value) : value;
  if (typeof value !== "object" || value === null) return value;
  const before = Object.entries(value);
  const after = before.map(([field, inside]): [string, unknown] => [field, resolveAttachments(inside as unknown, attachments)]);
  if (after.every(([, inside], number) => inside === before[number]?.[1])) return value;
  return Array.isArray(value) ? after.map(([, inside]) => inside) : Object.fromEntries(after);
}

/**
 * Returns facts about the assistant's messages from the events: each message was made by one model call. Newer logs name the
 * message. In older logs the order is the same, unless a scorer has called a model too; then nothing is known.
 */
export function factsFromEvents({ messages, events }: Sample): ReadonlyMap<object, MessageFacts> {
  const answers = messages.filter((message) => fieldAt(message, "role") === "assistant");
  const calls = itemsOf(events).filter((event) => fieldAt(event, "event") === "model");
  const byId = new Map(calls.map((call) => [madeBy(call), call]));
  return new Map(
    answers.flatMap((answer, number): readonly (readonly [object, MessageFacts])[] => {
      const id = fieldAt(answer, "id");
      const call = typeof id === "string" ? byId.get(id) : calls.length === answers.length ? calls[number] : undefined;
      return call === undefined ? [] : [[answer, factsOf(call)]];
    }),
  );
}

/** Returns the id of the message that a model call produced. */
function madeBy(call: unknown): unknown {
  const choices = fieldAt(call, "output", "choices");
  return Array.isArray(choices) ? fieldAt(choices[0], "message", "id") : undefined;
}

function factsOf(call: unknown): MessageFacts {
  const usage = fieldAt(call, "output", "usage");
  const outputTokens = countOf(fieldAt(usage, "output_tokens"));
  const totalTokens = fieldAt(usage, "total_tokens");
  return messageFacts({
    atMs: timeOf(fieldAt(call, "timestamp")),
    model: fieldAt(call, "output", "model"),
    usage: usageUnlessNone({
      // Whether input tokens include cached ones depends on the provider; the total always includes them.
      inputTokens: typeof totalTokens === "number" ? totalTokens - outputTokens : countOf(fieldAt(usage, "input_tokens")),
      cacheReadTokens: countOf(fieldAt(usage, "input_tokens_cache_read")),
      cacheWriteTokens: countOf(fieldAt(usage, "input_tokens_cache_write")),
      outputTokens,
    }),
  });
}
