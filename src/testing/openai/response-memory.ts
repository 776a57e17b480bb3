import { stringOf, type Json } from "./json-values.ts";
import { typeOfItem } from "./response-items.ts";

export interface RememberedItem {
  readonly item: Json;
  readonly responseId: string;
  /** Where it stands in the output of its response. */
  readonly position: number;
  /** The reasoning that it came from (C4). */
  readonly reasoningId: string | undefined;
}

export interface GivenResponse {
  readonly id: string;
  /** What was asked, with everything that it was asked after. */
  readonly conversation: readonly Json[];
  readonly output: readonly Json[];
  /** C5: what is not stored cannot be named later, but its encrypted content can be sent. */
  readonly stored: boolean;
}

/** What the provider keeps of the responses that it gave. */
export interface ResponseMemory {
  readonly remember: (response: GivenResponse) => void;
  /** A stored response with everything before it. */
  readonly conversation: (responseId: string) => readonly Json[] | undefined;
  readonly item: (id: string) => RememberedItem | undefined;
  /** Given out, but not stored. */
  readonly isForgotten: (id: string) => boolean;
  /** The id of the reasoning with this encrypted content. */
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

/** The items that a request names, in place of the references; with what a chained request goes on from. */
export function conversationOf(body: Json, input: readonly Json[], memory: ResponseMemory): readonly Json[] {
  const { previous_response_id: previous } = body;
  const before = typeof previous === "string" ? (memory.conversation(previous) ?? []) : [];
  return [...before, ...input.map((item) => resolveItem(item, memory))];
}

export function resolveItem(item: Json, memory: ResponseMemory): Json {
  return typeOfItem(item) === "item_reference" ? (memory.item(stringOf(item["id"]))?.item ?? item) : item;
}
