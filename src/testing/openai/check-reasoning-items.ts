import type { Rejection } from "../protocol.ts";
import { firstRejection } from "./first-rejection.ts";
import { stringOf, type Json } from "./json-values.ts";
import { refuse } from "./openai-error.ts";
import { sideOfItem, typeOfItem } from "./response-items.ts";
import { resolveItem, type ResponseMemory } from "./response-memory.ts";

/** C3: reasoning is followed by an item that it produced. */
export function checkReasoningFollowed(input: readonly Json[], memory: ResponseMemory): Rejection | undefined {
  return firstRejection(input, (item, at) => {
    const { id } = item;
    // Reasoning without an id is not looked up.
    if (!isReasoning(item, memory) || typeof id !== "string" || isFollowed(item, id, input[at + 1], memory)) return undefined;
    return refuse("C3", `Item '${id}' of type 'reasoning' was provided without its required following item.`, { param: "input" });
  });
}

/** The item after stored reasoning is found by its id. For encrypted reasoning reports differ (mastra-ai/mastra#11103), so any item of the model is accepted. */
function isFollowed(item: Json, id: string, next: Json | undefined, memory: ResponseMemory): boolean {
  if (next === undefined) return false;
  if (isEncrypted(item)) return sideOfItem(resolveItem(next, memory)) === "model";
  const following = memory.item(stringOf(next["id"]));
  if (following === undefined || typeOfItem(following.item) !== "reasoning") return following?.reasoningId === id;
  const reasoning = memory.item(id);
  return following.responseId === reasoning?.responseId && following.position > reasoning.position;
}

/** C4: a stored item that is named by id must come with the reasoning that produced it. */
export function checkReasoningGiven(before: readonly Json[], input: readonly Json[], memory: ResponseMemory): Rejection | undefined {
  const given = new Set(before.map(({ id }) => stringOf(id)));
  return firstRejection(input, (item) => {
    if (isReasoning(item, memory)) {
      given.add(stringOf(item["id"]) || (memory.decrypt(stringOf(item["encrypted_content"])) ?? ""));
      return undefined;
    }
    const id = stringOf(item["id"]);
    const remembered = memory.item(id);
    if (remembered?.reasoningId === undefined || given.has(remembered.reasoningId)) return undefined;
    return refuse("C4", `Item '${id}' of type '${typeOfItem(remembered.item)}' was provided without its required 'reasoning' item.`, { param: "input" });
  });
}

/** C5: an item that is named only by id must be stored. Messages and calls that are sent in full are not looked up. */
export function checkItemsFound(input: readonly Json[], isStored: boolean, memory: ResponseMemory): Rejection | undefined {
  return firstRejection(input, (item) => {
    const id = item["id"];
    const isNamed = typeOfItem(item) === "item_reference" || (isReasoning(item, memory) && !isEncrypted(item));
    if (!isNamed || typeof id !== "string" || (isStored && memory.item(id) !== undefined)) return undefined;
    const why =
      isStored && !memory.isForgotten(id)
        ? ""
        : " Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.";
    return refuse("C5", `Item with id '${id}' not found.${why}`, { status: 404, param: "input" });
  });
}

/** C6. */
export function checkReasoningShapes(input: readonly Json[], memory: ResponseMemory): Rejection | undefined {
  return firstRejection(input, (item, at) => {
    if (typeOfItem(item) !== "reasoning") return undefined;
    if (!Array.isArray(item["summary"])) return refuse("C6", `Input[${at}] missing required field summary`, { param: `input[${at}].summary` });
    const { encrypted_content: encrypted, id } = item;
    if (typeof encrypted !== "string") return undefined;
    const known = memory.decrypt(encrypted);
    if (known !== undefined && (typeof id !== "string" || id === known)) return undefined;
    return refuse("C6", `The encrypted content ${encrypted.slice(0, 4)}...${encrypted.slice(-4)} could not be verified.`, {
      code: "invalid_encrypted_content",
    });
  });
}

function isReasoning(item: Json, memory: ResponseMemory): boolean {
  return typeOfItem(resolveItem(item, memory)) === "reasoning";
}

function isEncrypted(item: Json): boolean {
  return typeof item["encrypted_content"] === "string";
}
