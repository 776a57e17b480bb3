import type { Block, Message } from "../../messages/message.ts";
import { isRecord } from "../../errors/is-record.ts";

/** A message of an OpenCode session: its metadata and its parts. */
export interface OpenCodeMessage {
  readonly info: MessageInfo;
  readonly parts: readonly Part[];
}

export interface MessageInfo {
  readonly id: string;
  readonly sessionID: string;
  readonly role: "user" | "assistant";
  readonly time: { readonly created: number };
  /** For an assistant message, the message that it answers. */
  readonly parentID?: string;
  readonly modelID?: string;
  readonly tokens?: unknown;
}

export interface Part extends Block {
  readonly id?: string;
}

export interface TextPart extends Part {
  readonly type: "text" | "reasoning";
  readonly text: string;
  /** Shown to people only. */
  readonly ignored?: boolean;
}

/** A call with its result. */
export interface ToolPart extends Part {
  readonly type: "tool";
  readonly callID: string;
  readonly tool: string;
  readonly state: ToolState;
}

export interface ToolState {
  readonly status: "pending" | "running" | "completed" | "error";
  readonly input: unknown;
  readonly output?: string;
  readonly error?: string;
  readonly attachments?: readonly Part[];
  /** `compacted`: since this time, OpenCode sends a note instead of the output. */
  readonly time?: { readonly start: number; readonly end?: number; readonly compacted?: number };
}

/** One response of the model; a message may hold several. */
export interface Step {
  readonly record: OpenCodeMessage;
  readonly parts: readonly Part[];
}

export function isOpenCodeMessage(value: unknown): value is OpenCodeMessage {
  if (!isRecord(value) || !isRecord(value["info"]) || !Array.isArray(value["parts"]) || !value["parts"].every(isRecord)) return false;
  const { role, time } = value["info"];
  return (role === "user" || role === "assistant") && isRecord(time) && typeof time["created"] === "number";
}

export function isToolPart(part: Part): part is ToolPart {
  return part.type === "tool" && isRecord((part as Partial<ToolPart>).state);
}

export function isTextPart(part: Part): part is TextPart {
  return part.type === "text" || part.type === "reasoning";
}

/** The text that OpenCode sends to the model for such a part. */
const SAID_FOR_PART: Readonly<Record<string, string>> = {
  subtask: "The following tool was executed by the user",
  compaction: "What did we do so far?",
};

/** Returns the text that the model sees for the part; undefined for calls, files and hidden parts. */
export function shownText(part: Part): string | undefined {
  if (isTextPart(part)) return part.ignored === true || part.text === "" ? undefined : part.text;
  return SAID_FOR_PART[part.type];
}

/** The content of a text file is already in the message as text. */
export function isShownFile(part: Part): boolean {
  const { mime } = part as Part & { readonly mime?: unknown };
  return part.type === "file" && mime !== "text/plain" && mime !== "application/x-directory";
}

export function isShown(part: Part): boolean {
  return isToolPart(part) || isShownFile(part) || shownText(part) !== undefined;
}

/** Splits a message into steps that each show something. An empty step is joined to the next one, or at the end to the last. */
export function stepsOf(record: OpenCodeMessage): readonly Step[] {
  const steps: Part[][] = [];
  const lastShown = record.parts.findLastIndex(isShown);
  record.parts.forEach((part, number) => {
    const last = steps.at(-1);
    if (last === undefined || (part.type === "step-start" && last.some(isShown) && number < lastShown)) steps.push([part]);
    else last.push(part);
  });
  return steps.map((parts) => ({ record, parts }));
}

export function isConversation(record: object): record is OpenCodeMessage {
  return isOpenCodeMessage(record) && record.parts.some(isShown);
}

export function roleOfStep({ record }: Step): Message["role"] {
  return record.info.role;
}
