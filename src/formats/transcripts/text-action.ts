import { textBlock, type Block, type ToolUseBlock } from "../../messages/message.ts";
import { fieldAt } from "./unchecked-fields.ts";

/** Returns a command in the assistant's text as a call. Such calls have no id, so it is derived from their position. */
export function textAction(command: string, position: number): ToolUseBlock {
  return { type: "tool_use", id: `action_${position}`, name: "bash", input: { command } };
}

export function commandOf({ input }: ToolUseBlock): string {
  const command = fieldAt(input, "command");
  return typeof command === "string" ? command : JSON.stringify(input);
}

/** Returns the text before or after a call as blocks. */
export function saying(text: string): readonly Block[] {
  return text.trim() === "" ? [] : [textBlock(text.trim())];
}

/** Joins parts into one text; empty parts leave no gap. */
export function inOneText(...parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}
