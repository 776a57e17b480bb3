import { textBlock, type Block, type ToolUseBlock } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";
import { parseArguments } from "../call-arguments.ts";
import { decodedFrom } from "../origin.ts";
import { timeOf } from "./message-facts.ts";
import { fieldAt, textAt } from "./unchecked-fields.ts";

/** An event of OpenHands: an action, or the observation that it caused. */
export interface OpenHandsEvent {
  readonly id?: number;
  readonly timestamp?: string;
  readonly source?: string;
  /** For people. */
  readonly message?: string;
  readonly action?: string;
  readonly observation?: string;
  /** The id of the action that an observation answers. */
  readonly cause?: number;
  readonly content?: string;
  readonly args?: Readonly<Record<string, unknown>> | null;
  readonly extras?: Readonly<Record<string, unknown>> | null;
  readonly tool_call_metadata?: ToolCallMetadata | null;
}

interface ToolCallMetadata {
  readonly function_name: string;
  readonly tool_call_id: string;
  /** A chat completion; every event of a response has all of it. */
  readonly model_response?: unknown;
}

/** Actions that are messages or harness events, not calls. */
const NO_CALLS: ReadonlySet<unknown> = new Set(["system", "message", "recall", "condensation", "change_agent_state", "null"]);

export function isCallEvent({ source, action }: OpenHandsEvent): boolean {
  return source === "agent" && action !== undefined && !NO_CALLS.has(action);
}

export function responseOf(event: OpenHandsEvent): unknown {
  return fieldAt(event.tool_call_metadata, "model_response");
}

export function choiceOf(event: OpenHandsEvent): unknown {
  const choices = fieldAt(responseOf(event), "choices");
  return Array.isArray(choices) ? choices[0] : undefined;
}

/** Returns the call and, for the first event of a response, the text before it. Older files have no response: there the action is the call. */
export function readCallEvent(event: OpenHandsEvent, number: number): readonly Block[] {
  const response = fieldAt(choiceOf(event), "message");
  const said = (response === undefined ? textAt(event.args, "thought") : textAt(response, "content")) ?? "";
  const { thought: _, ...own } = isRecord(event.args) ? event.args : {};
  const id = callIdOf(event);
  const name = textAt(event.tool_call_metadata, "function_name") ?? textAt(event, "action") ?? "";
  const call: ToolUseBlock = { type: "tool_use", id, name, input: argumentsOf(response, id) ?? own };
  return [...(number > 0 || said === "" ? [] : [decodedFrom([event], textBlock(said))]), decodedFrom([event], call)];
}

function argumentsOf(response: unknown, callId: string): unknown {
  const calls = fieldAt(response, "tool_calls");
  const call: unknown = Array.isArray(calls) ? calls.find((made) => fieldAt(made, "id") === callId) : undefined;
  const written = textAt(call, "function", "arguments");
  return written === undefined ? undefined : parseArguments(written);
}

function callIdOf({ id, tool_call_metadata: metadata }: OpenHandsEvent): string {
  return textAt(metadata, "tool_call_id") ?? `event-${typeof id === "number" || typeof id === "string" ? id : ""}`;
}

export function readResultEvent(event: OpenHandsEvent, call: OpenHandsEvent | undefined): Block {
  const failed = event.observation === "error" ? { is_error: true } : {};
  return decodedFrom([event], { type: "tool_result", tool_use_id: callIdOf(call ?? event), content: textAt(event, "content") ?? "", ...failed });
}

export function wordsOf(event: OpenHandsEvent): string {
  return textAt(event, "args", "content") ?? textAt(event, "message") ?? "";
}

/** Returns the text that was looked up for the user's message and is sent with it. */
export function recalledText(event: OpenHandsEvent): string {
  const knowledge = fieldAt(event, "extras", "microagent_knowledge");
  const found = [
    textAt(event, "content"),
    textAt(event, "extras", "repo_instructions"),
    textAt(event, "extras", "additional_agent_instructions"),
    ...(Array.isArray(knowledge) ? knowledge.map((item) => textAt(item, "content")) : []),
  ];
  return found.filter((text) => text !== undefined && text !== "").join("\n\n");
}

export function eventTime(event: OpenHandsEvent): number | undefined {
  return timeOf(event.timestamp);
}
