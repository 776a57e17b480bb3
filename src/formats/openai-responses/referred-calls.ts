import { isReasoning, isReference, sideOf } from "./item-kinds.ts";
import type { ResponseItem } from "./response-item.ts";
import { callIdOf } from "./tool-calls.ts";
import { answeredIdOf } from "./tool-outputs.ts";

/** The ids of messages, of reasoning and of what the provider runs itself tell what they are. */
const NO_CALL = /^(?:msg|ws|fs|ci|ig|mcp|mcpl|cmp)_/;

const NONE: ReadonlyMap<ResponseItem, string> = new Map();

/**
 * The references that stand for calls, with the id of the call. A reference does not tell it, but the outputs behind its
 * response do: those that answer no other call belong to its references, in order.
 */
export function referredCalls(items: readonly ResponseItem[]): ReadonlyMap<ResponseItem, string> {
  if (!items.some(mayReferToCall)) return NONE;
  const referred = new Map<ResponseItem, string>();
  const open = new Map<string, number>();
  let references: ResponseItem[] = [];
  let isBehindResponse = false;
  for (const item of items) {
    if (sideOf(item) === "output") {
      const id = answeredIdOf(item);
      const calls = open.get(id) ?? 0;
      const reference = calls > 0 ? undefined : references.shift();
      if (calls > 0) open.set(id, calls - 1);
      if (reference !== undefined) referred.set(reference, id);
      isBehindResponse = true;
      continue;
    }
    if (isBehindResponse || sideOf(item) !== "response") references = [];
    isBehindResponse = false;
    if (mayReferToCall(item)) references.push(item);
    const id = callIdOf(item);
    if (id !== undefined) open.set(id, (open.get(id) ?? 0) + 1);
  }
  return referred;
}

function mayReferToCall(item: ResponseItem): boolean {
  return isReference(item) && !isReasoning(item) && !NO_CALL.test(item.id ?? "");
}
