import { isRecord } from "../../../errors/is-record.ts";
import { fieldsOf, objectsIn, type JsonFields } from "../json-fields.ts";
import { CallSlots } from "./call-slots.ts";
import { TEXT_FIELDS } from "./chat-answer.ts";

const TEXTS: ReadonlySet<string> = new Set(TEXT_FIELDS);

/** Puts the chunks of one answer together into the completion that a request without `stream` would have got. */
export class ChatAccumulator {
  #frame: JsonFields = {};
  #message: JsonFields = {};
  readonly #calls = new Map<number, JsonFields>();
  readonly #slots = new CallSlots();
  #finishReason: unknown;
  #hasFailed = false;

  add(chunk: JsonFields): void {
    const { choices, object: _object, obfuscation: _padding, usage, ...frame } = chunk;
    this.#frame = { ...this.#frame, ...frame, ...(isRecord(usage) ? { usage: { ...usage } } : {}) };
    if ("error" in chunk) this.#hasFailed = true;
    const choice = firstChoice(choices);
    if (choice === undefined) return;
    const { tool_calls: calls, ...delta } = fieldsOf(choice["delta"]);
    this.#message = { ...this.#message, ...grown(this.#message, delta) };
    for (const call of objectsIn(calls)) this.#addCall(call);
    this.#finishReason = choice["finish_reason"] ?? this.#finishReason;
  }

  /** Undefined until it is complete, except for the usage, which not every client asks for. */
  result(): object | undefined {
    if (this.#hasFailed || (this.#finishReason ?? undefined) === undefined) return undefined;
    const calls = [...this.#calls.values()];
    const message = { ...this.#message, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    return { ...this.#frame, object: "chat.completion", choices: [{ index: 0, message, finish_reason: this.#finishReason }] };
  }

  #addCall(delta: JsonFields): void {
    const slot = this.#slots.slotOf(delta);
    const call = this.#calls.get(slot) ?? {};
    const { index: _, function: called, custom, ...rest } = delta;
    this.#calls.set(slot, {
      ...call,
      ...said(rest),
      ...(isRecord(called) ? { function: grownCall(fieldsOf(call["function"]), called, "arguments") } : {}),
      ...(isRecord(custom) ? { custom: grownCall(fieldsOf(call["custom"]), custom, "input") } : {}),
    });
  }
}

/** Returns the only choice: requests for several are not read. */
export function firstChoice(choices: unknown): JsonFields | undefined {
  return objectsIn(choices).find(({ index }) => index === 0 || index === undefined);
}

/** Returns the fields of a message that a delta changes, with the delta applied. */
function grown(message: JsonFields, delta: JsonFields): JsonFields {
  return Object.fromEntries(Object.entries(delta).map(([field, value]) => [field, grownField(field, message[field], value)]));
}

function grownField(field: string, before: unknown, value: unknown): unknown {
  if (value === null || value === undefined) return before ?? value;
  if (TEXTS.has(field) && typeof before === "string" && typeof value === "string") return before + value;
  if (field === "function_call" && isRecord(value)) return grownCall(fieldsOf(before), value, "arguments");
  if (Array.isArray(before) && Array.isArray(value)) return [...(before as unknown[]), ...(value as unknown[])];
  return isRecord(before) && isRecord(value) ? { ...before, ...value } : value;
}

/** The name comes whole, the arguments in pieces. */
function grownCall(before: JsonFields, delta: JsonFields, field: "arguments" | "input"): JsonFields {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return { name: "", ...before, ...said(delta), [field]: text(before[field]) + text(delta[field]) };
}

/** Later pieces of a call may repeat its fields, or leave them empty. */
function said(fields: JsonFields): JsonFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ""));
}
