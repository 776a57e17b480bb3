import { stringOf, type Json } from "./json-values.ts";
import { typeOfItem } from "./response-items.ts";

export interface RememberedItem {
  readonly item: Json;
  readonly responseId: string;
  /** Its index in the output of its response. */
  readonly position: number;
  /** The reasoning that produced it (C4). */
  readonly reasoningId: string | undefined;
}

export interface GivenResponse {
  readonly id: string;
  /** The input of the request, with everything before it. */
  readonly conversation: readonly Json[];
  readonly output: readonly Json[];
  /** C5: if it is not stored, it cannot be named by id later, but its encrypted content can be sent. */
  readonly stored: boolean;
}

/** What the provider remembers of its responses. */
export interface ResponseMemory {
  readonly remember: (response: GivenResponse) => void;
  /** Returns a stored response with everything before it. */
  readonly conversation: (responseId: string) => readonly Json[] | undefined;
  readonly item: (id: string) => RememberedItem | undefined;
  /** True for an id that was sent but not stored. */
  readonly isForgotten: (id: string) => boolean;
  /** Returns the id of the reasoning with this encrypted content. */
  readonly decrypt: (encrypted: string) => string | undefined;
}

export function createResponseMemory(): ResponseMemory {
  const conversations = new Map<string, readonly Json[]>();
  const items = new Map<string, RememberedItem>();
  const forgotten = new Set<string>();
  const reasonings = new Map<string, string>();
  return {
    remember: ({ id: responseId, conversation, output, stored }) => {
      if (stored) conversations.set(responseId, [...conversation, ...output]);
      let reasoningId: string | undefined;
      output.forEach((item, position) => {
        const id = stringOf(item["id"]);
        if (typeof item["encrypted_content"] === "string") reasonings.set(item["encrypted_content"], id);
        if (typeOfItem(item) === "reasoning") reasoningId = id;
        if (stored) items.set(id, { item, responseId, position, reasoningId });
        else forgotten.add(id);
      });
    },
    conversation: (responseId) => conversations.get(responseId),
    item: (id) => items.get(id),
    isForgotten: (id) => forgotten.has(id),
    decrypt: (encrypted) => reasonings.get(encrypted),
  };
}

/** Returns the whole conversation: references replaced by their items, after the conversation that a chained request continues. */
export function conversationOf(body: Json, input: readonly Json[], memory: ResponseMemory): readonly Json[] {
  const { previous_response_id: previous } = body;
  const before = typeof previous === "string" ? (memory.conversation(previous) ?? []) : [];
  return [...before, ...input.map((item) => resolveItem(item, memory))];
}

export function resolveItem(item: Json, memory: ResponseMemory): Json {
  return typeOfItem(item) === "item_reference" ? (memory.item(stringOf(item["id"]))?.item ?? item) : item;
}
