import { blocksOf, isText, isToolResult, isToolUse, type Block, type Message } from "../../../src/messages/message.ts";

/** Who brought a text into the conversation. */
export type SegmentKind = "prompt" | "self" | "tool";

/** A text of a message in which values are looked for. */
export interface Segment {
  readonly kind: SegmentKind;
  readonly text: string;
}

const known = new WeakMap<Message, readonly Segment[]>();

/** The texts of a message: its words, the arguments of its calls, and each text of its results. */
export function segmentsOf(message: Message): readonly Segment[] {
  let segments = known.get(message);
  if (segments === undefined) known.set(message, (segments = blocksOf(message).flatMap((block) => segmentsOfBlock(block, message.role))));
  return segments;
}

function segmentsOfBlock(block: Block, role: Message["role"]): readonly Segment[] {
  const spoken: SegmentKind = role === "assistant" ? "self" : "prompt";
  if (isText(block)) return [{ kind: spoken, text: unescaped(block.text) }];
  if (isToolUse(block)) return [{ kind: "self", text: argumentText(block.name, block.input) }];
  if (isToolResult(block)) {
    if (typeof block.content === "string") return [{ kind: "tool", text: unescaped(block.content) }];
    return (block.content ?? []).map((part) => ({ kind: "tool", text: isText(part) ? unescaped(part.text) : withoutMedia(part) }));
  }
  if ("thinking" in block && typeof block.thinking === "string") return [{ kind: spoken, text: unescaped(block.thinking) }];
  return [{ kind: block.type.endsWith("_tool_result") ? "tool" : spoken, text: withoutMedia(block) }];
}

function withoutMedia(block: Block): string {
  return "source" in block || block.type === "redacted_thinking" ? "" : unescaped(JSON.stringify(block));
}

/** A leaf of an argument, with the key that it stands under. */
export interface Leaf {
  readonly key: string;
  readonly value: string | number;
}

/** The scalar leaves of a call's input. A string that is JSON itself is opened. */
export function leavesOf(input: unknown, key = ""): Leaf[] {
  if (typeof input === "number") return [{ key, value: input }];
  if (typeof input === "string") {
    const inner = parsedJson(input);
    return inner === undefined ? [{ key, value: unescaped(input) }] : leavesOf(inner, key);
  }
  if (Array.isArray(input)) return input.flatMap((entry) => leavesOf(entry, key));
  if (typeof input === "object" && input !== null) return Object.entries(input).flatMap(([name, entry]) => leavesOf(entry, name));
  return [];
}

function parsedJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function argumentText(name: string, input: unknown): string {
  return `${name}\n${leavesOf(input)
    .map(({ key, value }) => `${key}: ${value}`)
    .join("\n")}`;
}

/**
 * Escaped text as it reads: else `\nname` would hide the word `name`. What is no escape (`C:\new`) is changed too, but on
 * both sides alike: in the value that is looked for and in the text that it is looked for in.
 */
export function unescaped(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replaceAll(/\\+([nrt])/g, "\n").replaceAll(/\\+(["'/])/g, "$1");
}
