import { blocksOf, isText, isToolResult, isToolUse, resultText, type Block, type Message, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { nativesOf, untouchedNatives } from "../origin.ts";
import { choiceOf, isCallEvent, responseOf, type OpenHandsEvent } from "./openhands-event.ts";
import { joinTexts } from "./record-content.ts";
import type { WrittenRecord } from "./weave-records.ts";

/** Fields in which an observation repeats its content or parts of it: hidden text must be removed there too. */
const REPEATED: ReadonlySet<string> = new Set([
  "old_content",
  "new_content",
  "diff",
  "_diff_cache",
  "microagent_knowledge",
  "repo_instructions",
  "additional_agent_instructions",
]);

/** Returns the events of a message of the view. */
export function writeOpenHandsEvents(message: Message): readonly WrittenRecord[] {
  const untouched = untouchedNatives<OpenHandsEvent>(message);
  if (untouched !== undefined) return untouched.map((event) => ({ record: event, inPlaceOf: event }));
  const natives = nativesOf<OpenHandsEvent>(message) ?? [];
  const blocks = blocksOf(message);
  const last = natives.at(-1);
  const [first] = natives;
  if (first === undefined || last === undefined) return [{ record: newEvent(message.role, joinTexts(blocks)) }];
  if (!blocks.some(isToolResult) && !blocks.some(isToolUse)) {
    return isCallEvent(last) ? [{ record: newEvent(message.role, joinTexts(blocks)), inPlaceOf: first }] : writeWords(natives, last, joinTexts(blocks));
  }
  // New content of the message goes to its last event.
  return natives.flatMap((event) =>
    writeEvent(
      event,
      blocks.filter((block) => (nativesOf(block)?.[0] ?? last) === event),
      message.role,
    ),
  );
}

/** Events that led to the message, such as a recall request, stay as they are. */
function writeWords(events: readonly OpenHandsEvent[], last: OpenHandsEvent, words: string): readonly WrittenRecord[] {
  return events.map((event) => ({ record: event === last ? withWords(event, words) : event, inPlaceOf: event }));
}

/** Writes a call or a result with its remaining blocks; text beside a result becomes a message. */
function writeEvent(event: OpenHandsEvent, blocks: readonly Block[], role: Message["role"]): readonly WrittenRecord[] {
  const call = blocks.find(isToolUse);
  if (call !== undefined) return [{ record: withCall(event, call, joinTexts(blocks)), inPlaceOf: event }];
  const result = blocks.find(isToolResult);
  const answer = result === undefined ? [] : [untouchedNatives<OpenHandsEvent>(result)?.[0] ?? withWords(event, resultText(result))];
  const words = blocks.some(isText) ? [newEvent(role, joinTexts(blocks))] : [];
  return [...answer, ...words].map((record) => ({ record, inPlaceOf: event }));
}

function withWords(event: OpenHandsEvent, words: string): OpenHandsEvent {
  if (event.observation === undefined) return { ...event, message: words, args: { ...asObject(event.args), content: words } };
  const extras = Object.fromEntries(Object.entries(isRecord(event.extras) ? event.extras : {}).filter(([field]) => !REPEATED.has(field)));
  return { ...event, content: words, extras };
}

/** The event contains the call twice: as the action and in the model's response. */
function withCall(event: OpenHandsEvent, call: ToolUseBlock, words: string): OpenHandsEvent {
  const { tool_call_metadata: metadata } = event;
  const args = isRecord(event.args) ? event.args : {};
  const input = isRecord(call.input) ? call.input : {};
  const shown = Object.fromEntries(Object.entries(args).map(([field, value]) => [field, field in input ? input[field] : value]));
  const written = { ...event, args: "thought" in args ? { ...shown, thought: words } : shown };
  if (!isRecord(metadata)) return written;
  const made = { id: call.id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } };
  const choice = { ...asObject(choiceOf(event)), message: { role: "assistant", content: words === "" ? null : words, tool_calls: [made] } };
  return { ...written, tool_call_metadata: { ...metadata, model_response: { ...asObject(responseOf(event)), choices: [choice] } } };
}

function asObject(value: unknown): object {
  return isRecord(value) ? value : {};
}

function newEvent(role: Message["role"], words: string): OpenHandsEvent {
  const action = role === "system" ? "system" : "message";
  return { source: role === "user" ? "user" : "agent", message: words, action, args: { content: words } };
}
