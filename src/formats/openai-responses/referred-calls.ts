import { isReasoning, isReference, sideOf } from "./item-kinds.ts";
import type { ResponseItem } from "./response-item.ts";
import { callIdOf } from "./tool-calls.ts";
import { answeredIdOf } from "./tool-outputs.ts";

/** Prefixes of the ids of messages, reasoning and provider-run items: these are not calls of the client. */
const NO_CALL = /^(?:msg|ws|fs|ci|ig|mcp|mcpl|cmp)_/;
/** The id of a function call: it has an output. */
const FUNCTION_CALL = /^fc_/;

const NONE: ReadonlyMap<ResponseItem, string> = new Map();

/** How many calls with an id have no output yet. */
type OpenCalls = Map<string, number>;

/**
 * Returns the references that stand for calls, with their call ids. A reference does not contain the call id, but the outputs
 * after its response do: outputs that answer no other call belong to the references, in order.
 */
export function referredCalls(items: readonly ResponseItem[]): ReadonlyMap<ResponseItem, string> {
  if (!items.some(mayReferToCall)) return NONE;
  const referred = new Map<ResponseItem, string>();
  const older: OpenCalls = new Map();
  let own: OpenCalls = new Map();
  let references: ResponseItem[] = [];
  for (let position = 0; position < items.length;) {
    const from = position;
    for (let item = items[position]; item !== undefined && sideOf(item) === "output"; item = items[position]) position++;
    if (position > from) referTo(items.slice(from, position).map(answeredIdOf), references, own, older, referred);
    if (position > from || sideOf(items[position] ?? {}) !== "response") {
      for (const [id, calls] of own) open(older, id, calls);
      own = new Map();
      references = [];
    }
    const item = items[position++];
    if (item === undefined) break;
    if (mayReferToCall(item)) references.push(item);
    const id = callIdOf(item);
    if (id !== undefined) open(own, id, 1);
  }
  return referred;
}

/**
 * Assigns the outputs after one response. Call ids may repeat, and a call of an earlier response may still be open under the same id:
 * it gets the output only if no reference here needs it. The output of a function call is expected right after its response.
 */
function referTo(ids: readonly string[], references: ResponseItem[], own: OpenCalls, older: OpenCalls, referred: Map<ResponseItem, string>): void {
  const others = ids.filter((id) => !close(own, id));
  const isLate = others.map((id) => close(older, id));
  let needed = isLate.filter((late) => !late).length;
  others.forEach((id, number) => {
    const [reference] = references;
    if (isLate[number] !== true) needed--;
    else if (references.length <= needed || !FUNCTION_CALL.test(reference?.id ?? "")) return;
    else open(older, id, 1);
    if (reference === undefined) return;
    referred.set(reference, id);
    references.shift();
  });
}

function open(calls: OpenCalls, id: string, count: number): void {
  calls.set(id, (calls.get(id) ?? 0) + count);
}

/** Closes one open call with this id. Returns false if there was none. */
function close(calls: OpenCalls, id: string): boolean {
  const count = calls.get(id) ?? 0;
  if (count > 0) calls.set(id, count - 1);
  return count > 0;
}

function mayReferToCall(item: ResponseItem): boolean {
  return isReference(item) && !isReasoning(item) && !NO_CALL.test(item.id ?? "");
}
